#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 12
# needs: SOFT_TRANSLATE CMD_SCRIPT
#
# Translated programs: they go their way as if nobody looked, and the trace is the one that
# single steps tell.

. test/live/judge

# translated COMMAND: the same output, status and instructions as by single steps
translated() {
	record soft --soft=translate "$@"
	record step --soft=step "$@"
	stream soft
	stream step
	cmp "$dir/soft.ip" "$dir/step.ip" > "$dir/differ" 2>&1
	if [ "$still" ]; then
		is "$1 goes the way that single steps tell" \
			"$(cat "$dir/differ")$(wc -l < "$dir/soft.ip")" "$(wc -l < "$dir/step.ip")"
	else
		skip "$1, stepped: there is no setarch"
	fi
	is "$1 says the same, translated" "$(cat "$dir/soft.out" "$dir/soft.status")" \
		"$(cat "$dir/step.out" "$dir/step.status")"
	is "$1 is translated" "$(grep -c '^pt made 0 single steps' "$dir/soft.said")" 1
}

cat > "$dir/hello.c" << 'END'
#include <stdio.h>
#include <stdlib.h>

static int by_size(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int main(void)
{
	int some[50], i;

	for (i = 0; i < 50; i++)
		some[i] = i * 7919 % 101;
	qsort(some, 50, sizeof(*some), by_size);
	for (i = 0; i < 50; i += 5)
		printf("%d ", some[i]);
	return 3;
}
END
$CC -O1 -static -no-pie -g0 -o "$dir/hello" "$dir/hello.c" || flunk "hello compiles"
translated "$dir/hello"
no_gaps hello

# Signals come while a handler returns. (To perf this takes long.)
build returns
n=${LONG:+20000}
n=${n:-6000}
record soft --soft=translate "$dir/returns" $n
is "handlers return as often as without pt" "$(cat "$dir/soft.out")" "$n 1"
is "... they are decoded without a gap" "$("$PT" script -i "$dir/soft.data" --itrace=e 2>&1)" ''

build recurse
record soft --soft=translate "$dir/recurse"
no_errors recurse
for i in quiet climb; do
	build $i
	record soft --soft=translate "$dir/$i"
	no_errors $i
done

# A program that runs several times is translated once or twice. Its processes are at different
# addresses, so instructions are compared by their bytes. (An instruction that is not decoded has no
# bytes.) "again" starts it, not a shell: most of the single steps would be those of the shell. The
# file of shared blocks begins with 0 if there are none. It has 32 MiB; pt opens others for a moment.
cat > "$dir/again.c" << 'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* again TIMES PROGRAM [COMMAND...]: runs PROGRAM so often, then becomes COMMAND */
int main(int argc, char **argv)
{
	int n;

	for (n = atoi(argv[1]); n > 0; n--) {
		if (!fork())
			execl(argv[2], argv[2], NULL);
		wait(NULL);
	}
	if (argc > 3)
		execvp(argv[3], argv + 3);
	return 0;
}
END
look='echo
for f in /proc/$PPID/fd/*; do
	[ "$(stat -L -c %s $f)" != 33554432 ] || head -c 8 $f | tr -d "\0" | wc -c
done'
runs() {
	"$PT" record -q --soft=$1 -o "$dir/again.data" "$dir/again" $2 "$dir/pie" ${3:+sh -c "$3"} \
		> "$dir/again.out"
	"$PT" script -i "$dir/again.data" --itrace=i0nse -F comm,pid,insn 2>&1 | awk -v dir="$dir/again." '
		$1 == "pie" { pid = $2; $1 = $2 = ""; print > dir pid; next }
		$3 != "insn:"'
	cat "$dir"/again.[0-9]* | wc -l
	for f in "$dir"/again.[0-9]*; do cksum < "$f"; done | sort -u
	rm "$dir"/again.[0-9]*
}
if $CC -O1 -static-pie -g0 -o "$dir/pie" "$dir/hello.c" 2> /dev/null &&
		$CC -O1 -static -g0 -o "$dir/again" "$dir/again.c"; then
	runs step 1 > "$dir/once"
	runs translate 6 "$look" > "$dir/six"
	is "a program that runs again goes the same way" "$(cat "$dir/six")" \
		"$(awk 'NR == 1 { $0 *= 6 } 1' "$dir/once")"
	! "$PT" --version -v | grep -q CONFIG_SOFT_SPEED=y ||
		is "its blocks are used again" "$(tail -n 1 "$dir/again.out" | tr 1-8 1)" 1
else
	skip "a program that runs again: it cannot be linked"
fi

# Time goes to what is slow, not to what has many branches.
if "$PT" report --help > /dev/null 2>&1; then
	build costs
	record soft --soft=translate "$dir/costs"
	"$PT" report -i "$dir/soft.data" --no-children -s symbol -g none > "$dir/shares" 2> /dev/null
	is "a profile by time" "$(awk '$3 == "slow" { print ($1 > 70) ? $3 : $1 }' "$dir/shares")" slow
fi

# Its code is beside the recording, as it was when it ran.
build made
record soft --soft=translate "$dir/made"
is "code that is made at run time does what it should" "$(cat "$dir/soft.out")" '1805 12318'
no_gaps "code that is made at run time"

build inherits
record soft --soft=translate "$dir/inherits"
is "a child has the code that its parent made" "$(cat "$dir/soft.out")" 24
no_gaps "code that a child has from its parent"

build plugins
record soft --soft=translate "$dir/plugins" 300
is "threads that map code at the same time do what they should" "$(cat "$dir/soft.out")" 17400
no_errors plugins

build handed
record soft --soft=translate "$dir/handed" 80
is "code that another thread unmaps at once does what it should" "$(cat "$dir/soft.out")" 1160
no_errors handed

build remade
record soft --soft=translate "$dir/remade" 200
is "code that another thread has just rewritten does what it should" "$(cat "$dir/soft.out")" 2900
is "... decoded in the same way where code is forgotten while steps of other threads wait" \
	"$("$PT" script -i "$dir/soft.data" --mem 64K --itrace=be 2>&1 | cksum)" \
	"$("$PT" script -i "$dir/soft.data" --itrace=be 2>&1 | cksum)"
no_errors remade

build late
record soft --soft=translate "$dir/late"
is "code of a file that becomes executable later does what it should" "$(cat "$dir/soft.out")" 660
no_gaps "code of a file that becomes executable later"
! "$PT" --version -v | grep -q LIBELF=y || is "it has its symbols, except where it was changed" \
	"$("$PT" script -i "$dir/soft.data" --itrace=b -F addr,sym,dso 2> /dev/null |
		awk '{ print $(NF - 1), $NF ~ /code-/ }' | grep -e first -e second -e 1 |
		sort -u | tr '\n' ' ')" '[unknown] 1 first 0 second 0 '

# Programs that are deleted during the recording, with the same name.
record soft --soft=translate sh -c 'cd "$0" && for i in hello climb hello; do
	cp $i gone && ./gone; sleep 0.2; rm gone; done > /dev/null; cp hello gone && ./gone' "$dir"
is "a program that is deleted says what it should" "$(cat "$dir/soft.out")" "$("$dir/hello")"
no_errors "a program that is deleted"
! command -v perf > /dev/null || is "... it has as many branches to perf" \
	"$(perf script -i "$dir/soft.data" --comm gone --itrace=b -F ip,addr 2> /dev/null | cksum)" \
	"$("$PT" script -i "$dir/soft.data" --comm gone --itrace=b -F ip,addr | cksum)"

# A program in another mount namespace; its name is that of another program here.
mkdir "$dir/mnt"
cp "$dir/climb" "$dir/mnt/foreign"
if unshare -m true 2> /dev/null; then
	record soft --soft=translate --bundle unshare -m sh -c 'mount -t tmpfs none "$0/mnt" &&
		cp "$0/hello" "$0/mnt/foreign" && exec "$0/mnt/foreign"' "$dir"
	is "a program that has another namespace says what it should" \
		"$(cat "$dir/soft.out")" "$("$dir/hello")"
	no_gaps "a program that has another namespace"
	"$PT" script -i "$dir/soft.data" --comm foreign --itrace=b -F ip,sym,addr > "$dir/there"
	! "$PT" --version -v | grep -q LIBELF=y ||
		is "... it has its symbols" "$(grep -c -m 1 by_size "$dir/there")" 1
	! command -v perf > /dev/null || is "... as perf says" \
		"$(perf script -i "$dir/soft.data" --comm foreign --itrace=b -F ip,sym,addr \
			2> /dev/null | cksum)" "$(cksum < "$dir/there")"
	rm -r "$dir"/soft.data.files-*
	! "$PT" --version -v | grep -q BUNDLE=y || is "... the recording has its code" \
		"$("$PT" script -i "$dir/soft.data" --comm foreign --itrace=b -F ip,sym,addr |
			cksum)" "$(cksum < "$dir/there")"
	"$PT" trace --soft=translate --branches unshare -m sh -c 'mount -t tmpfs none "$0/mnt" &&
		cp "$0/hello" "$0/mnt/foreign" && exec "$0/mnt/foreign"' "$dir" \
		> /dev/null 2> "$dir/said"
	is "... pt trace has no gaps" "$(grep -c ', 0 gaps' "$dir/said")" 1
else
	skip "another namespace: not allowed here"
fi

build hurried
record soft --soft=translate "$dir/hurried"
is "processes that end while their threads make others" \
	"$(cat "$dir/soft.out" "$dir/soft.status") $(grep -c "stays in" "$dir/soft.said")" "60
0 0"
no_errors "processes that end while their threads make others"

build deaths
for i in 1 2 5 7 8; do
	translated "$dir/deaths" $i
done
record soft --soft=translate "$dir/deaths" 6
is "exit() beside a thread that runs ends as it should" "$(cat "$dir/soft.status")" 6
no_errors "exit() beside a thread that runs"

# The ring is checked in loops without a conditional branch, too.
build threaded
record soft --soft=translate "$dir/threaded"
is "an interpreter of indirect jumps does what it should" "$(cat "$dir/soft.out")" 100000200000
"$PT" script -i "$dir/soft.data" --itrace=be -F ip,sym,addr > "$dir/threaded.b" 2>&1
is "each return of it is there, and no gap" \
	"$(awk '$2 == "leaf"' "$dir/threaded.b" | wc -l) $(grep -c error "$dir/threaded.b")" "100000 0"

# A profile is one of time: nearly all of it is in slow(), which executes every tenth instruction.
build paces
record soft --soft=translate "$dir/paces"
! "$PT" report --help > /dev/null 2>&1 ||
	is "slow instructions count for more than quick ones" "$("$PT" report -i "$dir/soft.data" \
		--no-children -g none -s sym 2> /dev/null |
		awk '!/^#/ && NF { print $3, ($1 + 0 > 50); exit }')" "slow 1"

# pt writes records before the first instruction, and notices the end of a process late. The times
# of the file are those of its trace.
for end in head last; do
	"$PT" script --help=select | grep -q -- --$end || continue
	is "--$end: there is trace in that microsecond" \
		"$("$PT" script -i "$dir/soft.data" --itrace=b --$end 1us 2>&1 | grep -cm1 'branches')" 1
done

finish
