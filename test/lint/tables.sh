#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
#
# Tables of files and options agree with the files and options that exist.

. test/verdict

listed=$(sed '/^hot :=/,/[^\\]$/d' Makefile | sed -e :a -e '/\\$/N; s/\\\n//; ta' | grep -oE '(src|arch)/[a-z0-9_/]*\.c' | sort -u)
there=$(find src arch -name '*.c' | sort)
none "Makefile's list has every source file" "$(printf '%s\n' "$there" | grep -vxF "$listed")"
none "Makefile's list has no file that is not there" "$(printf '%s\n' "$listed" | grep -vxF "$there")"

options=$(sed -n 's/^config //p' kconfig/Kconfig | sort)
none "an option is declared once" "$(printf '%s\n' "$options" | uniq -d)"
used=$(grep -ohE 'CONFIG_[A-Z0-9_]+' Makefile src/rules.mk test/rules.mk $(find src arch include test -name '*.[ch]') |
	sed 's/^CONFIG_//' | grep -vxE 'VERSION|OPTIONS|X|' | sort -u)
none "an option that is asked for is in Kconfig" "$(printf '%s\n' "$used" | grep -vxF "$options")"
# A switched option rebuilds the files that include its header.
none "a file includes the headers of the options that it asks for, and no others" "$(find src arch include/pt test -name '*.[ch]' | xargs awk '
	/^#include <pt\/config\// { gsub(/.*config\/|\.h>.*/, ""); has[FILENAME " " $0] = 1; next }
	{ sub(/\/\*.*/, ""); sub(/^ \* .*/, "") }
	{
		while (match($0, /CONFIG_[A-Z0-9_]+/)) {
			option = substr($0, RSTART + 7, RLENGTH - 7)
			if (option !~ /^(VERSION|OPTIONS)$/)
				asks[FILENAME " " option] = 1
			$0 = substr($0, RSTART + RLENGTH)
		}
	}
	END {
		for (a in asks) if (!(a in has)) print a ": not included"
		for (h in has) if (!(h in asks)) print h ": included, not asked for"
	}')"
none "what tests need is in Kconfig" "$(sed -n 's/^# needs: //p' test/*/*.sh | tr ' ' '\n' | sort -u |
	grep -vxF "$options")"

for command in $(sed -n '/^#define COMMANDS(X)/,/[^\\]$/p' src/main.c | grep -oE 'X\([a-z]+\)' |
	sed 's/X(\(.*\))/\1/'); do
	[ -e "src/cmd/$command.c" ] || continue
	none "pt $command is one option" "$(grep -q "CMD_$(echo "$command" | tr a-z A-Z)\$" kconfig/Kconfig ||
		echo "there is no CMD_$command")"
done
none "a command is in main.c's table" "$(for file in src/cmd/*.c; do
	name=$(sed -n 's/^const struct command cmd_\([a-z]*\) = .*/\1/p' "$file")
	[ -z "$name" ] || [ "$name" = dump ] || grep -q "X($name)" src/main.c || echo "$file: $name"
done)"

# A kind of packet that has no words would be printed as nothing.
none "each kind of packet has its words" "$(sed -n 's/^\tX(\([A-Z_]*\), .*set) *\\*$/\1/p' include/pt/packet.h |
	while read -r kind; do
		grep -qF "[PACKET_$kind] = " src/print/print_packet.c || echo "$kind"
	done)"

# Of each page: the options that it names, and the commands in its heads and scripts.
none "a golden page needs the commands that it runs, and -j" "$(printf '%s\n' "$options" | awk '
	function lacks(page, o) { return o in options && !((page, o) in needs) }
	function uses(command) {
		if (command ~ /^-D/)
			command = "dump"
		else if (command ~ / -j [0-9]/)
			command = "parallel"
		sub(/ .*/, "", command)
		gsub(/-/, "_", command)
		used[FILENAME, toupper(command)]
	}
	FILENAME == "-" { options[$0]; next }
	/^# needs: / { for (i = 3; i <= NF; i++) needs[FILENAME, $i] }
	sub(/^--- p[a-z]* /, "") { uses($0); next }
	{ while (i = index($0, "\"$PT\" ")) { $0 = substr($0, i + 6); uses($0) } }
	END {
		for (u in used) {
			split(u, p, SUBSEP)
			if (lacks(p[1], "CMD_" p[2])) print p[1] ": CMD_" p[2]
			if (lacks(p[1], p[2])) print p[1] ": " p[2]
		}
	}' - test/golden/*.t | sort)"
# "what: page page": of words like packet_, all pages that begin with them.
rows=$(sed -n '/^#/d; s/.*: //p' test/golden/rows | tr ' ' '\n' | sort -u)
none "test/golden/rows names pages that exist" "$(for page in $rows; do
	[ -e "test/golden/$page.t" ] || echo "$page"
done)"
none "each page about the trace is in test/golden/rows" "$(cd test/golden && ls | sed -n 's/\.t$//p' |
	grep -E "^($(printf '%s\n' "$rows" | sed 's/_.*//' | sort -u | paste -sd '|' -))(_|$)" |
	grep -vxF "$rows")"

if /usr/bin/python3 -c 'import kconfiglib' 2> /dev/null; then
	none "configurations have an entry for each option that is on, or is on by default" "$(
	for config in kconfig/*.config; do
		/usr/bin/python3 kconfig/complete.py "$config" | diff "$config" - > /dev/null ||
			echo "$config: make configs brings it up to date"
	done)"
else
	skip "configurations: there is no kconfiglib"
fi

finish
