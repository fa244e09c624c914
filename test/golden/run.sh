#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
#
# Golden tests: each test/golden/*.t is a page of code, trace and what pt says.
#
#	# Comments. "# needs: CMD_SCRIPT" names an option it is skipped without.
#	--- asm ADDR [FILE]       instructions in Intel's syntax, to a file that {map} maps. A label
#	                          'name:' is an address that packets may name: fup @name
#	--- code ADDR [FILE]      the same in bytes (see ptasm.c), for what as(1) does not know
#	--- trace                 packets, to the file that {trace} is
#	--- pt ARGS               what 'pt ARGS' has to print; sh reads ARGS
#
# A 'pt' section is one test. All run in a folder of their own. A blank line
# with a comment behind it ends a section.

passed=0 failed=0 skipped=0
ptasm=$O/obj/ptasm
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# One file a section: its head is in N.head, its text in N.text.
split() {
	awk -v dir="$dir" '
		/^--- / {
			n++
			print substr($0, 5) > (dir "/" n ".head")
			close(dir "/" n ".head")
			printf "" > (dir "/" n ".text")
			blank = ""
			over = 0
			next
		}
		/^#/ && blank { over = 1 }
		!n || over { next }
		/^$/ { blank = blank "\n"; next }
		{ printf "%s%s\n", blank, $0 > (dir "/" n ".text"); blank = "" }
		END { print n + 0 }' "$1"
}

# wrong WHAT: the section failed
wrong() {
	failed=$((failed + 1))
	echo "FAIL $t: $1"
}

code() {
	"$ptasm" -c "$1" < $n.text > "${2:-code}" || wrong "code $1"
	map="$map --map ${2:-code}@$1"
}

# asm ADDR [FILE]
asm() {
	{ echo '.intel_syntax noprefix'; cat $n.text; } > asm.s
	if ! as --64 -o asm.o asm.s 2> err || ! ld -e 0 -Ttext="$1" -o asm.elf asm.o 2>> err ||
	   ! objcopy -O binary -j .text asm.elf "${2:-code}" 2>> err; then
		wrong "asm $1"
		cat err
	fi
	nm asm.elf | sed -n 's/^0*\([0-9a-f]\{1,\}\) t \(.*\)/s,@\2\\>,0x\1,g/p' >> labels
	map="$map --map ${2:-code}@$1"
}

trace() {
	touch labels
	sed -f labels $n.text | "$ptasm" > trace || wrong trace
}

pt() {
	args=$(printf '%s\n' "$1" | sed "s|{trace}|trace|g; s|{map}|${map# }|g")
	eval "\"\$PT\" $args" > got 2> err
	if cmp -s got $n.text; then
		passed=$((passed + 1))
	else
		wrong "pt $1"
		diff $n.text got | head -n 20
		head -n 3 err
	fi
}

run() {
	read -r kind rest < $n.head
	case $kind in
	code) code $rest ;;
	asm) asm $rest ;;
	trace) trace ;;
	pt) pt "$rest" ;;
	*) wrong "what is a '$kind' section?" ;;
	esac
}

for t in test/golden/*.t; do
	missing=
	for need in $(sed -n 's/^# needs: //p' "$t"); do
		"$PT" --version -v | grep -q "^ *CONFIG_$need=y" || missing=$need
	done
	if [ "$missing" ]; then
		echo "SKIP $t: this build has no $missing"
		skipped=$((skipped + 1))
		continue
	fi
	last=$(split "$t") map=
	here=$PWD n=1
	cd "$dir"
	while [ $n -le $last ]; do
		run
		n=$((n + 1))
	done
	rm -rf ./*
	cd "$here"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
