#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
#
# Which files and pipes pt -D accepts as a trace.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if ! "$PT" -D --help > /dev/null 2>&1; then
	echo "SKIP this build has no pt -D"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi

echo 'psb; tsc 1; psbend; tnt TNT; tip 0x401000' | "$O/obj/ptasm" > "$dir/trace"
"$PT" -D "$dir/trace" > "$dir/lines"
head -c 100000 /dev/zero > "$dir/zeros"
cat "$dir/zeros" "$dir/trace" > "$dir/late"
printf '\177ELF' | cat - "$dir/trace" > "$dir/program"
none='not a trace: no perf.data header and no PSB packet'

is "-i says the file, too" "$("$PT" -D -i "$dir/trace")" "$(cat "$dir/lines")"
is "a pipe prints as a file does" "$(cat "$dir/trace" | "$PT" -D -)" "$(cat "$dir/lines")"
is "so it does in small pieces" "$( (head -c 3; sleep 0.1; cat) < "$dir/trace" | "$PT" -D -)" \
	"$(cat "$dir/lines")"
is "a file is printed from its start" "$("$PT" -D "$dir/late" | wc -l | tr -d ' ')" 12505
is "a pipe is printed from its first PSB" "$(cat "$dir/late" | "$PT" -D - 2> "$dir/err" | head -n 1)" \
	".  000186a0:  $(cut -c15- "$dir/lines" | head -n 1)"
is "and says so" "$(cat "$dir/err")" \
	"pt: -: the first 100000 bytes contain no PSB packet and are skipped"
is "zeros are no trace" "$("$PT" -D "$dir/zeros" 2>&1)" "pt: $dir/zeros: $none"
is "a program is no trace" "$("$PT" -D "$dir/program" 2>&1)" "pt: $dir/program: $none"
is "an empty file is no trace" "$("$PT" -D /dev/null 2>&1)" "pt: /dev/null: the file is empty"
is "endless zeros end" "$(timeout 20 "$PT" -D /dev/zero 2>&1)" "pt: /dev/zero: $none"
"$PT" -D "$dir/trace" > /dev/full 2> "$dir/err"
is "a full disk is a failure" "$?:$(cat "$dir/err")" "1:pt: cannot write: No space left on device"

# Options of pt script work: its own help is the table of them.
hello=test/golden/hello/perf.data
if "$PT" script --help > /dev/null 2>&1; then
	is "--no-itrace leaves packets out" "$("$PT" -D --no-itrace "$hello" | grep -c '^\.  0.*PSB$')" 0
	is "but no record" "$("$PT" -D --no-itrace "$hello" | grep -c PERF_RECORD_)" \
		"$("$PT" -D "$hello" | grep -c PERF_RECORD_)"
	is "--header prints the header first" "$("$PT" -D --header "$hello")" \
		"$("$PT" script --header-only -i "$hello"; "$PT" -D "$hello")"
	is "--show-mmap-events adds their lines" \
		"$("$PT" script -D --show-mmap-events -i "$hello" | grep -c '^ .*: PERF_RECORD_MMAP')" \
		"$("$PT" script --no-itrace --show-mmap-events -i "$hello" | wc -l)"
	is "pt -D takes what pt script -D takes" "$("$PT" -D --show-mmap-events -i "$hello")" \
		"$("$PT" script -D --show-mmap-events -i "$hello")"
	is "and refuses what that refuses" "$("$PT" -D --foo 2>&1 | sed 's/; .*)$/)/')" \
		"pt: unknown option --foo (see pt -D --help)"
fi
finish
