#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: SOFT_SNAPSHOT CMD_SCRIPT LIBELF
#
# A flight recorder without Intel PT: only the last packets, written on request.

. test/live/judge

cat > "$dir/loop.c" << 'END'
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* Branches that do not repeat, so that packets do not shrink. */
static unsigned seed = 1;

__attribute__((noinline)) static unsigned early(unsigned n)
{
	unsigned sum = 0;

	while (n--) {
		seed = seed * 1103515245 + 12345;
		if (seed >> 16 & 1)
			sum += seed;
	}
	return sum;
}

__attribute__((noinline)) static unsigned late(unsigned n)
{
	return n + 1;
}

int main(int argc, char **argv)
{
	unsigned sum = early(atoi(argv[1]));

	sum += late(sum & 1);
	if (argc > 2)
		raise(SIGSEGV);
	return sum == 7;
}
END
$CC -O1 -static -no-pie -o "$dir/loop" "$dir/loop.c" || flunk "loop compiles"

# size NAME: bytes of trace; errors NAME; calls NAME FUNCTION
size() { stat -c %s "$dir/$1.data"; }
errors() { "$PT" script -i "$dir/$1.data" --itrace=e 2>&1 | head -n 3; }
calls() { "$PT" script -i "$dir/$1.data" --itrace=c -F addr,sym 2> /dev/null | grep -c " $2\$"; }

record all --soft "$dir/loop" 60000000
record last "--soft -S1M" "$dir/loop" 60000000
is "only the last packets are written at the end" \
	"$([ "$(size last)" -lt $(($(size all) / 2)) ] && echo smaller) $(cat "$dir/last.status")" \
	"smaller 0"
is "... without a gap" "$(errors last)" ''
is "... and they end as the program did" "$(calls last late) $(calls last early)" '1 0'

# A process that dies by a signal, while another goes on.
record died "--soft -S1M" sh -c "$dir/loop 1000 die; $dir/loop 60000000; true"
is "the death of a process is written" "$(calls died late)" 2

# By signal and by FIFO.
mkfifo "$dir/ctl" "$dir/ack"
"$PT" record -q --soft -S1M --control "fifo:$dir/ctl,$dir/ack" -o "$dir/ctl.data" \
	sh -c 'while :; do :; done' &
pt=$!
exec 4<> "$dir/ctl" 5<> "$dir/ack"
# Again until there is something in it: the command may not have begun.
for try in $(seq 100); do
	echo snapshot >&4
	read -r answer <&5
	first=$(size ctl)
	[ "$first" -gt 100000 ] && break
	sleep 0.1
done
kill -USR2 $pt
for try in $(seq 100); do
	second=$(size ctl)
	[ "$second" -gt "$first" ] && break
	sleep 0.1
done
echo ping >&4
read -r more <&5
kill -TERM $pt
wait $pt
is "a snapshot is answered" "$answer $more" "ack ack"
is "SIGUSR2 adds another" "$([ "$second" -gt "$first" ] && echo larger)" larger
is "both are decoded without a gap" "$(errors ctl)" ''

# The side-band is bounded, too. Here each record of a map has 2.5 kB, because of the file's name.
cat > "$dir/maps.c" << 'END'
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

int main(int argc, char **argv)
{
	int fd = open(argv[1], O_RDONLY), n = atoi(argv[2]), i;
	unsigned seed = 1, sum = 0;

	while (n--) {
		void *p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
			       n % 2 * 4096);

		for (i = 0; i < 10000; i++) {
			seed = seed * 1103515245 + 12345;
			if (seed >> 16 & 1)
				sum += seed;
		}
		if (p == MAP_FAILED || munmap(p, 4096))
			return 1;
	}
	return sum == 7;
}
END
$CC -O1 -static -no-pie -o "$dir/maps" "$dir/maps.c" || flunk "maps compiles"
part=$(printf '%0248d' 0)
deep=$dir/$part/$part/$part/$part/$part/$part/$part/$part/$part/$part
mkdir -p "$deep"
cp "$dir/maps" "$deep"
record maps "--soft -S1M" "$dir/maps" "$deep/maps" 3000
is "the side-band is bounded" "$(cat "$dir/maps.status") $([ "$(size maps)" -lt 5000000 ] &&
	echo small)" "0 small"
is "... and what is left is decoded without a gap" "$(errors maps)" ''
is "... with names" "$("$PT" script -i "$dir/maps.data" --itrace=c -F comm 2> /dev/null |
	sort -u | tr -d ' ')" maps

# The last part of the time.
"$PT" record -q --soft -S4M --last 1ms -o "$dir/brief.data" sh -c 'i=0
	while [ $i -lt 30000 ]; do i=$((i + 1)); done; sleep 0.3; :'
is "--last leaves out what was earlier" "$([ "$(size brief)" -lt 100000 ] && echo small)" small
is "--last needs -S and --soft" "$("$PT" record --last 1s true 2>&1 | grep -c 'last is for')" 1

finish
