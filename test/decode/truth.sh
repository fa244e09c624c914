#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
#
# The decoded instructions are those that were executed: exact traces, compared with the list of
# every retired instruction, from perf.data and from the bare trace.

gen=$GEN
passed=0 failed=0 skipped=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if ! "$PT" script --help > /dev/null 2>&1; then
	echo "SKIP truth: no pt script in this build"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi

# same WHAT: 'got' has to be 'wanted', and nothing may have been said of gaps
same() {
	if cmp -s "$dir/got" "$dir/wanted" && ! grep -q 'instruction trace error' "$dir/err"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1: $(wc -l < "$dir/got") of $(wc -l < "$dir/wanted") instructions"
		head -n 3 "$dir/err"
	fi
}

# The list of what was executed.
truth() {
	cat "$1" 2> /dev/null || gzip -dc "$1.gz"
}

# The options that map the code of a bare trace.
maps() {
	while read -r _ start end off file _; do
		case $file in
		/*) file=$gen/root$file ;;
		*) file=$gen/root/vdso.so ;;
		esac
		printf -- '--map %s:0x%s-0x%x@0x%s ' "$file" "$off" \
			$((0x$off + 0x$end - 0x$start)) "$start"
	done < "$1"
}

for t in hello recursion indirect longjmp signals ptwrite; do
	[ -d "$gen/$t" ] || continue
	truth "$gen/$t/truth.insn" > "$dir/wanted"
	"$PT" script -i "$gen/$t/perf.data" --symfs "$gen/root" --itrace=i0nse -F ip \
		2> "$dir/err" | tr -d ' ' > "$dir/got"
	same "$t"
	more=$([ $t = indirect ] && echo --no-retcomp)
	# The maps are words.
	"$PT" script -i "$gen/$t/trace.pt" $(maps "$gen/$t/maps.txt") $more --itrace=i0nse -F ip \
		2> "$dir/err" | tr -d ' ' > "$dir/got"
	same "$t, bare"
done

# Where the CPU lost packets the instructions that truth.gaps names are missing (the last one not).
truth "$gen/overflow/truth.insn" > "$dir/all"
read -r first last < "$gen/overflow/truth.gaps"
sed "$((first + 1)),${last}d" "$dir/all" > "$dir/wanted"
"$PT" script -i "$gen/overflow/perf.data" --symfs "$gen/root" --itrace=i0nse -F ip \
	2> /dev/null | grep -v error | tr -d ' ' > "$dir/got"
: > "$dir/err"
same overflow

# Several CPUs: each has its own list. What it ran besides, a program of the machine
# of that time, lies at other addresses and is not at hand; behind it CPU 1 may have
# no full address any more.
for cpu in 0 1 2; do
	[ -d "$gen/threads" ] || continue
	truth "$gen/threads/truth-cpu$cpu.insn" | grep '^4.....$' > "$dir/wanted"
	"$PT" script -i "$gen/threads/perf.data" --symfs "$gen/root" --vdso "$gen/root/vdso.so" \
		-C $cpu --itrace=i0nse -F ip 2> "$dir/err" | tr -d ' ' | grep '^4.....$' > "$dir/got"
	: > "$dir/err"
	if [ $cpu -eq 1 ]; then
		for f in got wanted; do
			head -n 234733 "$dir/$f" > "$dir/all"
			mv "$dir/all" "$dir/$f"
		done
	fi
	same "threads, CPU $cpu"
done

echo "$passed passed, $failed failed, $skipped skipped"
