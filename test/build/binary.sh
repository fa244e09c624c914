#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
#
# ./pt is one static file: without interpreter and dynamic section, and without the path of the
# folder it was built in.

. test/verdict

if command -v readelf > /dev/null; then
	is "there is no interpreter" "$(readelf -lW "$PT" | grep -c INTERP)" 0
	is "there is no dynamic section" "$(readelf -lW "$PT" | grep -c DYNAMIC)" 0
	is "the stack cannot be executed" "$(readelf -lW "$PT" | grep -c 'GNU_STACK.*RWE')" 0
	is "no segment can be written and executed" "$(readelf -lW "$PT" | grep -c 'LOAD.*RWE')" 0
else
	skip "segments: there is no readelf"
fi
is "it does not know where it was built" "$(grep -c "$PWD" "$PT")" 0
is "its configuration has an entry of every option" \
	"$(sed -n 's/^config //p' kconfig/Kconfig | sort)" \
	"$(sed -n 's/^#define CONFIG_\([A-Z0-9_]*\) [01]$/\1/p' "$O"/obj/include/pt/config/*.h | sort)"

finish
