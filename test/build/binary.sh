#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
#
# ./pt is one static file: without interpreter and dynamic section, without the path of the folder
# it was built in, and not larger than promised. Files of one folder do not call each other in a circle.

. test/verdict

if command -v readelf > /dev/null; then
	is "there is no interpreter" "$(readelf -lW "$PT" | grep -c INTERP)" 0
	is "there is no dynamic section" "$(readelf -lW "$PT" | grep -c DYNAMIC)" 0
	is "the stack cannot be executed" "$(readelf -lW "$PT" | grep -c 'GNU_STACK.*RWE')" 0
	is "no segment can be written and executed" "$(readelf -lW "$PT" | grep -c 'LOAD.*RWE')" 0
else
	skip "segments: there is no readelf"
fi
# Other compilers, and flags of the user, make other sizes.
limit() {
	cmp -s "kconfig/$1.config" "$O/.config" || return
	if [ "$(gcc -dumpversion 2> /dev/null)$CFLAGS$LDFLAGS" != 12 ]; then
		skip "the size of $1: made for gcc 12 without CFLAGS and LDFLAGS"
	else
		is "$1 has at most $2 bytes" "$(($(wc -c < "$PT") <= $2))" 1
	fi
}
limit full $((512 << 10))
limit rescue $((400 << 10))
limit tiny $((40 << 10))

is "it does not know where it was built" "$(grep -c "$PWD" "$PT")" 0
is "its configuration has an entry of every option" \
	"$(sed -n 's/^config //p' kconfig/Kconfig | sort)" \
	"$(sed -n 's/^#define CONFIG_\([A-Z0-9_]*\) [01]$/\1/p' "$O"/obj/include/pt/config/*.h | sort)"

# A file of these folders calls only files that are below it; src/decode/flow.h draws those of
# src/decode. Only the files of the recorder in software (src/record/soft_*, trans_*) call each
# other.
for room in base perf image decode session record synth print cmd; do
	if [ ! -e "$O/obj/src/decode/flow.o" ] || ! command -v nm > /dev/null ||
	   ! command -v tsort > /dev/null; then
		skip "circles: this build decodes nothing, or there is no nm or tsort"
		break
	fi
	none "no files of src/$room call each other in a circle" \
		"$(nm -A "$O"/obj/src/$room/*.o | awk '
		{ file = $1; sub(/:.*/, "", file); sub(/.*[/]/, "", file) }
		file ~ /^(record_soft|soft_|trans)/ { file = "soft" }
		$(NF - 1) ~ /^[BDRTVW]$/ { home[$NF] = file }
		$(NF - 1) == "U" { from[++n] = file; name[n] = $NF }
		END { for (i = 1; i <= n; i++) if (name[i] in home) print from[i], home[name[i]] }' |
		tsort 2>&1 > /dev/null)"
done

finish
