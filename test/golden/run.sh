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

# Starting programs takes most of the time, so folders are made all at once, and the outputs of pt are
# compared in the end.

# A line for each page and section: what it is, and its words. The text of section N is N in the folder
# texts.
split() {
	awk -v dir="$dir" '
		FNR == 1 { print "page", ++pages, FILENAME; head = 1 }
		/^--- / {
			if (n)
				close(file)
			file = dir "/texts/" ++n
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

# page N FILE
page() {
	t=$2 map= missing=
	cd "$dir/pages/$1"
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
	eval "\"\$PT\" $2" > "$dir/got/$1" 2> "$dir/errs/$1"
	passed=$((passed + 1))
}

# differs N: the output of section N is not its text.
differs() {
	passed=$((passed - 1))
	t=$(awk -v n="$1" '$1 == "page" { page = $3; next } $2 == n { print page }' "$dir/list")
	wrong "pt $(sed -n "s/^pt $1 //p; s/^perf $1 //p" "$dir/list")"
	diff "$dir/texts/$1" "$dir/got/$1" | head -n 20
	head -n 3 "$dir/errs/$1"
}

# of_perf ARGS
of_perf() {
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
	text=$dir/texts/$2
	case $1 in
	code) code $3 ;;
	asm) asm $3 ;;
	elf) elf $3 ;;
	trace) trace $3 ;;
	data) data $3 ;;
	pt) pt "$2" "$3" ;;
	perf) pt "$2" "$3"; of_perf "$3" ;;
	*) wrong "what is a '$1' section?" ;;
	esac
}

mkdir "$dir/texts" "$dir/got" "$dir/errs" "$dir/pages"
split test/golden/*.t > "$dir/list"
(cd "$dir/pages" && sed -n 's/^page \([0-9]*\) .*/\1/p' ../list | xargs mkdir)
while read -r kind n rest; do
	case $kind in
	page) page "$n" "$rest" ;;
	needs) needs "$n $rest" ;;
	*) [ "$missing" ] || section "$kind" "$n" "$rest" ;;
	esac
done < "$dir/list"
for n in $(diff -rq "$dir/texts" "$dir/got" | sed -n 's/^Files .*\/\([0-9]*\) differ$/\1/p' | sort -n); do
	differs "$n"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
