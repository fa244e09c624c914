#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 15
# needs: SOFT_TRANSLATE CMD_SCRIPT
#
# Where the kernel has written INT3 over instructions (uprobes), programs run on, in the code cache
# or by single steps, and the recording has the instructions that the file has.

. test/live/judge

events=/sys/kernel/tracing/uprobe_events
group=ptlive$$
if [ ! -w $events ] || ! command -v nm readelf > /dev/null; then
	skip "uprobes: this machine lets nobody add one"
	finish
	exit
fi

switch() {
	echo $1 > /sys/kernel/tracing/events/$group/enable
}
remove() {
	[ -d /sys/kernel/tracing/events/$group ] || return
	switch 0
	grep ":$group/" $events | sed 's/^[pr]:\([^ ]*\) .*/-:\1/' > "$dir/old"
	while read -r line; do echo "$line" >> $events; done < "$dir/old"
}
trap 'remove; rm -rf "$dir"' EXIT

# add KIND SYMBOL: p (where it is) or r (where the function returns)
add() {
	address=$(nm "$dir/probed" | awk -v s="$2" '$3 == s { print "0x" $1 }')
	readelf -lW "$dir/probed" | awk '$1 == "LOAD" { print $2, $3, $5 }' | {
		while read -r off at size; do
			[ $((address - at)) -ge 0 ] && [ $((address - at)) -lt $((size)) ] || continue
			printf '%s:%s/%s %s:0x%x\n' $1 $group $2 "$dir/probed" \
				$((address - at + off)) >> $events
		done
	}
}
hits() {
	awk -v f="$dir/probed" '$1 == f { n += $NF } END { print n + 0 }' \
		/sys/kernel/tracing/uprobe_profile
}

build probed
for i in 1 2 3 4 5 6; do
	add p place_$i
done 2> /dev/null
if [ ! -d /sys/kernel/tracing/events/$group ] || ! switch 1; then
	skip "uprobes: this kernel adds none"
	finish
	exit
fi
"$dir/probed" > /dev/null
is "the probes fire without pt" "$(($(hits) > 10000))" 1

like_untraced "$dir/probed"
record soft --soft=translate "$dir/probed"
is "it is translated" "$(cat "$dir/soft.out" "$dir/soft.status") $(grep steps "$dir/soft.said")" \
	"1500000
1500000
5 pt made 0 single steps"
is "pt reads the file, not the probes" "$("$PT" script -i "$dir/soft.data" --itrace=e 2>&1)" ''
switch 0
no_gaps "a program with probes"
switch 1
record step --soft=step "$dir/probed"
is "it runs by single steps" "$(cat "$dir/step.out" "$dir/step.status")" "1500000
1500000
5"

# attached NAME: to a program that has begun
attached() {
	"$dir/probed" 4 > "$dir/$1.out" &
	target=$!
	sleep 0.5
	timeout -k 10 300 "$PT" record -q --soft=translate -o "$dir/$1.data" -p $target --for 500ms \
		2> "$dir/$1.said"
	is "$1: attaching" "$? $("$PT" script -i "$dir/$1.data" --itrace=e 2>&1)" '0 '
	wait $target
	is "$1: the program goes on" "$? $(cat "$dir/$1.out")" "5 1500000
1500000"
}
attached probes
remove
add r waits
switch 1
attached returns
finish
