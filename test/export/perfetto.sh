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
# Of perfetto's trace packets what is needed here.
cat > "$dir/trace.proto" << 'E2'
syntax = "proto2";
message EventName { optional uint64 iid = 1; optional string name = 2; }
message InternedData { repeated EventName event_names = 2;
	repeated EventName debug_annotation_names = 3; }
message ProcessDescriptor { optional int32 pid = 1; optional string process_name = 6; }
message ThreadDescriptor { optional int32 pid = 1; optional int32 tid = 2;
	optional string thread_name = 5; }
message TrackDescriptor { optional uint64 uuid = 1; optional string name = 2;
	optional ProcessDescriptor process = 3; optional ThreadDescriptor thread = 4; }
message DebugAnnotation { optional uint64 name_iid = 1; optional uint64 uint_value = 3; }
message TrackEvent {
	enum Type { TYPE_UNSPECIFIED = 0; TYPE_SLICE_BEGIN = 1; TYPE_SLICE_END = 2; }
	repeated DebugAnnotation debug_annotations = 4;
	optional Type type = 9; optional uint64 name_iid = 10; optional uint64 track_uuid = 11; }
message TracePacket { optional uint64 timestamp = 8; optional uint32 trusted_packet_sequence_id = 10;
	optional TrackEvent track_event = 11; optional InternedData interned_data = 12;
	optional uint32 sequence_flags = 13; optional TrackDescriptor track_descriptor = 60; }
message Trace { repeated TracePacket packet = 1; }
E2

decode() {
	protoc -I "$dir" --decode=Trace "$dir/trace.proto" < "$dir/perfetto" > "$dir/text" 2>&1
}

# shellcheck disable=SC2086 -- options are words
as_folded() {
	what=$1
	shift
	export_as perfetto "$@"
	is "$what: it ends well" "$?" 0
	decode
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
	decode
	is "any name is UTF-8" "$(read_as perfetto "$dir/text" | grep ' .a"')" \
		"10996 16806 'a\"<\\\\\\n\\x01&\\xe9\\ufffd;'"
	if record_threads; then
		as_folded threads $threads
	else
		skip "several threads: nothing can be recorded here"
	fi
	if command -v script > /dev/null; then
		is "it is not for a terminal" "$(script -qec "$PT export --perfetto $hello" /dev/null |
			tr -d '\r')" "pt: --perfetto is not for a terminal: add -o FILE"
	else
		skip "a terminal: there is no script(1)"
	fi
	is "a pipe is no terminal" "$("$PT" export --perfetto -o - $hello 2> /dev/null | cksum)" \
		"$(export_as perfetto $hello; cksum < "$dir/perfetto")"
}
finish
