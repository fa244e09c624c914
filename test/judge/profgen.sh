#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: CMD_INJECT BRANCH_STACKS PERF_DATA RECORD_SOFT LIBELF
#
# LLVM's profile tool reads the branch stacks that pt makes of a trace, and finds the hot loop.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

tool=
for t in llvm-profgen llvm-profgen-19 llvm-profgen-16 llvm-profgen-15; do
	[ -z "$tool" ] && command -v $t > /dev/null && tool=$t
done
if [ -z "$tool" ]; then
	skip "there is no llvm-profgen (Debian: llvm-16) to judge"
	finish
	exit
fi

cat > "$dir/work.c" <<'END'
static int array[600];

__attribute__((noinline)) static void bubble(int *a, int n)
{
	for (int i = 0; i < n - 1; i++)
		for (int j = 0; j < n - 1 - i; j++)
			if (a[j] > a[j + 1]) {
				int t = a[j];

				a[j] = a[j + 1];
				a[j + 1] = t;
			}
}

int main(void)
{
	unsigned x = 1;

	for (int i = 0; i < 600; i++)
		array[i] = x = x * 1103515245 + 12345;
	bubble(array, 600);
	return 0;
}
END
${HOSTCC:-gcc} -g -O2 -o "$dir/work" "$dir/work.c"
if ! "$PT" record -q --soft -o "$dir/trace" "$dir/work" > "$dir/log" 2>&1 < /dev/null; then
	skip "pt cannot record here"
	finish
	exit
fi

# profile NAME COMMAND...: COMMAND prints mappings and branch stacks.
profile() {
	name=$1
	shift
	"$@" --show-mmap-events -F ip,brstack > "$dir/lines" 2> "$dir/err" < /dev/null
	"$tool" --perfscript="$dir/lines" --binary="$dir/work" --format=text \
		--output="$dir/$name.prof" > "$dir/log" 2>&1 < /dev/null || cat "$dir/log"
}
profile trace "$PT" script -i "$dir/trace" --itrace=i1000il
is "the function with the loop is hottest" "$(head -n 1 "$dir/trace.prof" | cut -d : -f 1)" bubble
# 179,700 turns, in samples of 64 branches.
is "the profile has counts of its lines" "$(grep -c '^ [0-9.]*: [1-9]' "$dir/trace.prof" |
	awk '{ print ($1 > 4) }')" 1
"$PT" inject --itrace=i1000il --strip -i "$dir/trace" -o "$dir/copy" > "$dir/log" 2>&1
profile copy "$PT" script -i "$dir/copy"
is "of pt inject's file: the same" "$(cksum < "$dir/copy.prof")" "$(cksum < "$dir/trace.prof")"
if perf --version 2> /dev/null | grep -q ' 6\.1\.'; then
	profile by-perf perf script -i "$dir/copy"
	is "as perf prints that file: the same" "$(cksum < "$dir/by-perf.prof")" \
		"$(cksum < "$dir/trace.prof")"
	perf inject --itrace=i1000il --strip -i "$dir/trace" -o "$dir/of-perf" > "$dir/log" 2>&1 \
		< /dev/null
	profile all-perf perf script -i "$dir/of-perf"
	is "as perf makes them: the same" "$(cksum < "$dir/all-perf.prof")" "$(cksum < "$dir/trace.prof")"
else
	skip "profgen: no perf 6.1"
fi
finish
