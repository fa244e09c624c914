#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: RECORD_SOFT BUNDLE CMD_SCRIPT
#
# A bundle can be decoded on a machine that has only pt: names and code are the same.

. test/verdict

if [ "$(id -u)" != 0 ]; then
	skip "bundle: only root can change the root"
	finish
	exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$PT" "$work/pt"
"$PT" record -q --soft --bundle -o "$work/b.data" ls / > /dev/null
"$PT" script --itrace=be -i "$work/b.data" > "$work/home" 2>&1
chroot "$work" /pt script --itrace=be -i /b.data > "$work/away" 2>&1
is "a bundle decodes in an empty root" "$(cksum < "$work/away")" "$(cksum < "$work/home")"
[ "$(wc -l < "$work/home")" -gt 1000 ] && pass || flunk "there is something to decode"
if command -v perf > /dev/null; then
	perf buildid-list -i "$work/b.data" > "$work/ids" 2>&1
	is "perf takes the file" $? 0
	grep -q ' /.*/ls$' "$work/ids" && pass || flunk "perf sees its build-ids"
else
	skip "bundle: there is no perf"
fi
finish
