#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: long
# needs: SOFT_TRANSLATE CMD_SCRIPT
#
# The soft recorder on large programs.

. test/live/judge

big() {
	if [ -x "$(command -v "$1")" ]; then
		like_untraced "$@"
	else
		skip "$1: not here"
	fi
}

big python3 -c 'import json, threading; print(json.dumps([1, 2.5]), threading.active_count())'
no_errors python3
big gdb --batch -ex 'print 1 + 1'
no_errors gdb
big node -e 'console.log([1, 2, 3].map(x => x * x).join())'
finish
