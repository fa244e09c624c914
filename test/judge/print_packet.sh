#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
#
# pt -D of valid, damaged and random trace bytes, compared with perf script -D: the same lines, for
# bytes in perf.data and for bare bytes.

passed=0 failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if ! "$PT" -D --help > /dev/null 2>&1 || ! perf --version 2> /dev/null | grep -q ' 6\.1\.' ||
   ! ${HOSTCC:-cc} -std=gnu11 -O1 -Iinclude -o "$dir/stream" test/judge/stream.c \
	src/decode/encode.c src/decode/last_ip.c 2> /dev/null; then
	echo "SKIP perf: no pt -D, no perf 6.1, or no compiler"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi

# same NAME WANTED GOT
same() {
	if cmp -s "$2" "$3"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1"
		diff "$2" "$3" | head -n 6
	fi
}

# judge NAME: the bytes of $dir/trace
judge() {
	"$dir/stream" wrap < "$dir/trace" > "$dir/perf.data"
	perf script -D -i "$dir/perf.data" > "$dir/wanted" 2> /dev/null
	"$PT" -D "$dir/perf.data" > "$dir/got" 2> /dev/null
	same "$1 in a perf.data" "$dir/wanted" "$dir/got"
	# perf.data pads with zeros to a multiple of 8: the file does so, too.
	tail -c +457 "$dir/perf.data" > "$dir/bare"
	sed '1,/Intel Processor Trace data/d; /^$/,$d' "$dir/wanted" > "$dir/lines"
	"$PT" -D "$dir/bare" > "$dir/got"
	same "$1 bare" "$dir/lines" "$dir/got"
}

for seed in 1 2 3 4; do
	for kind in packets hostile random; do
		"$dir/stream" $kind $seed $((50000 + seed)) > "$dir/trace"
		judge "$kind $seed"
	done
done
for trace in "$SHARED"/data/real/*.pt "$GEN"/*/trace.pt; do
	[ -e "$trace" ] || continue
	cp "$trace" "$dir/trace"
	judge "$trace"
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
