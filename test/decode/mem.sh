#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
#
# Decoded code is a cache: with a small --mem it is dropped again and again, and the output stays
# the same. That it is dropped is tested by unit/session.c, that --mem is read by cli/script.sh.

passed=0 failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if ! "$PT" script --help > /dev/null 2>&1; then
	echo "SKIP mem: no pt script in this build"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi

decode() {
	"$PT" script -i test/golden/hello/perf.data --symfs test/golden/hello/root "$@" 2> /dev/null
}

for options in '--itrace=be' '--itrace=i0nse -F ip' '--insn-trace' '--call-ret-trace' \
	'--itrace=i100ibe -F +flags,+insn'; do
	# shellcheck disable=SC2086 -- options are words
	decode $options > "$dir/wanted"
	# shellcheck disable=SC2086
	decode --mem 16K $options > "$dir/got"
	if [ -s "$dir/wanted" ] && cmp -s "$dir/wanted" "$dir/got"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL --mem 16K $options"
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
