#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Decoding whole traces: without text, compared with libipt's block decoder; with text, compared
# with perf. Traces are recorded here, or taken from $SHARED or from the tree, and made longer by
# flow/enlarge.c. CPU time, median of 5, in turns.

dir=$BENCH/flow
mkdir -p "$dir"
trap 'rm -f "$dir"/*.data* "$dir"/*.pt' EXIT

cc=${HOSTCC:-gcc}
$cc -std=gnu11 -O2 -Iinclude -o "$dir/enlarge" test/bench/flow/enlarge.c src/decode/packet.c &&
	$cc -std=gnu11 -O2 -static -o "$dir/cpu" test/bench/flow/cpu.c || exit 1
if ! $cc -O2 -o "$dir/libipt" test/bench/flow/libipt.c -lipt 2> /dev/null; then
	echo "SKIP flow against libipt: libipt-dev is not here"
	rm -f "$dir/libipt"
fi

cost() {	# TIMES COMMAND... [against COMMAND...]: median of each in ms
	"$dir/cpu" "$@" | cut -d ' ' -f 1
}

peak() {	# COMMAND...: KiB
	"$dir/cpu" 1 "$@" | cut -d ' ' -f 2
}

# use SET: its perf.data, where the paths in there begin, and its code as libipt wants it.
use() {
	data=$gen/$1/perf.data at=$root
	[ -f "$dir/$1.data" ] && data=$dir/$1.data at=
	code=$("$PT" script -i "$data" --show-mmap-events --itrace=q 2> /dev/null | sed -nE "
		s|.*: \[(.*)\((.*)\) @ ([^ ]*) .*]: r-xp (.*)|\4 \3 \2 \1|
		s|^/|$at/|p
		s|^\[vdso]|&|p")
}

line() {	# WHAT BUDGET TIMES COMMAND... [against COMMAND...]
	what=$1 budget=$2
	shift 2
	# shellcheck disable=SC2046 -- two words
	set -- $(cost "$@")
	printf '%s\t%s\t%s\t%s\tms\n' "$what" "$1" "${2:--}" "$budget"
}

flow() {	# SET BYTES TIMES WHAT BUDGET
	use "$1"
	"$dir/enlarge" "$data" "$2" "$dir/x.data" "$dir/x.pt"
	[ -x "$dir/libipt" ] || return
	if [ -n "$("$PT" script -i "$dir/x.data" --symfs "$at/" --itrace=e 2>&1)" ]; then
		echo "SKIP flow, $4: $1: it does not decode without errors"
		return
	fi
	# shellcheck disable=SC2086 -- the code is words
	line "flow, $4: $1" "$5" "$3" "$PT" script -i "$dir/x.data" --symfs "$at/" --itrace=e \
		against "$dir/libipt" block "$dir/x.pt" $code
}

text() {	# SET BYTES BUDGET OPTION...
	set_=$1 bytes=$2 ratio=$3
	shift 3
	command -v perf > /dev/null || return
	use "$set_"
	"$dir/enlarge" "$data" "$bytes" "$dir/x.data" "$dir/x.pt"
	line "$*: $set_" "$ratio" 5 "$PT" script -i "$dir/x.data" --symfs "$at/" "$@" \
		against perf script -i "$dir/x.data" --symfs "$at/" "$@"
}

# record NAME [OPTION...] -- COMMAND...: without PT, whatever this machine has.
recorded=
record() {
	name=$1
	shift
	if setarch -R "$PT" record --soft -o "$dir/$name.data" "$@" > /dev/null 2>&1; then
		recorded="$recorded $name"
	else
		echo "SKIP flow of $name: it cannot be recorded"
		rm -f "$dir/$name.data"
	fi
}

# Programs of which much of the code runs, and some that do one thing often.
cat > "$dir/loop.c" << 'E'
int main(void)
{
	for (volatile int n = 0; n < 4000000; n++)
		;
	return 0;
}
E
$cc -O0 -static -o "$dir/loop" "$dir/loop.c"
$cc -E -Iinclude src/decode/last_ip.c > "$dir/last_ip.i"
cat > "$dir/words.py" << 'E'
class Tree:
    def __init__(self, word): self.word, self.kids = word, [None, None]
    def add(self, word):
        side = word > self.word
        if self.kids[side]: self.kids[side].add(word)
        else: self.kids[side] = Tree(word)
    def __iter__(self):
        for kid in self.kids[:1] + [self] + self.kids[1:]:
            if kid: yield from [kid.word] if kid is self else kid
words = "".join(" etaoinshrdlu"[i * 7919 % 101 % 13] for i in range(3000)).split()
tree = Tree("m")
for word in words: tree.add(word.title())
print({word: len(word) for word in sorted(tree, key=lambda w: w[::-1])}, "%d" % len(words))
E
python=$(python3 -c 'import sys; print(sys.executable)')
record python -- "$python" -I -S "$dir/words.py"
record python-cyc -e intel_pt/cyc/u -- "$python" -I -S "$dir/words.py"
record cc1 -- "$($cc -print-prog-name=cc1)" -quiet -O1 "$dir/last_ip.i" -o /dev/null
record gzip -- gzip -c README
record loop -- "$dir/loop"
for s in $recorded; do
	bytes=$(case $s in gzip | loop) echo 8000000 ;; *) echo 28000000 ;; esac)
	flow "$s" "$bytes" 5 warm 10x
	flow "$s" 1 5 cold 4x
done
for s in $sets; do
	flow "$s" 8000000 5 warm 10x
	flow "$s" 1 15 cold 4x
done
command -v perf > /dev/null || echo "SKIP text against perf: it is not here"
for s in $sets; do
	bytes=$([ "$s" = indirect ] && echo 1000000 || echo 200000)
	text "$s" "$bytes" 20x --itrace=be
	text "$s" "$bytes" 15x --itrace=i0nse -F ip
	text "$s" "$bytes" 10x --insn-trace
	text "$s" "$bytes" 10x --call-trace
done
for s in $recorded; do
	case $s in
	gzip)
		text gzip 1 15x --itrace=i0nse -F ip
		text gzip 1 10x --insn-trace
		;;
	python | cc1)
		text "$s" 1 20x --itrace=be
		text "$s" 1 10x --call-trace
		;;
	esac
done
line "start: pt --version" 2 15 "$PT" --version
if "$PT" -D "$gen/hello/perf.data" > /dev/null 2>&1; then
	"$dir/enlarge" "$gen/hello/perf.data" 8192 "$dir/x.data" "$dir/long.pt"
	head -c 4096 "$dir/long.pt" > "$dir/x.pt"
	line "start: -D of 4 KiB" 2 15 "$PT" -D "$dir/x.pt"
	printf 'memory, -D of 4 KiB\t%s\t-\t1024\tKiB\n' "$(peak "$PT" -D "$dir/x.pt")"
fi
"$dir/enlarge" "$gen/hello/perf.data" 134217728 "$dir/x.data" "$dir/x.pt"
printf 'memory, flow of 128 MiB\t%s\t-\t32768\tKiB\n' \
	"$(peak "$PT" script -i "$dir/x.data" --symfs "$root" --itrace=e)"
printf 'memory, -D of 128 MiB\t%s\t-\t1536\tKiB\n' "$(peak "$PT" -D "$dir/x.data")"
