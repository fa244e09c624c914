#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
#
# Symbols at many addresses, compared with perf script: installed programs and libraries, random
# overlapping symbols in both ELF classes, separate debug files, and kernels with modules. See
# symbol.c.

judge=$O/obj/judge/symbol
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

if ! command -v perf > /dev/null; then
	echo "SKIP symbols against perf: perf is not here"
	echo "0 passed, 0 failed, 1 skipped"
	exit
fi

# Perf 6.2 and later have other names in a PLT, and more of them.
perf --version | grep -q ' 6\.1\.' && plts=1 || plts=
if [ ! "$plts" ]; then
	skipped=1
	echo "SKIP symbols of PLTs: perf 6.1 is not here to judge"
fi

# perf keeps copies below HOME, and demangles C++ unless told not to.
"$PT" version -v | grep -q CONFIG_DEMANGLE=y && mangled= || mangled=--no-demangle
by_perf() {
	HOME=$work perf script -i "$work/data" -F ip,sym,symoff,dso "$@" 2> /dev/null
}

# verdict WHAT: the two outputs are the same.
verdict() {
	if [ -s "$work/perf" ] && cmp -s "$work/perf" "$work/pt"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL symbols of $1"
		diff "$work/perf" "$work/pt" | head -n 6
	fi
}

compare() {
	"$judge" make "$1" "$2" "$work/data"
	by_perf $mangled > "$work/perf"
	"$judge" print "$1" "$2" > "$work/pt"
	if [ ! "$plts" ]; then
		sed -n '/plt+0x/=' "$work/perf" | sed 's/$/d/' > "$work/rows"
		sed -i -f "$work/rows" "$work/perf" "$work/pt"
	fi
	verdict "$1"
}

compare_kernel() {
	"$judge" make-kernel "$work/maps" 500 "$work/data"
	by_perf --kallsyms "$1" > "$work/perf"
	"$judge" print-kernel "$work/maps" 500 "$1" > "$work/pt"
	verdict "$2"
}

for file in /lib/*/libc.so.6 /lib/*/ld-linux*.so.2 /bin/bash /usr/bin/python3 /usr/bin/perf \
	/usr/lib/*/libstdc++.so.6 "$O/obj/unit/space" $(
	find /usr/bin /usr/lib -type f -name '*[0-9]' | sort | awk 'NR % 400 == 7'); do
	file=$(readlink -f "$file")
	case $(head -c 5 "$file" 2> /dev/null | od -An -tx1) in
	*"7f 45 4c 46"*) compare "$file" 3000 ;;
	esac
done

# usage: overlapping SEED: assembly of symbols anywhere, of any size, kind and binding.
overlapping() {
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		print ".text\n.globl _start\n_start: .skip 60000, 0x90"
		for (i = 0; i < 1000; i++) {
			name = substr("____", 1, int(rand() * 4)) "f" i
			at = rand() < 0.7 ? int(rand() * 60000) : int(rand() * 200) * 256
			size = rand() < 0.3 ? 0 : int(exp(rand() * 8))
			kind = rand() < 0.7 ? "function" : rand() < 0.5 ? "notype" : "object"
			bind = rand() < 0.4 ? "global" : rand() < 0.4 ? "weak" : "local"
			printf ".set %s, _start+%d\n.type %s,@%s\n.size %s,%d\n.%s %s\n", name, at,
				name, kind, name, size, bind, name
		}
	}'
}

if command -v ld > /dev/null; then
	for seed in 1 2 3 4; do
		overlapping $seed > "$work/s"
		as --64 -o "$work/o" "$work/s" && ld -o "$work/exec64" "$work/o" &&
			ld -shared -o "$work/so64" "$work/o"
		as --32 -o "$work/o" "$work/s" && ld -m elf_i386 -o "$work/exec32" "$work/o"
		for kind in exec64 so64 exec32; do
			compare "$work/$kind" 3000
		done
	done
	overlapping 5 > "$work/s"
	as -o "$work/o" "$work/s" && ld --build-id -o "$work/whole" "$work/o"
	mkdir "$work/.debug"
	objcopy --only-keep-debug "$work/whole" "$work/.debug/linked.debug"
	objcopy --strip-all --add-gnu-debuglink="$work/.debug/linked.debug" "$work/whole" \
		"$work/linked"
	compare "$work/linked" 3000
	overlapping 6 > "$work/s"
	as -o "$work/o" "$work/s" && ld --build-id -o "$work/other" "$work/o"
	objcopy --only-keep-debug "$work/other" "$work/.debug/linked.debug"
	compare "$work/linked" 1000
else
	echo "SKIP symbols that overlap: binutils are not here"
	skipped=$((skipped + 1))
fi

# A kernel of 5,000 symbols and 20 modules, in a list whose modules are not in order.
awk -v maps="$work/maps" 'BEGIN {
	srand(7)
	split("t t t T W w d b R A", type, " ")
	text = 0x9a600000
	print "ffffffff9a600000 T _text\nffffffff9a600000 T _stext\n\nnonsense"
	for (i = 0; i < 5000; i++) {
		if (rand() < 0.9)
			text += int(rand() * 400)
		printf "ffffffff%08x %s %s%d\n", text, type[1 + int(rand() * 10)],
			rand() < 0.2 ? "__x64_sys_" : rand() < 0.1 ? "SyS_" : "f", i
	}
	text += 4096 - text % 4096
	printf "ffffffff%08x B _end\n", text
	printf "ffffffff9a600000 ffffffff%08x ffffffff9a600000 [kernel.kallsyms]_text\n",
		text > maps
	for (i = 0; i < 20; i++) {
		base = 0xc0000000 + (i * 7 % 20) * 0x8000
		printf "ffffffff%08x ffffffff%08x 0 %s\n", base, base + 0x6000,
			(i % 3 ? "[mod" i "]" : "/lib/modules/6.1/x/mod" i ".ko.xz") > maps
		for (j = 0; j < 50; j++)
			printf "ffffffff%08x %s mf%d_%d\t[mod%d]\n", base + int(rand() * 0x5000),
				type[1 + int(rand() * 8)], i, j, i
	}
}' > "$work/kallsyms"
compare_kernel "$work/kallsyms" "a kernel"
sed '/\[/! s/^ffffffff9\(.\)/ffffffffa\1/' "$work/kallsyms" > "$work/moved"
compare_kernel "$work/moved" "a kernel that was moved"

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
