#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: EXPORT_CHROME EXPORT_FOLDED LIBELF
#
# pt export --chrome: JSON whose calls nest on each track, and have the instructions and the time
# that --folded counts.

. test/export/common

# shellcheck disable=SC2086 -- options are words
as_folded() {
	what=$1
	shift
	export_as chrome "$@"
	is "$what: it ends well" "$?" 0
	export_as folded "$@"
	is "$what: instructions of each function" "$(read_as chrome "$dir/chrome")" \
		"$(sed '/\[gap\]/d' "$dir/folded" > "$dir/no_gaps"; read_as folded "$dir/no_gaps")"
	export_as folded --weight=time "$@"
	is "$what: time of each function" \
		"$(read_as chrome_time "$dir/chrome" | grep -v '\[' | awk '$1 { print $1, $3 }')" \
		"$(read_as folded "$dir/folded" | grep -v '\[' | awk '$1 { print $1, $3 }')"
}

# shellcheck disable=SC2086
{
	as_folded hello $hello
	as_folded "some of hello" $hello --time 1158.470275,1158.47028
	as_folded "one function" $hello --symbols main,memcpy
	hurt_names
	export_as chrome $hostile
	is "any name is a string of JSON" "$(read_as chrome "$dir/chrome" | grep '^[0-9]* [0-9]* .a')" \
		"$(read_as folded "$dir/no_gaps" > /dev/null; export_as chrome $hello
		read_as chrome "$dir/chrome" | sed -n "s/'printf_core'/'a\"<\\\\\\\\\\\\n\\\\x01\&\\\\xe9\\\\ufffd;'/p")"
	export_as chrome --weight=instructions $hello
	is "by instructions: calls begin and end where they were counted" \
		"$(read_as chrome_time "$dir/chrome" | grep -v '\[not')" \
		"$(read_as chrome "$dir/chrome")"
	export_as chrome --per-cpu $hello
	is "which thread each CPU ran" "$(grep '"pid":4194305' "$dir/chrome" |
		sed 's/.*"ph":"\(.\)".*"name":"\([^"]*\)"}.*/\1 \2/; s/.*"ph":"E".*/E/')" \
		"$(printf 'M CPUs\nM CPU 0\nB hello/10018\nE')"
	is "the other tracks are the same" "$(grep -v '"pid":4194305' "$dir/chrome")" \
		"$(export_as chrome $hello; cat "$dir/chrome")"
	is "not of formats without time" "$("$PT" export --folded --per-cpu $hello 2>&1)" \
		"pt: --per-cpu is for --chrome and --perfetto"
	if record_threads; then
		as_folded threads $threads
		is "a track for each thread" "$(grep -c thread_name "$dir/chrome")" \
			"$("$PT" script --itrace=i100i -F tid $threads 2> /dev/null | sort -u | wc -l)"
	else
		skip "several threads: nothing can be recorded here"
	fi
	is "no weight that has no times" "$("$PT" export --chrome --weight=cycles $hello 2>&1)" \
		"pt: --chrome: --weight is time or instructions"
}
finish
