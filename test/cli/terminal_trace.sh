#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 4
# needs: CMD_TRACE RECORD_SOFT CONSOLE
#
# pt trace on a terminal that takes 11,520 bytes a second, as 115200 baud does.

. test/verdict

if ! python3 -c 'import pty' 2> /dev/null; then
	skip "terminals: there is no python3"
	finish
	exit
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
slow='test/cli/on_terminal -r 11520'

if ! "$PT" trace true > "$dir/shown" 2> "$dir/err"; then
	skip "pt trace: $(tail -n 1 "$dir/err")"
	finish
	exit
fi
is "what goes into a file is there to its end" "$(wc -l < "$dir/shown")" \
	"$(sed -n 's/^pt: \([0-9]*\) lines.*/\1/p' "$dir/err")"

timeout -s INT 5 "$PT" trace sleep 100 > "$dir/shown" 2> "$dir/err"
is "one stop does not drop what goes into a file" "$(wc -l < "$dir/shown")" \
	"$(sed -n 's/^pt: \([0-9]*\) lines.*/\1/p' "$dir/err")"

# stopped WHAT: no more was shown after Ctrl-C than half a second takes; and that is said.
stopped() {
	read -r status seconds bytes < "$dir/end"
	is "$1: Ctrl-C ends it" "$status" 130
	is "$1: after half a second, by the terminal's speed" \
		"$([ "${bytes:-99999}" -lt 5860 ] || echo "$bytes bytes, $seconds s")" ""
	is "$1: it says how much was dropped" "$(tail -n 1 "$dir/shown" |
		sed 's/[0-9][0-9]* kB/N kB/')" "pt: stopped: about N kB of trace were dropped, not printed"
}

$slow -c ' ' -o "$dir/end" "$PT" trace ls / > "$dir/shown"
stopped "a command that has ended"
# But for the one that was cut.
none "its lines fit" "$(head -n -3 "$dir/shown" | awk 'length > 80 || /[ \t]$/' | head -n 3)"
$slow -c ' ' -o "$dir/end" "$PT" trace sleep 30 > "$dir/shown"
stopped "a command that goes on"
$slow -c go -o "$dir/end" "$PT" trace sh -c 'trap "" INT; echo go; exec sleep 3' > "$dir/shown"
stopped "a command that does not care"

long=$dir/$(printf '%0200d' 0)
cp /bin/true "$long"
test/cli/on_terminal -o "$dir/end" "$PT" trace "$long" > "$dir/shown"
is "a file with a long name is traced" "$(cut -d ' ' -f 1 "$dir/end")" 0
is "its name is cut" "$(grep -c '(0*\.\.)$' "$dir/shown" | sed 's/^[1-9].*/some/')" some
none "lines fit then, too" "$(awk 'length > 80' "$dir/shown" | head -n 3)"
finish
