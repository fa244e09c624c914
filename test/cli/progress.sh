#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: PROGRESS
#
# How far a command is: on a terminal, and for SIGUSR1.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
hello="$PT script --insn-trace --max-samples 999999 --symfs test/golden/hello/root -i test/golden/hello/perf.data"

# It has begun when the first byte is there, and cannot end before the others are read.
mkfifo "$dir/fifo"
$hello > "$dir/fifo" 2> "$dir/said" &
pid=$!
exec 3< "$dir/fifo"
head -c 1 <&3 > /dev/null
kill -USR1 $pid
cat <&3 > /dev/null
wait $pid
is "SIGUSR1 does not end it" $? 0
exec 3<&-
is "it tells how far it is" \
	"$(sed 's/[0-9.]* MB/N MB/; s/[0-9][0-9]* /N /g' "$dir/said")" "pt: N %, N MB/s, N s left"

if python3 -c 'import pty' 2> /dev/null; then
	# shown OPTIONS: what is on the terminal; the output is read after the first second
	shown() {
		TERM=linux test/cli/on_terminal sh -c "$hello $1 | (sleep 2; cat > /dev/null)"
	}
	is "on a terminal it is shown after a second, and wiped away" \
		"$(shown | tr '\r\033' '#E' | sed 's/[0-9.]* MB/N MB/g; s/[0-9][0-9]* /N /g
			s/#pt: N %, N MB.s, N s leftE\[K//g')" '#E[K'
	is "--no-eta: nothing" "$(shown --no-eta)" ''
	{
		echo 'psb; mode.exec 64; fup 0x1000; psbend'
		for i in $(seq 300); do echo 'tip 0x1000'; done
	} | "$O/obj/ptasm" > "$dir/slow"
	printf '\377\340\364' > "$dir/jump"	# jmp *%rax
	# summed OPTIONS: of a report, which prints when it has read all
	summed() {
		TERM=linux test/cli/on_terminal sh -c "(cat '$dir/slow'; sleep 1.3; cat '$dir/slow') |
			$PT report -i - --map '$dir/jump@0x1000' --itrace=i1i $1" |
			tr '\r\033' '#E' | sed -n 's/\(#pt: \)[0-9]* s so farE\[K/\1N s so farE[K/g
				s/^\(#pt: N s so farE\[K\)\1*#E\[K.*/\1#E[K/p'
	}
	if "$PT" report --help > /dev/null 2>&1; then
		is "pt report shows it beside its output" "$(summed)" '#pt: N s so farE[K#E[K'
		is "unless it is told not to" "$(summed --no-eta; summed -q)" ''
	else
		skip "progress of a report: not in this build"
	fi
	# The recording, and so its reader, waits.
	if "$PT" export --help 2> /dev/null | grep -q folded &&
	   "$PT" --version -v | grep -q RECORD_SOFT=y; then
		is "pt export -o shows it, too" "$(TERM=linux test/cli/on_terminal \
			sh -c "$PT record -q -o - --soft sh -c 'sleep 2.5; :' 2> /dev/null |
			$PT export --folded -o $dir/stacks -i -" | tr '\r\033' '#E' | sed 's/[0-9] s/N s/
			s/\(E\[K\).*/\1/; q')" '#pt: N s so farE[K'
	else
		skip "progress of an export: not in this build"
	fi
	is "nor on a dumb one" "$(TERM=dumb test/cli/on_terminal \
		sh -c "$hello | (sleep 2; cat > /dev/null)")" ''
else
	skip "terminals: there is no python3"
fi

# A call of what is not there.
echo 'psb; mode.exec 64; fup 0x1000; psbend; tnt N; tip 0x9000; tnt N' | "$O/obj/ptasm" > "$dir/gap"
printf '\220\220\377\340' > "$dir/code"
for command in script annotate 'export --folded'; do
	needed=$(echo "CMD_$command" | tr a-z A-Z | sed 's/.* --/EXPORT_/')
	"$PT" --version -v | grep -q "CONFIG_$needed=y" || {
		skip "$command -q: not in this build"
		continue
	}
	is "$command counts gaps" "$($PT $command --map "$dir/code@0x1000" -i "$dir/gap" 2>&1 |
		grep -c '1 gap in the trace')" 1
	is "$command -q does not" "$($PT $command -q --map "$dir/code@0x1000" -i "$dir/gap" \
		2>&1 > /dev/null; echo $?)" 0
done
echo 'psb; mode.exec 64; fup 0x1000; psbend; tnt N' | "$O/obj/ptasm" > "$dir/gap"
is "-q: an empty output has its reason" "$("$PT" script -q --itrace=b "$dir/gap" 2>&1; echo $?)" \
	"$("$PT" script --itrace=b "$dir/gap" 2>&1; echo $?)"

# pt record
if "$PT" --version -v | grep -q CONFIG_RECORD_SOFT=y; then
	numbers='s/, [0-9.]* x untraced CPU time//g; s/[0-9.]* M/N M/g; s/[0-9][0-9]* s/N s/g; s/pt: N s, N M branches, /pt: N s, /g'
	$PT record -q -o "$dir/data" sh -c 'echo > "$1/begun"; sleep 100' sh "$dir" 2> "$dir/said" &
	pid=$!
	until [ -e "$dir/begun" ] || ! kill -0 $pid 2> /dev/null; do sleep 0.1; done
	kill -USR1 $pid
	until [ -s "$dir/said" ] || ! kill -0 $pid 2> /dev/null; do sleep 0.1; done
	kill -TERM $pid
	wait $pid
	is "record: it goes on after SIGUSR1" $? 143
	is "and tells how far it is" "$(sed "$numbers" "$dir/said")" "pt: N s, N MB"
	if "$PT" --version -v | grep -q SOFT_TRANSLATE=y && [ -r /proc/$$/task/$$/children ]; then
		rm "$dir/begun"
		$PT record -q --soft -o "$dir/data" sh -c 'echo > "$1/begun"; while :; do :; done' \
			sh "$dir" 2> "$dir/said" &
		pid=$!
		until [ -e "$dir/begun" ] || ! kill -0 $pid 2> /dev/null; do sleep 0.1; done
		while kill -0 $pid 2> /dev/null && ! grep -q untraced "$dir/said"; do
			kill -USR1 $pid
			sleep 0.1
		done
		kill -TERM $pid
		wait $pid
		is "and how much slower the command is" "$(sed -n 's/.*MB, [0-9]*\.[0-9] /N /p' \
			"$dir/said" | sort -u)" "N x untraced CPU time"
	fi
	if python3 -c 'import pty' 2> /dev/null; then
		record() {
			TERM=linux test/cli/on_terminal sh -c \
				"$PT record $1 -o $dir/data sleep 1.3 $2" | tr '\r\033' '#E' |
				sed "$numbers" | sed -n '/^#/s/\[ pt record.*//p'
		}
		is "record: shown on a terminal, and erased at the end" \
			"$(record '' '> /dev/null' | sed 's/\(#pt: N s, N MBE.K\)\1*/+/')" '+#E[K'
		is "not if the command has the terminal" "$(record '' '')" ''
		is "nor with -q" "$(record -q '> /dev/null')" ''
	fi
else
	skip "progress of a recording: not in this build"
fi
finish
