#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: long
#
# configs.sh with many more random mixes; and the sizes in prompts.

. test/verdict

is "what kconfig/sizes says of options is so, or 'make sizes-write' corrects it" \
	"$(/usr/bin/python3 kconfig/sizes.py check 2>&1)" ""
[ "$failed" = 0 ] && LONG=1 exec sh test/build/configs.sh
finish
