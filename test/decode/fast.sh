#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 3
#
# The fast paths print the same lines as the general path. A limit of the number of samples switches
# the fast paths off. That they are taken is tested by unit/session.c.

passed=0 failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if ! "$PT" script --help > /dev/null 2>&1; then
	echo "SKIP fast: no pt script in this build"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi

same() {	# FILE OPTIONS...
	"$PT" script -i "$@" > "$dir/fast" 2> /dev/null
	"$PT" script -i "$@" --max-samples 1000000000 > "$dir/slow" 2> /dev/null
	if [ -s "$dir/slow" ] && cmp -s "$dir/fast" "$dir/slow"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL pt script -i $*"
		diff "$dir/slow" "$dir/fast" | head -n 4
	fi
}

all_of() {
	same "$@" --itrace=be
	same "$@" --itrace=be -F +flags
	same "$@" --itrace=i0nse -F ip
	same "$@" --insn-trace
	same "$@" --call-trace
	same "$@" --call-ret-trace
	same "$@" --call-ret-trace -F +ip,+addr
	same "$@" --itrace=cre
	same "$@" --itrace=re -F time,callindent,sym
}

all_of test/golden/hello/perf.data --symfs test/golden/hello/root
same test/golden/hello/perf.data --symfs test/golden/hello/root --itrace=be --comms hello
gen=$GEN
for t in recursion indirect longjmp signals overflow threads; do
	[ -d "$gen/$t" ] && all_of "$gen/$t/perf.data" --symfs "$gen/root"
done
for o in '--itrace=be -C 0,2' '--itrace=be --tid 10348,10349' '--call-ret-trace --comms true' \
	'--insn-trace --comms threads' '--call-trace --tid 10349 -C 1,2'; do
	# shellcheck disable=SC2086 -- options are words
	[ ! -d "$gen/threads" ] || same "$gen/threads/perf.data" --symfs "$gen/root" $o
done
echo "$passed passed, $failed failed, 0 skipped"
