#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: SANDBOX CMD_DUMP
#
# Commands that read files give up all other rights before they open one.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkfifo "$dir/fifo"

if ! grep -q '^Seccomp:' /proc/self/status 2> /dev/null; then
	skip "this kernel has no seccomp"
	finish
	exit
fi

# field NAME: of the reader of the FIFO, once it is in its sandbox
field() {
	for try in $(seq 300); do
		value=$(sed -n "s/^$1:[[:space:]]*//p" "/proc/$reader/status")
		[ "$value" = 0 ] || break
		sleep 0.1
	done
	echo "$value"
}

"$PT" -D "$dir/fifo" > /dev/null 2>&1 &
reader=$!
is "pt -D has a filter of system calls" "$(field Seccomp)" 2
is "pt -D gets no more rights" "$(field NoNewPrivs)" 1
: > "$dir/fifo"
wait
finish
