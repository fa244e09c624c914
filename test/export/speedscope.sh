#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 5
# needs: EXPORT_SPEEDSCOPE EXPORT_FOLDED LIBELF
#
# pt export --speedscope: JSON of the form that speedscope says, with what --folded has.

. test/export/common

# shellcheck disable=SC2086 -- options are words
as_folded() {
	what=$1
	shift
	export_as speedscope "$@"
	is "$what: it ends well" "$?" 0
	export_as folded "$@"
	is "$what: each function" "$(read_as speedscope "$dir/speedscope")" \
		"$(read_as folded "$dir/folded")"
}

# shellcheck disable=SC2086
{
	as_folded hello $hello
	as_folded "hello by time" $hello --weight=time
	is "one thread has one profile, by its name" "$(sed -n 's/.*"sampled","name":\("[^"]*"\).*/\1/p' \
		"$dir/speedscope")" '"hello (10018)"'
	hurt_names
	export_as speedscope $hostile
	is "any name is a string of JSON" "$(read_as speedscope "$dir/speedscope" | grep ' .a"')" \
		"10996 16806 'a\"<\\\\\\n\\x01&\\xe9\\ufffd;'"
	if record_threads; then
		as_folded threads $threads
		is "a profile for each thread" "$(grep -c '"sampled"' "$dir/speedscope")" \
			"$("$PT" script --itrace=i0ns -F tid $threads 2> /dev/null | sort -u | wc -l)"
	else
		skip "several threads: nothing can be recorded here"
	fi
}
finish
