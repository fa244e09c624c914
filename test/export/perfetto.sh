#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: EXPORT_PERFETTO EXPORT_FOLDED LIBELF
#
# pt export --perfetto: packets as protoc reads them, whose calls nest on each track and have what
# --folded has.

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
	export_as perfetto "$@"
	is "$what: it ends well" "$?" 0
	text_of perfetto
	is "$what: protoc reads it" "$?" 0
	export_as folded "$@"
	sed '/\[gap\]/d' "$dir/folded" > "$dir/no_gaps"
	is "$what: instructions of each function" "$(read_as perfetto "$dir/text")" \
		"$(read_as folded "$dir/no_gaps")"
	export_as folded --weight=time "$@"
	is "$what: time of each function" \
		"$(read_as perfetto_time "$dir/text" | grep -v '\[' | awk '$1 { print $1, $3 }')" \
		"$(read_as folded "$dir/folded" | grep -v '\[' | awk '$1 { print $1, $3 }')"
}

# shellcheck disable=SC2086
{
	as_folded hello $hello
	hurt_names
	export_as perfetto $hostile
	text_of perfetto
	is "any name is UTF-8" "$(read_as perfetto "$dir/text" | grep ' .a"')" \
		"10996 16806 'a\"<\\\\\\n\\x01&\\xe9\\ufffd;'"
	if record_threads; then
		as_folded threads $threads
	else
		skip "several threads: nothing can be recorded here"
	fi
	if command -v script > /dev/null; then
		is "it is not for a terminal" "$(script -qec "$PT export --perfetto $hello" /dev/null |
			tr -d '\r')" "pt: --perfetto is not for a terminal; add -o FILE"
	else
		skip "a terminal: there is no script(1)"
	fi
	is "a pipe is no terminal" "$("$PT" export --perfetto -o - $hello 2> /dev/null | cksum)" \
		"$(export_as perfetto $hello; cksum < "$dir/perfetto")"
}
finish
