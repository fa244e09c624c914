#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: RECORD_MORE RECORD_SAMPLES SAMPLE_COLUMNS REPORT_MORE PERF_DATA
#
# pt record --overwrite keeps the newest records; --tail-synthesize writes running processes last.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cat > "$dir/touch.c" <<'END'
#include <sys/mman.h>

int main(void)
{
	enum { PAGE = 4096, PAGES = 5000 };
	char *at = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(at, PAGES * PAGE, MADV_NOHUGEPAGE);
	for (int i = 0; i < PAGES; i++)
		at[i * PAGE] = 1;
	return 0;
}
END
${HOSTCC:-gcc} -D_DEFAULT_SOURCE -static -O1 -o "$dir/touch" "$dir/touch.c"

run() {
	timeout -k 5 60 "$PT" record -q "$@" > "$dir/out" 2>&1 < /dev/null
}
if ! run -e page-faults:u -c 1 -d -m 8K --overwrite -o "$dir/last" "$dir/touch"; then
	skip "--overwrite: pt may not record here"
	finish
	exit
fi
run -e page-faults:u -c 1 -d -m 2M -o "$dir/all" "$dir/touch"
for f in all last; do
	"$PT" script -i "$dir/$f" -F addr 2> "$dir/err" > "$dir/$f.addr"
done
n=$(wc -l < "$dir/last.addr")
is "all samples without it" "$(awk 'END { print (NR >= 5000) }' "$dir/all.addr")" 1
# The program may move to another CPU, which has a buffer of its own.
is "only those that fit" "$((n > 50 && n < $(nproc) * 8192 / 40))" 1
is "they follow each other" "$(sort -u "$dir/last.addr" | wc -l)" "$n"
# Their addresses: those of the pages, in order.
last() {
	"$PT" script -i "$dir/$1" -F addr 2> "$dir/err" | tail -n 100 |
		awk 'function hex(s, i, v) { for (i = 1; i <= length(s); i++)
			v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }
		     { at = hex($1); if (NR > 1) print at - before; before = at }' | sort | uniq -c |
		sort -rn | awk 'NR == 1 { print $2 }'
}
is "they are the last ones" "$(last last) $(last all)" "4096 4096"
if perf --version 2> /dev/null | grep -q ' 6\.1\.'; then
	is "perf reads the same" "$(perf script -F addr -i "$dir/last" 2> "$dir/err" | cksum)" \
		"$(cksum < "$dir/last.addr")"
else
	skip "--overwrite: no perf 6.1"
fi
run -e '{cpu-clock:u,page-faults:u}:S' -m 8K --overwrite -o "$dir/group" "$dir/touch"
is "a group: status" "$?" 0
is "the attribute" "$("$PT" evlist -v -i "$dir/last" 2>&1 | grep -c 'write_backward: 1')" 1

run --overwrite "$dir/touch"
is "a trace has -S: status" "$?" 1
grep -q 'overwrite' "$dir/out" && pass || flunk "it says so" "$(cat "$dir/out")"

run -e cpu-clock:u --tail-synthesize -o "$dir/tail" -a true ||
	run -e cpu-clock:u --tail-synthesize -p $$ --for 10ms -o "$dir/tail"
"$PT" report -i "$dir/tail" --tasks > "$dir/out" 2>&1
grep -q " $$ " "$dir/out" && pass || flunk "--tail-synthesize: processes are there" \
	"$(head -n 20 "$dir/out")"
finish
