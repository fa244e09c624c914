#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 5
# needs: CMD_STAT
#
# pt stat on this machine: runs, exit status, files, output formats.

. test/stat/judge

# The value of event $1 in CSV.
value() {
	sed -n "s/^\([^,]*\),[^,]*,$1,.*/\1/p"
}

# Exit status.
stat -e cs sh -c 'exit 7' > /dev/null
is "the status is the command's" $? 7
stat -e cs sh -c 'kill -9 $$' > /dev/null
is "a signal is 128 and its number" $? 137
is "a command that is not there is one line" "$(stat -e cs ./not-there; echo $?)" \
	"pt: cannot run './not-there': No such file or directory
127"
is "one that cannot be run ends with 126" "$(stat -e cs ./test > /dev/null; echo $?)" 126

# interrupted SIGNAL COMMAND: count a command and send a signal to pt alone; the status.
interrupted() {
	rm -f "$dir/begun"
	"$PT" stat -n sh -c "echo > '$dir/begun'; $2" > "$dir/said" 2>&1 &
	until [ -s "$dir/begun" ]; do sleep 0.05; done
	kill -$1 $!
	wait $!
	echo $?
}
is "SIGINT to pt alone ends the command, too" "$(interrupted INT 'exec sleep 1000')" 130
is "and the times are printed" "$(grep -c elapsed "$dir/said")" 1
is "under nohup, SIGHUP ends nothing" "$(trap '' HUP; interrupted HUP 'sleep 0.3; exit 5')" 5

# Counting.
is "nothing is counted before exec: true makes the same faults alone and in stat -r" \
	"$(stat -x, -e page-faults true | value page-faults | awk '{ print ($1 > 5 && $1 < 500) }')" 1
is "children are counted" "$(stat -x, -e page-faults sh -c 'true; for i in 1 2 3; do /bin/true; done' |
	value page-faults | awk -v one="$(stat -x, -i -e page-faults \
	sh -c 'true; for i in 1 2 3; do /bin/true; done' | value page-faults)" '{ print ($1 > one) }')" 1
is "a group counts as its events do" \
	"$(stat -x, -e '{page-faults,minor-faults,major-faults}' true |
	awk -F, '{ v[NR] = $1 } END { print NR, v[1] == v[2] + v[3] }')" "3 1"
is "a group counts children too" \
	"$(stat -x, -e '{page-faults,minor-faults,major-faults}' sh -c '/bin/true; /bin/true' |
	awk -F, '{ v[NR] = $1 } END { print NR, v[1] == v[2] + v[3], (v[1] > 100) }')" "3 1 1"
is "time is there without a counter" "$(stat -n true | grep -c 'seconds time elapsed')" 1
is "tool events are in ns" "$(stat -x, -e duration_time,user_time,system_time true | cut -d, -f2,3)" \
	"ns,duration_time
ns,user_time
ns,system_time"

# Runs, intervals, limits.
is "-r gives means and their error" "$(stat -x, -r 3 -e page-faults true | cut -d, -f3,4 | tr 0-9 N |
	sed 's/NN*/N/g')" "page-faults,N.N%"
# A program that starts many others the second time. (How many pages of a large block are touched at
# once differs from run to run.)
cat > "$dir/many" << 'END'
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do /bin/true; done
END
cat > "$dir/vary" << 'END'
read -r n < $1/n
echo $((n + 1)) > $1/n
[ $n = 0 ] || . $1/many
END
echo 0 > "$dir/n"
first=$(stat -x, -e page-faults sh "$dir/vary" "$dir" | value page-faults)
second=$(stat -x, -e page-faults sh "$dir/vary" "$dir" | value page-faults)
echo 0 > "$dir/n"
is "the mean is that of all runs, not the last" \
	"$(stat -x, -r 2 -e page-faults sh "$dir/vary" "$dir" | value page-faults |
	awk -v a="$first" -v b="$second" '{ m = (a + b) / 2; print ($1 > m * .8 && $1 < m * 1.2) }')" 1
is "intervals add up to the whole" "$(stat -x, -I 30 --summary -e task-clock \
	sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done' |
	awk -F, '/^ *[0-9.]*,[0-9]/ { sum += $2 } /^ *summary,/ { all = $2 }
	END { d = sum - all; print (d < .05 && d > -.05 && all > 0) }')" 1
is "--interval-count ends it" "$(stat -x, -I 20 --interval-count 2 -e page-faults sleep 5 | wc -l)" 2
is "--timeout ends it" "$(stat -x, --timeout 20 -e page-faults sleep 5 | grep -c page-faults)" 1
slack=0
now() { date +%s.%N; }
case $(now) in
*N)	# busybox's knows no %N: hundredths
	now() { cut -d' ' -f1 /proc/uptime; }
	slack=0.01
	;;
esac
begin=$(now)
elapsed=$(stat -D 200 sleep 0.25 | awk '/seconds time elapsed/ { print $1 }')
is "time begins when --delay is over" "$(awk "BEGIN { print ($elapsed <= $(now) - $begin - 0.2 + $slack) }")" 1
is "no time is counted where the command ends before the delay" \
	"$(stat -D 20000 sleep 0.01 | awk '/seconds time elapsed/ { print ($1 < 0.01) }')" 1
is "--delay leaves the beginning out" "$(stat -x, -D 20000 -e task-clock sh -c 'sleep 0.02' | cut -d, -f1)" \
	"<not counted>"

# A command beside another target only says how long.
sleep 30 &
sleeper=$!
# Wait until it sleeps: before that it still starts, and has page faults.
until grep -q '^sleep\|^busybox' "/proc/$sleeper/comm" && grep -q '^State:.S' "/proc/$sleeper/status"; do
	sleep 0.01
done
is "-p counts the process, not the command" \
	"$(stat -p $sleeper -e page-faults sh -c : | sed -n 2p; stat -x, -p $sleeper -e page-faults sh -c : | cut -d, -f1)" \
	" Performance counter stats for process id '$sleeper':
<not counted>"
is "-t too" "$(stat -x, -t $sleeper -e page-faults sh -c : | cut -d, -f1)" "<not counted>"
sh -c 'while :; do :; done' &
spinner=$!
until [ "$(cat /proc/$spinner/comm)" = sh ]; do	# it is this shell until its exec
	sleep 0.01
done
# counted OPTION...: the lines, as soon as the spinner ran while it was counted.
counted() {
	for try in 1 2 3 4 5 6 7 8 9 10; do
		stat -x, "$@" -e task-clock sleep 0.5 > "$dir/out"
		awk -F, '$1 + 0 > 0 || $2 + 0 > 0 { ran = 1 } END { exit !ran }' "$dir/out" && break
	done
	cat "$dir/out"
}
is "what runs there is counted" "$(counted -p $spinner | awk -F, '{ print ($1 > 0) }')" 1
is "each thread has its own counter" "$(counted --per-thread -p $sleeper,$spinner |
	awk -F, '{ split($1, row, "-"); print row[1], ($2 + 0 > 0) }' | sort | tr '\n' ' ')" \
	"sh 1 sleep 0 "
kill $sleeper $spinner
is "its status is the command's" "$(stat -p $$ -e page-faults sh -c 'exit 3' > "$dir/out"; echo $?)" 3

# Files.
stat -o "$dir/out" -e page-faults true > "$dir/none"
is "-o says nothing elsewhere" "$(cat "$dir/none")" ""
is "-o says when" "$(sed -n '1s/ on .*//p' "$dir/out")" "# started"
stat -o "$dir/out" --append -x, -e page-faults true
is "--append keeps what is there" "$(grep -c page-faults "$dir/out")" 2
stat --log-fd 5 -x, -e page-faults true 5> "$dir/fd"
is "--log-fd writes there" "$(grep -c page-faults "$dir/fd")" 1
is "--pre and --post run" "$(stat --pre 'echo a' --post 'echo b' -x, -e page-faults true | grep -v page)" \
	"a
b"
mkfifo "$dir/ctl" "$dir/ack"
exec 4<> "$dir/ack"	# the last answer outlives who gave it
for word in enable disable stop; do
	sleep 0.1
	echo $word > "$dir/ctl"
	read -r answer <&4
done &
is "--control switches on and off and stops" "$(stat -x, -a -D -1 --control "fifo:$dir/ctl,$dir/ack" \
	-e cpu-clock | awk -F, '{ print ($1 > 0) }')" 1
wait

# A against B.
is "--diff says what differs" "$(stat --diff -r 3 -x, -e page-faults true \
	"sh $dir/many" | sed -n 's/^page-faults,.*,//p')" differs
is "--diff takes options after its commands" \
	"$(stat -e page-faults --diff true true -r 3 | sed -n 's/^ *3 runs.*/3/p')" 3
is "--diff needs two commands" "$(stat --diff true)" \
	"pt: --diff needs two commands, each one word: 'cmd a' 'cmd b'"

# Wrong words.
is "a wrong event gets the right one" "$(stat -e cycels true)" \
	"pt: -e cycels: no event 'cycels': did you mean cycles?"
is "rows of CPUs want CPUs" "$(stat --per-core true)" "pt: a row for each CPU needs -a or -C"
is "contradictions are told" "$(stat -x, -j true)" "pt: -x and -j exclude each other"

if command -v python3 > /dev/null; then
	for o in "" "-I 20" "-r 2" "-a -A" "-a --per-socket" "-a --metric-only -e cycles,instructions"; do
		stat -j $o sleep 0.05 > "$dir/json"
		python3 -c '
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
sys.exit(not lines)' "$dir/json" && pass || flunk "JSON of stat -j $o: $(head -n 1 "$dir/json")"
	done
else
	skip "JSON: there is no python3"
fi

finish
