#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 40
# needs: CMD_SCRIPT PARALLEL
#
# The output does not depend on the number of processes (-j) and parts (--shard).

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
hello=test/golden/hello/perf.data
gen=$GEN
${HOSTCC:-gcc} -std=gnu11 -O2 -Iinclude -o "$dir/enlarge" test/bench/flow/enlarge.c \
	src/decode/packet.c || exit 1

# differs WHAT NAME: got.NAME from wanted.NAME, apart from what only -j says.
differs() {
	if [ "$2" = err ] && [ -s "$dir/got.err" ]; then
		sed -i '/^pt: -j cannot help here/d' "$dir/got.err"
	fi
	cmp -s "$dir/wanted.$2" "$dir/got.$2" || cmp "$dir/wanted.$2" "$dir/got.$2" 2>&1 |
		sed "s,^,$1: ,"
}

# lines JOBS SHARDS OPTIONS...: what differs from one process.
lines() {
	jobs=$1 shards=$2
	shift 2
	"$PT" script "$@" > "$dir/wanted.out" 2> "$dir/wanted.err"
	status=$?
	for j in $jobs; do
		"$PT" script -j "$j" "$@" > "$dir/got.out" 2> "$dir/got.err"
		now=$?
		[ $now -eq $status ] || echo "-j $j: exit status $now for $status"
		differs "-j $j" out
		differs "-j $j" err
	done
	for n in $shards; do
		i=0
		: > "$dir/got.out"
		while [ $((i += 1)) -le "$n" ]; do
			"$PT" script --shard "$i/$n" "$@" >> "$dir/got.out" 2> /dev/null
		done
		differs "--shard I/$n" out
	done
}

[ -n "$LONG" ] && jobs_of='2 5' || jobs_of=3
same() {
	none "in parallel: $*" "$(lines "$jobs_of" 3 "$@")"
}

# some FILE OPTIONS...: lists, stacks and periods of time, one of them for each file.
some() {
	case $kind in
	be) kind=stacks o=--itrace=be ;;
	stacks) kind=periods o='--call-ret-trace -F +insn' ;;
	*) kind=be o='--itrace=i10usbe -F +flags,+insn,+ipc' ;;
	esac
	# shellcheck disable=SC2086 -- options are words
	same -i "$@" $o
}
kind=

# each FILE OPTIONS...: with all there is to ask for.
each() {
	for o in '' --itrace=be '--itrace=i0ns -F +insn' --itrace=i100i --itrace=i100us \
		'--itrace=cr -F +callindent' --call-trace --call-ret-trace --itrace=e \
		'--itrace=be -F +ipc' '--itrace=i10usbe -F +flags,+insn,+ipc' \
		'--itrace=bxwpe -F +flags' '--itrace=be -C 0' '--itrace=be --time 10%-60%' \
		'--itrace=s100be' --itrace=Zbe '--max-samples 100 --itrace=b' \
		'--itrace=be --comm hello' '--itrace=be --comm nobody' '--itrace=b --tid 1' \
		'--itrace=b --symbols nothing,main --dsos none' \
		'--itrace=b --dsos hello --symbols none' '--header --itrace=b --show-mmap-events --strict' \
		'--mem 32K --itrace=be'; do
		# shellcheck disable=SC2086 -- options are words
		same -i "$@" $o
	done
}

root=test/golden/hello/root
each $hello --symfs $root
[ -n "$LONG" ] && others=each || others=some
"$dir/enlarge" $hello 200000 "$dir/long.data" "$dir/long.pt"
"$dir/enlarge" $hello 25000 "$dir/short.data" "$dir/short.pt"
same -i "$dir/short.data" --symfs $root --itrace=i0ns -F +insn,+ipc
for o in --itrace=be --itrace=e '--itrace=be --time ,50%' \
	--call-ret-trace --itrace=i100i '--itrace=i40ibe -F +insn' --itrace=i5us; do
	# shellcheck disable=SC2086
	same -i "$dir/long.data" --symfs $root $o
done
none "a bare trace in parallel" "$(lines '2 5' '2 9' -i "$dir/long.pt" --itrace=be)"
# What was lost in a file that is missing.
mkdir "$dir/empty"
for o in --itrace=be --itrace=cr --itrace=i100ie; do
	same -i "$dir/long.data" --symfs "$dir/empty" $o
done
none "more parts than PSBs" "$(lines 40 40 -i $hello --symfs $root --itrace=be)"

# Damage: bytes changed all over the trace.
[ -n "$LONG" ] && seeds='1 2 3' numbers='2 3 7' || seeds=1 numbers=3
for seed in $seeds; do
	cp "$dir/long.data" "$dir/damaged.data"
	chmod u+w "$dir/damaged.data"
	awk -v seed=$seed -v size="$(wc -c < "$dir/long.data")" 'BEGIN {
		srand(seed)
		for (i = 0; i < 40; i++)
			print int(size / 4 + rand() * size / 2), int(rand() * 256)
	}' | while read -r at byte; do
		# shellcheck disable=SC2059 -- the format is the byte
		printf "\\$(printf %o "$byte")" |
			dd of="$dir/damaged.data" bs=1 seek="$at" conv=notrunc 2> /dev/null
	done
	for o in --itrace=be --itrace=e '--itrace=cr --strict' '--itrace=i30ie -F +ipc'; do
		# shellcheck disable=SC2086
		none "damage $seed in parallel: $o" \
			"$(lines '2 5' 4 -i "$dir/damaged.data" --symfs $root $o)"
	done
done

if [ -d "$gen/threads" ]; then
	"$dir/enlarge" "$gen/threads/perf.data" 450000 "$dir/cpus.data" "$dir/cpus.pt" all
	for o in --itrace=be '--itrace=i0nse --time 40%-50%' --itrace=cr --itrace=i10us --itrace=i33i \
		'--itrace=bpe -C 0,2' '--itrace=be --time 30%-60%'; do
		# shellcheck disable=SC2086
		none "several CPUs in parallel: $o" \
			"$(lines "$numbers" 3 -i "$dir/cpus.data" --symfs "$gen/root" $o)"
	done
	none "several CPUs in parallel, without code" \
		"$(lines "$numbers" 3 -i "$dir/cpus.data" --symfs "$dir/empty" --itrace=be)"
else
	skip "several CPUs: there is no such trace"
fi
for t in threads overflow indirect recursion longjmp signals ptwrite; do
	[ ! -d "$gen/$t" ] ||
		$others "$gen/$t/perf.data" --symfs "$gen/root" --vdso "$gen/root/vdso.so"
done
if [ -d "$SHARED/data/real" ]; then
	$others "$SHARED/data/real/perf.data.intel_pt-4.14"
	for t in hello-cyc pie-hello-cyc user; do
		same -i "$SHARED/data/real/$t.pt" --itrace=bpe
	done
else
	skip "traces of real hardware: there are none"
fi

# Cycles: time goes on with branches that nobody lists.
if "$PT" record --soft -e intel_pt/cyc/u -o "$dir/cyc.data" -- awk 'BEGIN {
	while (i++ < 90)
		word[i % 97] = word[i % 89] substr("abcdef", i % 5, 2)
}' > /dev/null 2>&1; then
	for o in --itrace=crp --itrace=bep --itrace=i0nsp; do
		same -i "$dir/cyc.data" $o
	done
else
	skip "cycles in parallel: nothing can be recorded here"
fi

# The other process not only decodes its segments: its lines are those that are written.
${HOSTCC:-gcc} -std=gnu11 -O1 -o "$dir/writers" test/decode/writers.c || exit 1
"$dir/enlarge" $hello 8000000 "$dir/large.data" "$dir/large.pt"
writers() {
	"$dir/writers" "$PT" script -i "$dir/large.data" --symfs $root "$@" 2> /dev/null
}
is "-j 2: two processes write" "$(writers -j 2 --itrace=be)" 2
is "-j 2 of a list of calls: one writes" "$(writers -j 2 --call-trace)" 1
rm "$dir/large.data" "$dir/large.pt"

# Pipes, wrong words
is "-j from a pipe" "$("$PT" script -j 2 -i - --symfs $root --itrace=b < $hello | cksum)" \
	"$("$PT" script -i $hello --symfs $root --itrace=b | cksum)"
for arg in 0/2 3/2 1 1/ /2 1/2/3 x; do
	is "--shard $arg is refused" "$("$PT" script -i $hello --shard $arg 2>&1 > /dev/null)" \
		"pt: --shard takes I/N: 1/4 to 4/4 (see pt script --help)"
done
is "-j wants a number" "$("$PT" script -i $hello -j x 2>&1 > /dev/null)" \
	"pt: --jobs takes a number (see pt script --help)"
alone="pt: -j cannot help here, one process decodes this; see --help=parallel"
is "what one process decodes is said" "$("$PT" script -j 2 -i $hello --symfs $root --itrace=be \
	--max-samples 1 2>&1 > /dev/null)" "$alone"
is "lists of calls: one process, too" "$("$PT" script -j 2 -i $hello --symfs $root --call-trace \
	2>&1 > /dev/null)" "$alone"
is "what several decode is not" "$("$PT" script -j 2 -i $hello --symfs $root --itrace=be \
	2>&1 > /dev/null)" ""
is "-D has no parts" "$("$PT" script -D -i $hello --shard 1/2 2>&1)" "pt: -D does not take --shard"

is "a full disk, in parallel" \
	"$("$PT" script -j 3 -i $hello --symfs $root --itrace=be 2>&1 > /dev/full; echo $?)" \
	"$(printf 'pt: cannot write: No space left on device\n1')"

# A process that is killed, and one whose reader went away
echo "$dir/long.data" > "$dir/name"
left() {	# how many processes decode the file
	grep -slF -f "$dir/name" /proc/[0-9]*/cmdline | wc -l
}
"$dir/enlarge" $hello 8000000 "$dir/long.data" "$dir/long.pt"
none_left() {
	for try in $(seq 100); do
		[ "$(left)" = 0 ] && break
		sleep 0.1
	done
	is "$1: nobody is left" "$(left)" 0
}
start() {
	mkfifo "$dir/fifo$1"
	"$PT" script -j 3 -i "$dir/long.data" --symfs $root --itrace=be > "$dir/fifo$1" \
		2> "$dir/err" &
	pid=$!
	exec 3< "$dir/fifo$1"
	head -c 1 <&3 > /dev/null
	child=$(cut -d ' ' -f 1 "/proc/$pid/task/$pid/children")
}
start 1
kill -9 "$child"
cat <&3 > /dev/null
wait $pid
is "a process is killed: status" $? 1
is "a process is killed: one line" "$(cat "$dir/err")" "pt: a process of -j was killed by signal 9; use a smaller -j, or none"
exec 3<&-
start 2
kill -9 $pid
wait $pid 2> /dev/null
none_left "the first is killed"
exec 3<&-
"$PT" script -j 3 -i "$dir/long.data" --symfs $root --itrace=be 2> "$dir/err" | head -n 1 > /dev/null
none_left "nobody reads"
is "nobody reads: nothing is said" "$(cat "$dir/err")" ""

finish
