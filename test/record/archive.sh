#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: RECORD_SOFT CMD_ARCHIVE CMD_SCRIPT
#
# pt archive: the copy can be decoded on a machine that has only pt, and is else the same.

. test/verdict

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# refused WHAT WHY ARGUMENTS...
refused() {
	what=$1 why=$2
	shift 2
	"$PT" archive "$@" > "$work/out" 2>&1
	is "$what: status" $? 1
	grep -q "$why" "$work/out" && pass || flunk "$what" "$(cat "$work/out")"
}

"$PT" record -q --soft -o "$work/a.data" ls / > /dev/null
"$PT" archive "$work/a.data" > "$work/out" 2>&1
is "the copy: status" $? 0
is "it says how much" "$(grep -c "a.data.bundle: $(stat -c %s "$work/a.data.bundle") bytes" \
	"$work/out")" 1
"$PT" script --itrace=be -i "$work/a.data" > "$work/home" 2>&1
"$PT" script --itrace=be -i "$work/a.data.bundle" > "$work/copy" 2>&1
is "it decodes to the same" "$(cksum < "$work/copy")" "$(cksum < "$work/home")"
[ "$(wc -l < "$work/home")" -gt 1000 ] && pass || flunk "there is something to decode"
if [ "$(id -u)" = 0 ]; then
	cp "$PT" "$work/pt"
	chroot "$work" /pt script --itrace=be -i /a.data.bundle > "$work/away" 2>&1
	is "it decodes in an empty root" "$(cksum < "$work/away")" "$(cksum < "$work/home")"
else
	skip "only root can change the root"
fi
if command -v perf > /dev/null; then
	for o in '--header-only -I' '--no-itrace --show-mmap-events --show-task-events'; do
		for f in a.data a.data.bundle; do
			# shellcheck disable=SC2086 -- options are words
			perf script $o -i "$work/$f" 2>&1 | grep -v 'captured on' > "$work/$f.perf"
		done
		is "perf reads it: $o" "$(cat "$work/a.data.bundle.perf")" "$(cat "$work/a.data.perf")"
	done
else
	skip "there is no perf"
fi
# perf writes all features after the table, the list of build-ids first.
# shellcheck disable=SC2016 -- the other shell counts
if perf record -q -e cpu-clock:u -o "$work/p.data" sh -c \
	'i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done' > "$work/out" 2>&1 &&
	"$PT" archive "$work/p.data" > "$work/out" 2>&1; then
	is "a recording of perf keeps its build-ids" "$(perf buildid-list -i "$work/p.data.bundle" 2>&1)" \
		"$(perf buildid-list -i "$work/p.data" 2>&1)"
	is "and its samples" "$("$PT" script -i "$work/p.data.bundle" 2>&1)" \
		"$("$PT" script -i "$work/p.data" 2>&1)"
else
	skip "a recording of perf: $(head -n 1 "$work/out")"
fi
refused "again" 'exists already' "$work/a.data"
refused "of a copy" 'contains its code already' "$work/a.data.bundle"
refused "of nothing" 'no such file' "$work/none"
refused "of another file" 'not a perf.data\|cannot\|no perf.data' /bin/ls
head -c 300 "$work/a.data" > "$work/cut.data"
refused "of a cut file" . "$work/cut.data"
[ -e "$work/cut.data.bundle" ] && flunk "nothing is left of it" || pass
"$PT" record -q --soft -o - true > "$work/pipe.data"
refused "of a pipe" 'pipe form' "$work/pipe.data"
mkfifo "$work/fifo"
timeout 60 sh -c 'cat "$1" > "$2"' sh "$work/a.data" "$work/fifo" &
refused "through a pipe" 'it is a pipe; store it' "$work/fifo"
wait
is "from standard input" "$("$PT" archive -o "$work/x" - < "$work/a.data" 2>&1)" \
	"pt: -: it is a pipe; store it in a file first"

(trap '' XFSZ; ulimit -f 8; "$PT" archive -o "$work/full" "$work/a.data") > "$work/out" 2>&1
is "a copy that does not fit: status" $? 1
is "nothing is left of it, either" "$(ls "$work" | grep full)" ''

# A file that is not the recorded one is not in the copy.
cp /bin/true "$work/prog"
"$PT" record -q --soft -o "$work/b.data" "$work/prog"
cp /bin/ls "$work/prog"
"$PT" archive "$work/b.data" > "$work/out" 2>&1
grep -q 'prog: not here, or of another build' "$work/out" && pass ||
	flunk "another build is not taken" "$(cat "$work/out")"
"$PT" archive -q -o "$work/c" "$work/b.data" > "$work/out" 2>&1
is "-q says nothing" "$(cat "$work/out")" ""
finish
