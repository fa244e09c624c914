#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 20
#
# How the build behaves: out of tree, from a read-only source, twice with the same bytes; it
# rebuilds what changed and names missing packages.

. test/verdict

dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
make() {
	env -u MAKEFLAGS -u MAKELEVEL -u O make --no-print-directory -j2 "$@"
}

# A copy, and what 'make dist' packs of it, in folders with names of different length.
mkdir -p "$dir/a" "$dir/another/one"
tar cf - Makefile src arch include test kconfig | tar xf - -C "$dir/a"
make -C "$dir/a" CONFIG="$PWD/kconfig/tiny.config" > "$dir/log" 2>&1
is "it builds in tree" "$?" 0
make -C "$dir/a" CONFIG="$PWD/kconfig/tiny.config" dist > "$dir/log" 2>&1
tar xzf "$dir/a/obj/dist"/pt-*.tar.gz -C "$dir/another/one" --strip-components=1
touch "$dir/packed"
chmod -R a-w "$dir/another/one"
make -C "$dir/another/one" O="$dir/out" CONFIG="$PWD/kconfig/tiny.config" dist > "$dir/again" 2>&1
is "it builds out of a tree that cannot be written" "$?" 0
is "nothing is left in that tree" \
	"$(cd "$dir/another/one" && find . -newer "$dir/packed" -type f)" ""
is "two builds in different folders are the same bytes" \
	"$(cmp "$dir/a/pt" "$dir/out/pt" 2>&1)" ""
is "dist makes the source, the binary, the pages and their sums, and the source the same again" \
	"$(awk '{print $1, $2}' "$dir/again" | tail -n $(wc -l < "$dir/a/obj/dist/SHA256SUMS"))" \
	"$(cat "$dir/a/obj/dist/SHA256SUMS" | tr -s ' ')"
pages=$(sed -n 's/\\-/-/g; s/^\.SS pt \([a-z-]*\)$/\1/p' src/pt.1 | sort)
is "the sums hold" "$(cd "$dir/a/obj/dist" && sha256sum -c --quiet SHA256SUMS; ls | wc -l)" \
	$((4 + $(echo "$pages" | wc -l)))
is "a second make has nothing to do" "$(make -C "$dir/a" CONFIG="$PWD/kconfig/tiny.config")" ""

cd "$dir/a" || exit 1
# From here on it matters which files are compiled, not how.
OPT="-Og -finline-functions-called-once"
export OPT
is "V=1 shows commands" "$(touch src/main.c; make V=1 CONFIG=kconfig/tiny.config |
	grep -v PACKED_ID | grep -c 'src/main.o src/main.c')" 1
make tiny_defconfig > "$dir/log" 2>&1
make > "$dir/log" 2>&1
is "the configuration is tiny's" "$(grep -c ' CONFIG ' "$dir/log"):$(./pt --version -v | tail -n +2 |
	sed 's/ *//' | sort)" "0:$(grep '=y' kconfig/tiny.config | sort)"
sed 's/^CONFIG_CMD_DUMP=y/# CONFIG_CMD_DUMP is not set/' .config > new
cat new > .config
echo '#define CONFIG_NO_LONGER 1' > obj/include/pt/config/NO_LONGER.h
make > "$dir/log" 2>&1
is "the header of an option that does not exist is removed" \
	"$(cd obj/include/pt/config && LC_ALL=C ls | sed 's/.h$//')" \
	"$(sed -n 's/^config //p' kconfig/Kconfig | LC_ALL=C sort)"
is "an option that goes is linked out" "$(./pt --version -v | grep -c CMD_DUMP)" 0
printf '\n/* A change. */\n' >> include/pt/out.h
make > "$dir/log" 2>&1
is "a header that changes rebuilds who includes it" "$(grep -c 'src/base/out.c' "$dir/log")" 1
is "and nobody else" "$(grep -c 'src/base/num.c' "$dir/log")" 0
sed 's/^# CONFIG_ALL_ERRORS is not set/CONFIG_ALL_ERRORS=y/' .config > new
cat new > .config
make > "$dir/log" 2>&1
is "an option that is switched rebuilds the files that ask for it, and no other" \
	"$(grep ' CC ' "$dir/log" | sed 's/.* //' | sort -u | xargs)" \
	"$({ grep -rl 'pt/config/ALL_ERRORS.h' src/base; echo src/main.c; } | sort | xargs)"

# No library is found. As root that installs packages, if they are missing.
echo CONFIG_ZSTD=y >> .config
make SYSROOT="$dir/none" > "$dir/log" 2>&1
is "a missing library is said before its files are compiled" \
	"$(grep -c 'pt needs libzstd.a' "$dir/log"):$(grep -c ' CC ' "$dir/log")" 1:0
make SYSROOT="$dir/none" tiny_defconfig > "$dir/log" 2>&1
is "a configuration can be chosen where its libraries are missing" "$?" 0
make > "$dir/log" 2>&1
is "libraries that are there again are found" "$?" 0

make install DESTDIR="$dir/root" PREFIX=/usr > "$dir/log" 2>&1
is "install puts the program, its pages and completion in place" \
	"$(cd "$dir/root" && find . -type f | sort)" "./usr/bin/pt
./usr/share/bash-completion/completions/pt
$(for page in $pages; do echo "./usr/share/man/man1/pt-$page.1"; done)
./usr/share/man/man1/pt.1
./usr/share/zsh/site-functions/_pt"
make uninstall DESTDIR="$dir/root" PREFIX=/usr > "$dir/log" 2>&1
is "uninstall takes them away" "$(cd "$dir/root" && find . -type f)" ""
make CFLAGS=-DANOTHER obj/src/base/num.o > "$dir/log" 2>&1
is "other flags rebuild" "$(grep -c 'src/base/num.c' "$dir/log")" 1
make clean
is "clean leaves no program" "$(ls)" "$(printf '%s\n' Makefile arch include kconfig new src test)"

mkdir "$dir/empty"
make SYSROOT="$dir/empty" full_defconfig > "$dir/log" 2>&1
make SYSROOT="$dir/empty" > "$dir/log" 2>&1
is "a missing library stops the build" "$?" 2
is "and its packages are named" "$(grep -c 'libelf-dev (Debian) or .*libelf-static (Alpine)' "$dir/log")" 1
is "the headers too" "$(grep -c 'linux-libc-dev (Debian) or linux-headers (Alpine)' "$dir/log")" 1

finish
