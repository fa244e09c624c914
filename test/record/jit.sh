#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: CMD_INJECT CMD_SCRIPT CMD_EVLIST PERF_DATA LIBELF
#
# pt inject --jit: functions that a program made at run time have names, as after perf inject.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cat > "$dir/jit.c" <<'END'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* mov $N,%ecx; 1: dec %ecx; jne 1b; ret */
static const unsigned char code[] = { 0xb9, 0, 0, 0, 8, 0xff, 0xc9, 0x75, 0xfc, 0xc3 };

static uint64_t now(int ticks)
{
	struct timespec t;

	if (ticks)
		return __builtin_ia32_rdtsc();
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Write a jitdump of that function, and call it. */
int main(int argc, char **argv)
{
	static const char name[] = "made_at_run_time";
	int ticks = argc > 1, pid = getpid();
	unsigned char *at = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	FILE *f;

	memcpy(at, code, sizeof(code));
	snprintf(path, sizeof(path), "jit-%d.dump", pid);
	f = fopen(path, "w+");
	mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(f), 0);
	fwrite((uint32_t[]){ 0x4a695444, 1, 40, 62, 0, pid }, 4, 6, f);
	fwrite((uint64_t[]){ now(ticks), ticks }, 8, 2, f);
	fwrite((uint32_t[]){ 0, 56 + sizeof(name) + sizeof(code) }, 4, 2, f);
	fwrite((uint64_t[]){ now(ticks) }, 8, 1, f);
	fwrite((uint32_t[]){ pid, pid }, 4, 2, f);
	fwrite((uint64_t[]){ (uint64_t)at, (uint64_t)at, sizeof(code), 7 }, 8, 4, f);
	fwrite(name, 1, sizeof(name), f);
	fwrite(at, 1, sizeof(code), f);
	fclose(f);
	((void (*)(void))at)();
	return 0;
}
END
if ! "$CC" -O1 -static -o "$dir/jit" "$dir/jit.c" 2> "$dir/err"; then
	flunk "the program" "$(cat "$dir/err")"
	finish
	exit
fi
cd "$dir" || exit

# Times in TSC ticks: the function is there after its jitdump, and before the program's end.
if "$PT" record -q --soft -o soft.data ./jit ticks > err 2>&1 < /dev/null; then
	"$PT" inject -j -i soft.data -o pt.data > err 2>&1 < /dev/null
	is "times in ticks: status" "$?" 0
	"$PT" script --no-itrace --show-mmap-events --show-task-events -i pt.data 2> err |
		grep -o '[0-9].dump$\|jit.so$\|RECORD_EXIT' | sed 's/^[0-9]//' | tr '\n' ' ' > got
	is "times in ticks" "$(cat got)" ".dump jit.so RECORD_EXIT "
else
	skip "times in ticks: this pt cannot record here"
fi
if ! perf record -q -k mono -e cpu-clock:u -o one.data ./jit > err 2>&1 < /dev/null; then
	skip "pt inject --jit: perf cannot record here"
	finish
	exit
fi

# The part of the samples in the function is the same, and there are some.
compare() {
	"$PT" inject -j -i one.data -o pt.data > err 2>&1 < /dev/null
	is "$1: status" "$?" 0
	perf inject -j -i one.data -o perf.data > perf.err 2>&1 < /dev/null || {
		skip "$1: perf inject has no --jit"
		return
	}
	for f in perf.data pt.data; do
		perf script -F time,ip,sym,symoff -i $f > $f.txt 2>> err
	done
	is "$1: perf script" "$(cat pt.data.txt)" "$(cat perf.data.txt)"
	is "$1: pt script" "$("$PT" script -F time,ip,sym,symoff -i pt.data)" \
		"$(cat perf.data.txt)"
	grep -q made_at_run_time pt.data.txt && pass || flunk "$1: no sample has the name"
}

compare "times of CLOCK_MONOTONIC"
is "the file has a build-id" "$("$PT" buildid-list -i pt.data.jit.so | wc -c)" 41

# refused WHAT WHY
refused() {
	"$PT" inject -j -i one.data -o pt.data > err 2>&1 < /dev/null
	is "$1: status" $? 1
	grep -q "$2" err && pass || flunk "$1" "$(cat err)"
}

dump=$(ls -t jit-*.dump | head -n 1)
cp "$dump" whole
for n in 0 10 39; do
	head -c $n whole > "$dump"
	refused "a dump of $n bytes" 'not a jitdump\|cannot read'
done
for n in 45 60 100; do
	head -c $n whole > "$dump"
	"$PT" inject -j -i one.data -o pt.data > err 2>&1 < /dev/null
	is "a dump of $n bytes: status" $? 0
done
rm "$dump"
refused "no dump" 'cannot read'
perf record -q -e cpu-clock:u -o one.data ./jit > err 2>&1 < /dev/null
refused "another clock" 'record with -k mono'
finish
