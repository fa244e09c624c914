#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 4
# needs: RECORD_FILES RECORD_SAMPLES CMD_SCRIPT
#
# pt record --switch-output: several files, each complete.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if ! "$PT" record -q -e cpu-clock -o "$dir/try" true 2> "$dir/out"; then
	skip "nothing can be sampled here: $(head -n 1 "$dir/out")"
	finish
	exit
fi
record() {
	"$PT" record -e cpu-clock -F 5000 -m 16K -o "$dir/data" "$@" > /dev/null 2> "$dir/said"
}
stamp='data\.[0-9]\{16\}'

# Work until there are enough files: how many samples there are in a second differs.
cat > "$dir/work" << 'END'
while [ "$(ls "$1" | grep -c '^data.[0-9]*$')" -lt "$2" ]; do
	i=0
	while [ $i -lt 50000 ]; do i=$((i + 1)); done
done
exit 5
END
record --switch-output=20K sh "$dir/work" "$dir" 3
is "the status is that of the command" $? 5
n=$(ls "$dir" | grep -c "^$stamp$")
is "there are several files" "$((n > 3))" 1
is "each is named when it is complete" "$(grep -c "^\[ pt record: Dump .*/$stamp \]$" "$dir/said")" $n
is "none without a time" "$(ls "$dir" | grep data | grep -v "^$stamp$")" ''
last=$(ls "$dir"/data.* | tail -n 1)
is "each can be read, and knows the program" "$(for f in "$dir"/data.*; do
		"$PT" script -F comm,ip,dso -i "$f" > "$dir/out" 2>&1 || echo "$f: $?"
		[ "$f" = "$last" ] || grep -q 'sh .*(/' "$dir/out" || echo "$f has no map"
	done)" ''
if command -v perf > /dev/null; then
	is "perf reads each as pt does" "$(for f in "$dir"/data.*; do
			"$PT" script -F comm,tid,time,event -i "$f" > "$dir/out" 2>&1
			perf script -f -F comm,tid,time,event -i "$f" 2> /dev/null | cmp - "$dir/out"
		done 2>&1)" ''
else
	skip "perf is not here to judge"
fi
rm -f "$dir"/data*

# There is a third one at the end.
record --switch-output=20K --switch-max-files 2 sh "$dir/work" "$dir" 2
is "there were more" "$(($(grep -c Dump "$dir/said") > 2))" 1
is "only the last ones are kept" "$(ls "$dir" | grep -c "^$stamp$")" 2
is "they are those that were named last" "$(ls "$dir"/data.*)" \
	"$(sed -n 's/^\[ pt record: Dump \(.*\) \]$/\1/p' "$dir/said" | tail -n 2)"
rm -f "$dir"/data*

# The command ends when there are two.
record --switch-output=1s sh -c 'until [ "$(ls "$0" | grep -c "^data.[0-9]*$")" = 2 ]; do
	sleep 0.2
done' "$dir"
is "after a time" "$(($(ls "$dir" | grep -c "^$stamp$") > 2))" 1
rm -f "$dir"/data*

mkfifo "$dir/fifo"
record --switch-output sh -c 'echo > "$1"; sleep 100' sh "$dir/fifo" &
read -r _ < "$dir/fifo"
# The recorder is the parent of the command.
pid=$(pgrep -n -f "record -e cpu-clock -F 5000 -m 16K -o $dir/data --switch-output")
for i in 1 2; do
	kill -USR2 "$pid"
	until [ "$(ls "$dir" | grep -c "^$stamp$")" = $i ] || ! kill -0 "$pid"; do sleep 0.1; done
done
kill -TERM "$pid"
wait
is "at SIGUSR2, and at the end" "$(ls "$dir" | grep -c "^$stamp$")" 3
rm -f "$dir"/data*

record --timestamp-filename true
is "one file with its time" "$(ls "$dir" | grep -c "^$stamp$")" 1

is "not into a pipe" "$("$PT" record -o - --switch-output=1M true 2>&1 | head -n 1)" \
	"pt: --switch-output makes files: it needs -o FILE (see pt record --help)"
is "a size or a time" "$("$PT" record --switch-output=soon true 2>&1)" \
	"pt: --switch-output: signal, a size (10M) or a time (30s, 5m, 1h), not 'soon' (see pt record --help)"
is "the number is for several" "$("$PT" record --switch-max-files 3 true 2>&1)" \
	"pt: --switch-max-files is for --switch-output (see pt record --help)"
is "in software there is one file" "$("$PT" record --soft --switch-output=1M true 2>&1)" \
	"pt: only Intel PT can be split; leave --switch-output out"
finish
