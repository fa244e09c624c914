#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: SOFT_TRANSLATE
#
# Threads that make, change and unmap code together always execute the code that is there. With
# LONG, fifty times.

. test/live/judge

build modified
bad=
i=0
rounds=2
[ "$LONG" ] && rounds=50
while [ $((i += 1)) -le $rounds ]; do
	record soft --soft=translate "$dir/modified" 4 40
	[ "$(cat "$dir/soft.out" "$dir/soft.status")" = "0 wrong
0" ] || bad="$bad$(cat "$dir/soft.out" "$dir/soft.status")"
	rm -f "$dir"/soft.data*
done
is "code that threads change together" "$bad" ''

finish
