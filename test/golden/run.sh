#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
#
# Golden tests: each test/golden/*.t is a page with code, trace and the expected output.
#
#	# Comments. "# needs: CMD_SCRIPT": skip the page without this option.
#	--- asm ADDR [FILE]       instructions in Intel's syntax, to a file that {map} maps. A label
#	                          'name:' is an address that packets may name: fup @name
#	--- code ADDR [FILE]      the same in bytes (see ptasm.c), for instructions unknown to as(1)
#	--- elf ADDR [FILE]       the same as asm, to an executable file with symbols
#	--- trace [FILE]          packets, to the file {trace}
#	--- data [FILE]           a perf.data in words (see dataasm.c), to the file {data}
#	--- pt ARGS               the expected output of 'pt ARGS'; sh reads ARGS
#	--- perf ARGS             the same, and if there is perf 6.1, that of 'perf ARGS'
#
# A 'pt' or 'perf' section is one test. Each page runs in a folder of its own. An empty line with a comment
# after it ends a section.

passed=0 failed=0 skipped=0
ptasm=$O/obj/ptasm
dataasm=$O/obj/dataasm
# The text is perf's in one run. NO_PERF=1: other runs only compare pt with the text.
[ -z "$NO_PERF" ] && [ "$(perf --version 2> /dev/null | cut -d. -f1,2)" = 'perf version 6.1' ] &&
	perf=1 || perf=
options=" $("$PT" --version -v | sed -n 's/^ *CONFIG_\([A-Z0-9_]*\)=y$/\1/p' | tr '\n' ' ')"
# The pt with the sanitizers has no pt stat.
"$PT" help stat > /dev/null 2>&1 || options=$(echo "$options" | sed 's/ CMD_STAT / /')
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# A line for each page and section: what it is, and its words. The text of section N is in N.text.
split() {
	awk -v dir="$dir" '
		FNR == 1 { print "page " FILENAME; head = 1 }
		/^--- / {
			if (n)
				close(file)
			file = dir "/" ++n ".text"
			printf "" > file
			kind = $2
			sub(/^--- [a-z]* ?/, "")
			gsub(/\{trace\}/, "trace")
			gsub(/\{data\}/, "data")
			gsub(/\{map\}/, "$map")
			print kind, n, $0
			blank = ""
			over = head = 0
			next
		}
		/^# needs: / && head { print "needs " substr($0, 10) }
		/^#/ && blank { over = 1 }
		head || over { next }
		/^$/ { blank = blank "\n"; next }
		{ printf "%s%s\n", blank, $0 > file; blank = "" }' "$@"
}

# wrong WHAT: the section failed
wrong() {
	failed=$((failed + 1))
	echo "FAIL $t: $1"
}

# page FILE
page() {
	t=$1 map= missing=
	rm -rf "$dir/page"
	mkdir "$dir/page"
	cd "$dir/page"
}

needs() {
	for need in $1; do
		case $options in *" $need "*) continue ;; esac
		missing=$need
		echo "SKIP $t: this build has no $need"
		skipped=$((skipped + 1))
		return
	done
}

# code ADDR [FILE]
code() {
	"$ptasm" -c "$1" < "$text" > "${2:-code}" || wrong "code $1"
	map="$map --map ${2:-code}@$1"
}

# asm ADDR [FILE]
asm() {
	if ! as --64 -msyntax=intel -mnaked-reg -o asm.o "$text" > err 2>&1 ||
	   ! "$ptasm" -e "$1" asm.o > "${2:-code}" 2> err; then
		wrong "asm $1"
		cat err
	fi
	map="$map --map ${2:-code}@$1"
}

# elf ADDR [FILE]
elf() {
	asm "$1" flat
	map=
	ld -e 0 -Ttext="$1" -z max-page-size=4096 -o "${2:-code}" asm.o 2> err || {
		wrong "elf $1"
		cat err
	}
}

# trace [FILE]
trace() {
	"$ptasm" < "$text" > "${1:-trace}" || wrong trace
}

# data [FILE]
data() {
	"$dataasm" < "$text" > "${1:-data}" || wrong data
}

pt() {
	eval "\"\$PT\" $1" > got 2> err
	if cmp -s got "$text"; then
		passed=$((passed + 1))
	else
		wrong "pt $1"
		diff "$text" got | head -n 20
		head -n 3 err
	fi
}

# of_perf ARGS
of_perf() {
	pt "$1"
	[ "$perf" ] || return
	eval "perf $1" > got 2> err
	if cmp -s got "$text"; then
		passed=$((passed + 1))
	else
		wrong "perf $1"
		diff "$text" got | head -n 20
	fi
}

section() {
	text=$dir/$2.text
	case $1 in
	code) code $3 ;;
	asm) asm $3 ;;
	elf) elf $3 ;;
	trace) trace $3 ;;
	data) data $3 ;;
	pt) pt "$3" ;;
	perf) of_perf "$3" ;;
	*) wrong "what is a '$1' section?" ;;
	esac
}

split test/golden/*.t > "$dir/list"
while read -r kind n rest; do
	case $kind in
	page) page "$n" ;;
	needs) needs "$n $rest" ;;
	*) [ "$missing" ] || section "$kind" "$n" "$rest" ;;
	esac
done < "$dir/list"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
