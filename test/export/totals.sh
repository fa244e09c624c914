#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: EXPORT_FOLDED LIBELF
#
# All formats have the same total: as many instructions as pt script prints. What a file holds is
# complete, or nothing.

. test/export/common

# total_of FORMAT: of $dir/FORMAT, without gaps.
total_of() {
	case $1 in
	folded) awk '!/;\[gap\] / { n += $NF } END { print n }' "$dir/folded" ;;
	svg) awk '$1 == "0" && NF == 4 { print $3 }' "$dir/svg" ;;
	html) sed -n 's/.*"instructions":\([0-9]*\),.*/\1/p' "$dir/html" ;;
	callgrind) sed -n 's/^totals: //p' "$dir/callgrind" ;;
	speedscope) read_as speedscope "$dir/speedscope" | awk '{ n += $1 } END { print n }' ;;
	chrome) read_as chrome "$dir/chrome" | awk '{ n += $1 } END { print n }' ;;
	pprof | perfetto)
		text_of $1
		read_as $1 "$dir/text" | awk '{ n += $1 } END { print n }'
		;;
	esac
}

by_protoc='pprof perfetto'
if ! command -v protoc > /dev/null; then
	skip "pprof and perfetto: there is no protoc"
	by_protoc=
fi

# shellcheck disable=SC2086 -- options are words
agree() {
	what=$1
	shift
	count=$(instructions "$@")
	is "$what: there are some" "$((count > 100))" 1
	for format in folded svg html callgrind speedscope chrome $by_protoc; do
		"$PT" --version -v | grep -qi "CONFIG_EXPORT_$format=y" || continue
		export_as $format "$@"
		gaps=0
		# These count a gap as one.
		case $format in
		svg | callgrind | speedscope | pprof)
			gaps=$("$PT" export --folded "$@" 2> /dev/null |
				awk '/;\[gap\] / { n += $NF } END { print n + 0 }') ;;
		esac
		is "$what: instructions of --$format" "$(($(total_of $format) - gaps))" "$count"
	done
}

# shellcheck disable=SC2086
{
	agree hello $hello
	agree "a function of hello" $hello --symbols main
	for t in overflow signals threads; do
		[ ! -d "$GEN/$t" ] || agree $t -i "$GEN/$t/perf.data" --symfs "$GEN/root"
	done
	[ ! -d "$GEN/threads" ] || agree "one CPU" -i "$GEN/threads/perf.data" \
		--symfs "$GEN/root" -C 1
	if record_threads; then
		agree "a recording of threads" $threads
		strip "$dir/threads"
		agree "a recording without symbols" $threads
	else
		skip "a recording of threads: nothing can be recorded here"
	fi
	# A disk that is full, and a trace that ends within a record.
	for format in folded svg html callgrind speedscope pprof drcov chrome perfetto; do
		"$PT" --version -v | grep -qi "CONFIG_EXPORT_$format=y" || continue
		is "--$format: a full disk" "$("$PT" export --$format -o /dev/full $hello 2>&1; echo $?)" \
			"$(printf 'pt: cannot write /dev/full: No space left on device\n1')"
		if (ulimit -f 1) 2> /dev/null; then
			(ulimit -f 4; trap '' XFSZ
			"$PT" export --$format -o "$dir/half" $hello > "$dir/err" 2>&1)
			is "--$format: not half of a file" "$([ ! -s "$dir/half" ] ||
				[ $(wc -c < "$dir/half") -lt 4096 ] || echo half)" ""
		fi
	done
	# What comes as a stream is complete after an error and after Ctrl-C, too.
	if "$PT" --version -v | grep -q CONFIG_EXPORT_CHROME=y && [ -n "$threads" ]; then
		size=$(wc -c < "$dir/threads.data")
		head -c $((size * 8 / 10)) "$dir/threads.data" > "$dir/cut.data"
		export_as chrome -i "$dir/cut.data"
		is "a file that is cut: status" "$?" 1
		is "a file that is cut: what was read is complete" "$(read_as chrome "$dir/chrome" |
			awk '{ n += $1 } END { print (n > 1000) }')" 1
		python3 - "$PT" "$dir/threads.data" "$dir/chrome" << 'E2' > "$dir/status"
import signal, subprocess, sys
pt = subprocess.Popen([sys.argv[1], "export", "--chrome", "-i", sys.argv[2]],
                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
# It has begun, and cannot end before somebody reads: a pipe has room for less.
first = pt.stdout.read(1)
pt.send_signal(signal.SIGINT)
open(sys.argv[3], "wb").write(first + pt.stdout.read())
print(pt.wait())
E2
		is "Ctrl-C: status" "$(cat "$dir/status")" 130
		is "Ctrl-C: what was read is complete" "$(python3 -c 'import json, sys
print(len(json.load(open(sys.argv[1]))["traceEvents"]) > 0)' "$dir/chrome" 2>&1 | tail -n 1)" True
	fi
}
finish
