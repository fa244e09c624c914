#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: EXPORT_PPROF EXPORT_FOLDED LIBELF
#
# pt export --pprof: a profile as protoc and pprof read it, with what --folded has.

. test/export/common

if ! command -v protoc > /dev/null; then
	skip "there is no protoc"
	finish
	exit
fi
# Of pprof's profile.proto what is needed here.
cat > "$dir/profile.proto" << 'E2'
syntax = "proto3";
message ValueType { int64 type = 1; int64 unit = 2; }
message Label { int64 key = 1; int64 str = 2; int64 num = 3; }
message Sample { repeated uint64 location_id = 1; repeated int64 value = 2; repeated Label label = 3; }
message Line { uint64 function_id = 1; int64 line = 2; }
message Location { uint64 id = 1; uint64 mapping_id = 2; uint64 address = 3; repeated Line line = 4; }
message Function { uint64 id = 1; int64 name = 2; int64 system_name = 3; int64 filename = 4;
	int64 start_line = 5; }
message Profile { repeated ValueType sample_type = 1; repeated Sample sample = 2;
	repeated Location location = 4; repeated Function function = 5;
	repeated string string_table = 6; int64 default_sample_type = 14; }
E2

decode() {
	{ gzip -dc "$dir/pprof" 2> "$dir/err" || cat "$dir/pprof"; } |
		protoc -I "$dir" --decode=Profile "$dir/profile.proto" > "$dir/text" 2>&1
}

# shellcheck disable=SC2086 -- options are words
as_folded() {
	what=$1
	shift
	export_as pprof "$@"
	is "$what: it ends well" "$?" 0
	decode
	is "$what: protoc reads it" "$?" 0
	# A line of 0 is not printed.
	sed -i 's/^\( *\)function_id: .*/&\n\1line: 0/' "$dir/text"
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
	decode
	sed -i 's/^\( *\)function_id: .*/&\n\1line: 0/' "$dir/text"
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
