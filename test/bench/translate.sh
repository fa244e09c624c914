#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The cost of recording a translated program: the CPU time of the program and pt, compared with the
# program alone, in turns. The trace goes to a file.

"$PT" record -q --soft=translate -o /dev/null true > /dev/null 2>&1 ||
	{ echo "SKIP translated programs: not in this build, or nobody may trace here"; exit 0; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cpu=$dir/cpu
export ANYWHERE=1	# pt has a processor of its own where there are two
${HOSTCC:-cc} -std=gnu11 -O2 -static -o "$cpu" test/bench/flow/cpu.c || exit 1

cat > "$dir/loops.c" << 'END'
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static void *loops(void *n)
{
	unsigned h = 1, i;

	for (i = 0; i < (unsigned long)n; i++) {
		h = h * 31 + i;
		if (h & 64)
			h ^= i;
	}
	return (void *)(unsigned long)h;
}

static double doubles(void)
{
	double s = 0, x = 1.1;
	unsigned i;

	for (i = 1; i < 60000000; i++) {
		s += x / i;
		x *= 1.0000001;
		if (s > 1e9)
			s = 0;
	}
	return s;
}

static long double x87(void)
{
	long double s = 0, x = 1.1L;
	unsigned i;

	for (i = 1; i < 40000000; i++) {
		s += x / i;
		x *= 1.0000001L;
		if (s > 1e9L)
			s = 0;
	}
	return s;
}

int main(int argc, char **argv)
{
	pthread_t t[4];
	int i;

	if (!strcmp(argv[1], "loops"))
		printf("%p\n", loops((void *)100000000));
	else if (!strcmp(argv[1], "doubles"))
		printf("%g\n", doubles());
	else if (!strcmp(argv[1], "x87"))
		printf("%Lg\n", x87());
	for (i = 0; i < 4 && !strcmp(argv[1], "threads"); i++)
		pthread_create(&t[i], NULL, loops, (void *)30000000);
	while (i > 0)
		pthread_join(t[--i], NULL);
	return 0;
}
END
${HOSTCC:-cc} -O2 -pthread -o "$dir/loops" "$dir/loops.c" || exit 1

awk 'BEGIN { for (i = 0; i < 200000; i++) print i * 7919 % 1000003, "line", i }' > "$dir/text"
cat "$dir/text" "$dir/text" "$dir/text" "$dir/text" > "$dir/more"
cat > "$dir/py" << 'END'
def f(n):
    t = 0
    for i in range(n):
        t += i * i % 7
        if t & 1: t ^= i
    return t
d = {}
for i in range(60000): d[str(i)] = i
print(f(800000), len(d))
END
cat > "$dir/pl" << 'END'
my (%h, $t);
for my $i (1 .. 600000) { $t += $i * $i % 7; $h{$i % 1000} .= "x" if $t & 1; }
print $t, scalar(keys %h), "\n";
END
cat > "$dir/sql" << 'END'
create table t(a integer, b text);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 80000)
	insert into t select x, 'r' || (x * 7919 % 10007) from c;
select count(*), sum(a) from t where b like 'r1%';
create index i on t(b);
select b, count(*) from t group by b order by 2 desc limit 3;
END
mkdir "$dir/project"
for i in 1 2 3 4 5 6; do
	printf '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint f%d(int n)\n' $i
	printf '{ int i, s = 0; for (i = 0; i < n; i++) s += i %% %d; return s; }\n' $i
done > "$dir/all.c"
for i in 1 2 3 4 5 6; do cp "$dir/all.c" "$dir/project/f$i.c"; done
printf 'all: f1.o f2.o f3.o f4.o f5.o f6.o\n\n%%.o: %%.c\n\tcc -O1 -c -o /dev/null $<\n' \
	> "$dir/project/Makefile"

# measure BUDGET NAME COMMAND...
measure() {
	budget=$1 name=$2
	shift 2
	command -v "$1" > /dev/null || { echo "SKIP translated, $name: $1 is not here"; return; }
	"$cpu" 3 "$PT" record -q --soft=translate -o "$dir/data" -- "$@" against "$@" |
		cut -d ' ' -f 1 | {
		read -r ours && read -r theirs
		printf 'translated, %s\t%s\t%s\t%s\tms\n' "$name" "$ours" "$theirs" "$budget"
	}
	rm -f "$dir/data" "$dir/data.old"
}

measure '<3x' loops "$dir/loops" loops
measure '<3x' doubles "$dir/loops" doubles
measure '<3x' x87 "$dir/loops" x87
measure '<3x' gzip gzip -9 -c "$dir/text"
measure '<3x' sha512sum sha512sum "$dir/more"
measure '<3x' sort env LC_ALL=C sort -n "$dir/text"
measure '<6x' python /usr/bin/python3 "$dir/py"
measure '<6x' perl perl "$dir/pl"
measure '<6x' 'gcc -O2' gcc -O2 -c -o /dev/null test/bench/flow/cpu.c
# The first one is mostly the compiler's start: much code that runs once.
measure '<6x' 'gcc -O2, a larger file' gcc -O2 -std=gnu11 -Iinclude "-I$O/obj/include" -c \
	-o /dev/null src/record/record_soft.c
measure '<6x' sqlite sqlite3 :memory: ".read $dir/sql"
measure '<8x' 'make -j2' make -s -B -j2 -C "$dir/project"
measure '<8x' '200 x true' sh -c 'i=0; while [ $i -lt 200 ]; do /bin/true; i=$((i+1)); done'
measure '<3x' 'four busy threads' "$dir/loops" threads
