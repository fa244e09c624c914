#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: EXPORT_FOLDED CMD_REPORT LIBELF
#
# pt export counts the same as pt report, for any part of the trace.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
hello="test/golden/hello/perf.data --symfs test/golden/hello/root"

# "NUMBER NAME" of each function; those without a name together.
functions() {
	sed 's/^.*;//; s/^\[[^]]*\] /[unknown] /' | awk '$1 != "[unknown]" || !/\[gap\]/ {
		n[$1] += $2
	} END {
		for (name in n)
			print n[name], name
	}' | sort
}
exported() {
	"$PT" export --folded -i "$@" 2> "$dir/err" | grep -v ';\[gap\] ' | functions
}
reported() {
	"$PT" report --itrace=i1i -s sym -F sample,sym -q -i "$@" 2> /dev/null |
		awk 'NF { print ";" ($3 ~ /^0x/ ? "[unknown]" : $3), $1 }' | functions
}

same() {
	is "as many instructions of each function: $*" "$(exported "$@")" "$(reported "$@")"
}

# shellcheck disable=SC2086 -- options are words
{
	same $hello
	same $hello --comms hello --tid 2
	same $hello --time 30%-60%
	same $hello --symbols main,memcpy
	same $hello --mem 32K
	is "instructions of hello" "$(exported $hello | awk '{ n += $1 } END { print n }')" \
		"$("$PT" script --itrace=i0ns -F ip -i $hello 2> /dev/null | wc -l)"
	is "what it begins with" "$("$PT" export --folded $hello | sed -n 3p)" \
		"$("$PT" export --folded -o "$dir/out" $hello; sed -n 3p "$dir/out")"
	# Time passes between two lines, but not before the trace goes on.
	is "nanoseconds of hello" \
		"$("$PT" export --folded --weight=time $hello | awk '{ n += $NF } END { print n }')" \
		"$("$PT" script --itrace=i0nsb -F time,flags --ns -i $hello | sed 's/[.:]//g' |
			awk 'old && !/tr strt/ { n += $1 - old } { old = $1 } END { print n }')"
}
for t in recursion indirect longjmp signals overflow; do
	[ ! -d "$GEN/$t" ] || same "$GEN/$t/perf.data" --symfs "$GEN/root"
done
if [ -d "$GEN/threads" ]; then
	same "$GEN/threads/perf.data" --symfs "$GEN/root"
	same "$GEN/threads/perf.data" --symfs "$GEN/root" --comms threads -C 0,2
	is "threads are told apart by their commands" "$("$PT" export --folded \
		-i "$GEN/threads/perf.data" --symfs "$GEN/root" 2> /dev/null |
		sed 's/;.*//' | sort -u | tr '\n' ' ')" "threads true worker0 worker1 worker2 worker3 "
else
	skip "several threads: there is no such trace"
fi

# refused WORDS LINE
refused() {
	# shellcheck disable=SC2086
	is "refused: $1" "$("$PT" export $1 2>&1; echo $?)" "$(printf '%s\n1' "$2")"
}
refused '' 'pt: give a format: pt export --folded'
refused '--folded --weight=money' 'pt: --weight is instructions, time or cycles (see pt export --help)'
refused "--folded -i $hello --comms nobody" "pt: --comms nobody: no sample matches in \
test/golden/hello/perf.data; 'pt report -s comm' lists the values"
refused "--folded -i $hello -o /proc/none" 'pt: cannot write /proc/none: No such file or directory'
echo old > "$dir/kept"
refused "--folded -i $dir/none -o $dir/kept" "pt: $dir/none: no such file"
is "the output of before is kept if there is no input" "$(cat "$dir/kept")" old
is "and is replaced if there is one" "$("$PT" export --folded -i $hello -o "$dir/kept"
	"$PT" export --folded -i $hello | cmp - "$dir/kept" 2>&1)" ""
is "a full disk" "$("$PT" export --folded -i $hello -o /dev/full 2>&1; echo $?)" \
	"$(printf 'pt: cannot write /dev/full: No space left on device\n1')"
refused "--folded --no-folded -i $hello" 'pt: give a format: pt export --folded'

finish
