#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CMD_STAT STAT_MORE
#
# pt stat -M, --topdown, --for-each-cgroup, --cputype, --table, --interval-clear.

. test/stat/judge

is "a metric counts its events" "$(stat -x, -M faults,cpus true | cut -d, -f3 | tr '\n' ' ')" \
	"faults task-clock task-clock "
is "an unknown metric is one line with the names" \
	"$(stat -M nix true | sed 's/there are.*/there are/')" "pt: -M nix: unknown metric; there are"
if "$PT" stat -a -e cs -G / true > /dev/null 2>&1; then
	is "events are counted in each cgroup, one after the other" \
		"$(stat -x, -a -e cs,faults --for-each-cgroup /,/ true | cut -d, -f3,4 | tr '\n' ' ')" \
		"cs,/ faults,/ cs,/ faults,/ "
	is "a group stays one in each cgroup" \
		"$(stat -x, -a -e '{cs,faults}' --for-each-cgroup /,/ true | wc -l)" 4
else
	skip "cgroups: this machine lets nobody count all of it"
fi
is "cgroups are those of a machine" "$(stat --for-each-cgroup / true)" \
	"pt: --for-each-cgroup needs -a or -C"
is "either all events, or some" "$(stat -a -e cs -G / --for-each-cgroup / true)" \
	"pt: -G and --for-each-cgroup exclude each other"
is "there are no CPUs of an unknown type" "$(stat --cputype nix true)" \
	"pt: --cputype nix: there are no CPUs of this type"
is "--table has a line for each run" "$(stat -r 4 --table -e cs true | grep -c '^ *[0-9.]* ([-+][0-9.]*) #')" 4
is "--table is for repeated runs" "$(stat --table true)" \
	"pt: --table needs -r: it has a line for each run"
is "--interval-clear clears the screen before each table" \
	"$(stat -e cs -I 50 --interval-count 3 --interval-clear sleep 10 | tr -cd '\033' | wc -c)" 6
is "a file is not cleared" "$(stat -I 50 --interval-clear -o /dev/null true)" \
	"pt: --interval-clear needs -I, and excludes -o and --log-fd"
finish
