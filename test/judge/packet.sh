#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
#
# Packets, compared with libipt: random valid ones, and real traces.

passed=0 failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

decode="src/decode/packet.c src/decode/encode.c src/decode/last_ip.c"
cc="${HOSTCC:-cc} -std=gnu11 -O1 -Iinclude"
if ! echo '#include <intel-pt.h>' | ${HOSTCC:-cc} -E - > /dev/null 2>&1 ||
   ! $cc -o "$dir/stream" test/judge/stream.c $decode ||
   ! $cc -o "$dir/packet" test/judge/packet.c $decode -lipt; then
	echo "SKIP libipt: it is not installed"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi

judge() {
	if "$dir/packet" "$1" > "$dir/says"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $2: $(cat "$dir/says")"
	fi
}

for seed in 1 2 3 4 5 6 7 8; do
	"$dir/stream" packets $seed 4000000 > "$dir/trace"
	judge "$dir/trace" "packets $seed"
done
for trace in "$SHARED"/data/real/*.pt "$GEN"/*/trace.pt; do
	[ -e "$trace" ] && judge "$trace" "$trace"
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
