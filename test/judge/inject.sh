#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 20
# needs: CMD_INJECT CMD_REPORT CMD_DUMP BRANCH_STACKS PERF_DATA LIBELF KERNEL
#
# pt inject: perf reads its file, and the samples in it are those that perf inject makes. To pt
# script and pt report the file says what the trace says.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# refused WHY ARGUMENTS...
refused() {
	why=$1
	shift
	"$PT" inject "$@" > "$dir/out" 2>&1 < /dev/null
	is "inject $*: status" $? 1
	grep -q "$why" "$dir/out" && pass || flunk "inject $*" "$(cat "$dir/out")"
}

same() {
	cmp -s "$dir/got" "$dir/wanted" && pass || flunk "$1" \
		"$(diff "$dir/wanted" "$dir/got" | cut -c 1-300 | head -n 8; head -n 3 "$dir/err")"
}

# The trace and the copy give the same lines.
lines() {
	"$PT" inject --strip --itrace="$1" -i "$f" --symfs "$GEN/root" -o "$dir/copy" 2> "$dir/err"
	"$PT" script --itrace="$1" -i "$f" --symfs "$GEN/root" -F "$2" > "$dir/wanted" 2> /dev/null
	"$PT" script -i "$dir/copy" --symfs "$GEN/root" -F "$2" > "$dir/got" 2> "$dir/err"
	same "script of $f, $1"
	"$PT" report --itrace="$1" -i "$f" --symfs "$GEN/root" > "$dir/wanted" 2> /dev/null
	"$PT" report -i "$dir/copy" --symfs "$GEN/root" > "$dir/got" 2> "$dir/err"
	same "report of $f, $1"
}

for t in hello recursion ptwrite threads; do
	f=$GEN/$t/perf.data
	if [ ! -f "$f" ]; then
		skip "there is no $f"
		continue
	fi
	lines i10us comm,tid,time,event,period,ip,sym,symoff,dso
	lines i100igwp comm,tid,time,event,ip,sym,synth
	lines i1000il8 comm,tid,time,ip,brstack
	is "$t: no record about the trace is left" \
		"$("$PT" -D "$dir/copy" | grep -cE 'PERF_RECORD_(AUX|ITRACE_START)')" 0
	"$PT" inject --itrace=i1000i -i "$f" --symfs "$GEN/root" 2> "$dir/err" |
		"$PT" script -i - --symfs "$GEN/root" -F time,ip > "$dir/got"
	"$PT" script --itrace=i1000i -i "$f" --symfs "$GEN/root" -F time,ip > "$dir/wanted" \
		2> /dev/null
	same "$t through a pipe"
	refused 'is the file that is read' --itrace=i -i "$dir/copy" -o "$dir/copy"
done

# Without --itrace the copy has the trace, in a file and in a pipe.
f=$GEN/hello/perf.data
if [ -f "$f" ]; then
	"$PT" inject -i "$f" -o "$dir/copy" 2> "$dir/err"
	"$PT" inject -i "$f" > "$dir/pipe" 2>> "$dir/err"
	"$PT" script --itrace=be -i "$f" --symfs "$GEN/root" > "$dir/wanted" 2> /dev/null
	for c in copy pipe; do
		"$PT" script --itrace=be -i "$dir/$c" --symfs "$GEN/root" > "$dir/got" 2> /dev/null
		same "the trace in a $c"
	done
fi

# --aslr: the same names at other addresses; or none.
without_addresses() {
	"$PT" script -i "$1" --symfs "$GEN/root" -F comm,time,ip,sym,symoff,dso 2> "$dir/err" |
		sed 's/: *[0-9a-f]* /: /; s/^[[:space:]]*[0-9a-f]* \([^ ]*+0x\)/\1/; s/  */ /g'
}

# The addresses of samples and branches.
addresses() {
	"$PT" script -i "$1" --symfs "$GEN/root" -F ip,brstack 2> "$dir/err" |
		tr ' /' '\n\n' | sed 's/^0x//' | grep '^[0-9a-f][0-9a-f]*$' | sort -u | grep -v '^0$'
}

for t in hello threads; do
	f=$GEN/$t/perf.data
	[ -f "$f" ] || continue
	for o in '' --aslr --aslr=nameless; do
		"$PT" inject $o --strip --itrace=i100igbp -i "$f" --symfs "$GEN/root" \
			-o "$dir/calls$o" 2> "$dir/err"
		"$PT" inject $o --strip --itrace=i100ibpl8 -i "$f" --symfs "$GEN/root" \
			-o "$dir/branches$o" 2> "$dir/err"
	done
	without_addresses "$dir/calls" > "$dir/wanted"
	without_addresses "$dir/calls--aslr" > "$dir/got"
	same "--aslr of $t"
	addresses "$dir/branches" > "$dir/old"
	for o in --aslr --aslr=nameless; do
		addresses "$dir/branches$o" > "$dir/new"
		[ "$(wc -l < "$dir/new")" -gt 100 ] && pass || flunk "$t: addresses of $o"
		is "$t: addresses in both, $o" "$(comm -12 "$dir/old" "$dir/new")" ""
	done
	is "names in --aslr=nameless" "$(grep -c "$t\|pt-data" "$dir/calls--aslr=nameless")" 0
	refused 'the trace itself' --aslr -i "$f" -o "$dir/copy"
done
refused 'needs samples in their place' --strip -i "$GEN/hello/perf.data" -o "$dir/none"
echo old > "$dir/kept"
refused 'no such file' --itrace=i -i "$dir/none" -o "$dir/kept"
is "the output of before is kept" "$(cat "$dir/kept" "$dir/kept.old" 2> /dev/null)" old
refused 'cannot write' --itrace=i -i "$GEN/hello/perf.data" -o "$dir/none/copy"

need_perf

# perf NAMES...: what perf says about a file.
say() {
	perf script -F "$2" -i "$1" 2>&1
	perf evlist -v -i "$1" 2>&1
	perf script --header-only -i "$1" 2>&1 | grep -v ' offset \| size \|cmdline\|captured'
}

compare() {
	perf inject "$@" -i "$f" -o "$dir/perf.data" > "$dir/err" 2>&1 < /dev/null
	"$PT" inject "$@" -i "$f" -o "$dir/pt.data" > "$dir/err" 2>&1 < /dev/null
	say "$dir/perf.data" "$fields" > "$dir/wanted"
	say "$dir/pt.data" "$fields" > "$dir/got"
	same "inject $* of $f"
}

f=$dir/soft.data
if ! "$PT" record -q --soft -e intel_pt/cyc/u -o "$f" ls / > "$dir/out" 2>&1; then
	skip "inject: this pt cannot record here"
	finish
	exit
fi
fields=comm,tid,time,event,period,ip,sym,symoff,dso,addr
for o in be i1000i i1000iecrwpx crewp i500igl16p i1000iq; do
	compare --itrace="$o" --strip
done
compare --itrace=i1000i
# Branches of a file that has them as samples are printed like those of a trace.
"$PT" inject --itrace=b --strip -i "$f" -o "$dir/copy" > "$dir/err" 2>&1
for o in '' '-F ip,sym' '-F ip,addr'; do
	perf script $o -i "$dir/copy" > "$dir/wanted" 2> "$dir/err"
	"$PT" script $o -i "$dir/copy" > "$dir/got" 2> "$dir/err"
	same "branches that were injected, pt script $o"
done
# The period of a sample is its time, as pt report counts it, and not instructions.
fields=comm,tid,time,event,ip,sym,symoff,dso,addr
compare --itrace=i100us --strip
compare --itrace=ig32 --strip
compare --itrace
for o in i10us i100us i1000i; do
	"$PT" inject --itrace=$o --strip -i "$f" -o "$dir/copy" 2> "$dir/err"
	"$PT" report --itrace=$o -i "$f" -n > "$dir/wanted" 2> /dev/null
	"$PT" report -i "$dir/copy" -n > "$dir/got" 2> "$dir/err"
	same "report of a recording in software, $o"
done
fields=comm,time,event,synth
compare --itrace=wpe --strip
fields=time,ip,brstack
compare --itrace=i1000il --strip
compare --itrace=i100il8
fields=comm,time,ip,sym
compare

# Names and build-ids of BUILD_ID records.
build_ids() {
	"$PT" -D "$1" 2> /dev/null | grep -A 2 'PERF_RECORD_BUILD_ID' | wc -l
	perf buildid-list --with-hits -i "$1" 2>&1
	perf script -F comm,ip,sym,dso -i "$1" 2>&1
}

f=$dir/samples.data
if perf record -q -e cpu-clock:u -o "$f" ls -R /usr/share > /dev/null 2>&1 < /dev/null; then
	for o in -b --buildid-all; do
		perf inject $o -i "$f" -o "$dir/perf.data" > /dev/null 2>&1 < /dev/null
		"$PT" inject $o -i "$f" -o "$dir/pt.data" 2> "$dir/err"
		build_ids "$dir/perf.data" > "$dir/wanted"
		build_ids "$dir/pt.data" > "$dir/got"
		same "inject $o"
	done
	perf record -q -e cpu-clock:u -o - ls -R /usr/share < /dev/null 2> /dev/null > "$dir/pipe"
	"$PT" inject -b < "$dir/pipe" 2> "$dir/err" | perf script -F ip,sym -i - > "$dir/got" 2> /dev/null
	perf script -F ip,sym -i - < "$dir/pipe" > "$dir/wanted" 2> /dev/null
	same "inject -b of a pipe"
else
	skip "inject -b: perf cannot record here"
fi
# That of the vDSO, which is in no file. (perf only has it if perf record did.)
cat > "$dir/clock.c" << 'END'
#include <time.h>

int main(void)
{
	struct timespec t;
	int i;

	for (i = 0; i < 3000000; i++)
		clock_gettime(CLOCK_MONOTONIC, &t);
	return 0;
}
END
names() {
	grep -ao '\[vdso\]' "$1" | wc -l
}
if ${HOSTCC:-cc} -O1 -o "$dir/clock" "$dir/clock.c" 2> "$dir/err" &&
	"$PT" record -q -e cpu-clock:u -F 2000 -o "$f" "$dir/clock" 2>> "$dir/err" &&
	"$PT" script -F ip,dso -i "$f" 2>> "$dir/err" | grep -q vdso; then
	"$PT" inject -b -i "$f" -o "$dir/copy" 2>> "$dir/err"
	is "inject -b: the vDSO has a record, too" "$(names "$dir/copy")" $(($(names "$f") + 1))
else
	skip "inject -b: no sample is in the vDSO: $(tail -n 1 "$dir/err")"
fi
finish
