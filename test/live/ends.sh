#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 10
# needs: RECORD_SOFT CMD_SCRIPT
#
# How a recording ends: with its command, by a signal, after its time, or before it begins.

. test/live/judge

# What did not begin leaves no file, and the last one where it is.
echo last > "$dir/kept"
"$PT" record -q --soft -o "$dir/kept" /nonexistent 2> /dev/null
is "a command that is not there keeps the last file" "$? $(cat "$dir/kept")" "127 last"
"$PT" record -q --soft -o "$dir/kept" -p 999999999 2> /dev/null
is "a process that is not there keeps the last file" "$? $(cat "$dir/kept")" "1 last"
is "and makes no other" "$(ls "$dir" | grep kept)" kept
"$PT" record -q --soft -o "$dir/kept" true
is "a recording that began moves it to .old" "$(cat "$dir/kept.old")" last

"$PT" record --soft -o "$dir/kept" true 2> "$dir/said"
is "how long it took, and how much slower that was, is said" "$(grep -cE \
	'^\[ pt record: It took [0-9.]+ s(: [0-9.]+ million inst.* each|, [0-9.]+ M branches, [0-9.]+ x untraced CPU time) \]$' \
	"$dir/said")" 1
# The time of the command beside -p is not compared: that once said 1,000 to 20,000 x slower.
sh -c 'while :; do :; done' &
"$PT" record --soft -p $! -o "$dir/kept" sleep 0.3 2> "$dir/said"
kill $!
is "of an attached program, too" "$(grep -cE '^\[ pt record: It took' "$dir/said") $(sed -nE \
	's/.* ([0-9]+)\.[0-9] x untraced.*/\1/p' "$dir/said" | awk '$1 > 100')" "1 "

"$PT" record -q --soft --for 100ms -o "$dir/for.data" sleep 100
is "--for ends with 0" $? 0

# sent SIGNAL TIME: to a recording of a process; its status, and that of the file and the process
sleep 1000 &
target=$!
sent() {
	"$PT" record --soft -p $target --for "$2" -o "$dir/sent.data" 2> "$dir/sent.said" &
	until grep -q "^TracerPid:.[1-9]" /proc/$target/status && [ -s "$dir/sent.data" ]; do
		kill -0 $! || break
		sleep 0.05
	done
	kill -"$1" $!
	wait $!
	echo $? $("$PT" script -i "$dir/sent.data" --itrace=e 2>&1) \
		$(grep -c Captured "$dir/sent.said")
	rm "$dir/sent.data"
}
# With PROGRESS, SIGUSR1 prints how far it is.
"$PT" --version -v | grep -q CONFIG_PROGRESS=y && usr1= || usr1=138=USR1
for status in 143=TERM 131=QUIT $usr1 129=HUP; do
	is "SIG${status#*=} ends a recording well" "$(sent ${status#*=} 60s)" "${status%=*} 1"
done
for signal in ALRM PIPE USR2; do
	is "SIG$signal does not end a recording" "$(sent $signal 2s)" "0 1"
done
kill -0 $target
is "the process goes on" $? 0
kill $target

# interrupted SIGNAL COMMAND: record a command and send a signal to pt alone; the status.
interrupted() {
	rm -f "$dir/begun"
	"$PT" record -q --soft -o "$dir/sent.data" sh -c "echo > '$dir/begun'; $2" &
	until [ -s "$dir/begun" ]; do sleep 0.05; done
	kill -$1 $!
	wait $!
	echo $?
}
is "a command that ignores SIGINT, as after '&' in a script, is ended" \
	"$(interrupted INT 'exec sleep 1000')" 130
is "the status is that of the signal, whatever the command makes of it" \
	"$(interrupted TERM 'trap "exit 7" TERM; while :; do sleep 0.01; done')" 143
is "under nohup, SIGHUP does not end a recording" \
	"$(trap '' HUP; interrupted HUP 'sleep 0.3; exit 5')" 5

# Calls that were interrupted by attaching and detaching are made again.
build waits
mkfifo "$dir/go"
"$dir/waits" < "$dir/go" > "$dir/waits.out" &
exec 3> "$dir/go"
until [ -s "$dir/waits.out" ]; do sleep 0.05; done
for pid in $(tr , ' ' < "$dir/waits.out"); do
	until grep -q '^State:.S' /proc/$pid/status; do sleep 0.05; done
done
"$PT" record -q --soft -p "$(cat "$dir/waits.out")" --for 300ms -o "$dir/waits.data"
exec 3>&-
wait
is "what waited goes on waiting" "$(tail -n 1 "$dir/waits.out")" '1 12 0 1 '

# One thread of several; ptrace in what is recorded is told of.
build threads_of
"$dir/threads_of" < "$dir/go" &
target=$!
exec 3> "$dir/go"
until [ "$(ls /proc/$target/task | wc -l)" = 2 ]; do sleep 0.05; done
"$PT" record -q --soft=step -t $target --for 100ms -o "$dir/one.data"
is "-t of one thread of two can be stepped" "$?" 0
"$PT" record -q --soft -t "$(ls /proc/$target/task | paste -sd ,)" --for 100ms \
	-o "$dir/both.data"
is "-t of both can be recorded" $? 0
exec 3>&-
wait $target
is "the process is unharmed" $? 0
"$PT" record -q --soft -o "$dir/traceme.data" "$dir/threads_of" < /dev/null 2> "$dir/traceme.said"
is "ptrace in what is recorded is told of" "$? $(grep -c 'uses ptrace' "$dir/traceme.said")" '0 1'

# Ctrl-C, which the command may see first.
if python3 -c 'import pty' 2> /dev/null; then
	for i in 1 2 3 4 5 6; do
		test/cli/on_terminal -c go -o "$dir/end" "$PT" record --soft -o "$dir/int.data" \
			sh -c 'echo go; exec sleep 100' > "$dir/shown"
		echo $(cut -d ' ' -f 1 "$dir/end") $(grep -c Captured "$dir/shown")
	done | sort | uniq -c > "$dir/ends"
	is "Ctrl-C always ends it with 130 and the last line" "$(cat "$dir/ends")" \
		"$(printf '%7d %s' 6 '130 1')"
else
	skip "Ctrl-C: there is no python3"
fi

finish
