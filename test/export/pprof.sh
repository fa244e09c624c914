#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 6
# needs: EXPORT_PPROF EXPORT_FOLDED LIBELF
#
# pt export --pprof: a profile as protoc and pprof read it, with what --folded has.

. test/export/common

if ! command -v protoc > /dev/null; then
	skip "there is no protoc"
	finish
	exit
fi
# shellcheck disable=SC2086 -- options are words
as_folded() {
	what=$1
	shift
	export_as pprof "$@"
	is "$what: it ends well" "$?" 0
	text_of pprof
	is "$what: protoc reads it" "$?" 0
	export_as folded "$@"
	is "$what: instructions of each function" "$(read_as pprof "$dir/text")" \
		"$(read_as folded "$dir/folded")"
	export_as folded --weight=time "$@"
	is "$what: time of each function" "$(read_as pprof_time "$dir/text")" \
		"$(read_as folded "$dir/folded")"
}

# shellcheck disable=SC2086
{
	as_folded hello $hello
	if "$PT" --version -v | grep -q CONFIG_DEFLATE=y; then
		is "it is compressed" "$(gzip -t "$dir/pprof" 2>&1; echo $?)" 0
	fi
	hurt_names
	export_as pprof $hostile
	text_of pprof
	is "any name is UTF-8" "$(read_as pprof "$dir/text" | grep ' .a"')" \
		"10996 16806 'a\"<\\\\\\n\\x01&\\xe9\\ufffd;'"
	if record_threads; then
		as_folded threads $threads
		is "each sample has the label of its thread" "$(read_as pprof_threads "$dir/text")" \
			"$("$PT" script --itrace=i0ns -F comm,tid $threads 2> /dev/null |
			awk '{ n[$1 " (" $2 ")"]++ } END { for (t in n) print n[t], n[t], "\047" t "\047" }' |
			LC_ALL=C sort -k 3)"
	else
		skip "several threads: nothing can be recorded here"
	fi
	if command -v go > /dev/null && go tool pprof -h 2>&1 | grep -q sample_index; then
		export_as pprof $hello
		is "pprof has the total" "$(go tool pprof -top -sample_index=instructions "$dir/pprof" \
			2> /dev/null | sed -n 's/.* of \([0-9]*\) total.*/\1/p')" \
			"$(instructions $hello)"
	else
		skip "pprof: there is no go"
	fi
}
finish
