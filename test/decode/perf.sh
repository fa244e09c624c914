#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 20
#
# pt script prints the same bytes as perf script for the same options and files.

passed=0 failed=0 skipped=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

if ! "$PT" script --help > /dev/null 2>&1 ||
   ! perf --version 2> /dev/null | grep -q ' 6\.1\.'; then
	echo "SKIP perf: no pt script, or no perf 6.1"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
fi

# Indentation ends at 512 columns, with perf it does not: then blanks are not compared.
shallow() {
	for f in "$dir/got" "$dir/wanted"; do
		tr -s ' ' < "$f" | sed 's/ $//' > "$dir/squeezed"
		mv "$dir/squeezed" "$f"
	done
}

# same FILE OPTIONS...
same() {
	"$PT" script -i "$@" > "$dir/got" 2> "$dir/err"
	case $* in
	*/longjmp/*--call-ret-trace*)	# its lines have 27,000 blanks
		perf script -i "$@" 2> /dev/null | tr -s ' ' > "$dir/wanted"
		shallow
		;;
	*)
		perf script -i "$@" > "$dir/wanted" 2> /dev/null
		;;
	esac
	cmp -s "$dir/got" "$dir/wanted" ||
		! awk 'length > 600 { deep = 1; exit } END { exit !deep }' "$dir/wanted" || shallow
	if cmp -s "$dir/got" "$dir/wanted"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL pt script -i $*"
		diff "$dir/wanted" "$dir/got" | head -n 6
		head -n 2 "$dir/err"
	fi
}

# holds FILE OPTIONS...: pt has all lines of perf, in order, and others where perf had lost its way.
# Where perf finds back ("0 => ADDRESS") pt may be already.
holds() {
	"$PT" script -i "$@" > "$dir/got" 2> "$dir/err"
	perf script -i "$@" > "$dir/wanted" 2> /dev/null
	diff "$dir/got" "$dir/wanted" | grep '^>' | grep -v ' 0 \(\[unknown\].* \)*=>' > "$dir/only"
	if [ ! -s "$dir/only" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL pt script -i $*: lines that only perf has"
		head -n 6 "$dir/only"
		head -n 2 "$dir/err"
	fi
}

columns=comm,pid,tid,cpu,time,period,event,ip,sym,symoff,dso,addr,flags,insn,insnlen,callindent

# some_of FILE OPTIONS...: one of each kind.
some_of() {
	same "$@" --itrace=be
	same "$@" --call-ret-trace
	same "$@" --itrace=i10usbe -F +flags,+insn,+ipc
	same "$@" --itrace=bxwpe -F +flags
}

# all_of FILE OPTIONS...
all_of() {
	same "$@"
	same "$@" --itrace=be
	same "$@" --insn-trace
	same "$@" --call-trace
	same "$@" --call-ret-trace
	same "$@" --itrace=i100usbe
	same "$@" --itrace=i100i
	same "$@" --itrace=i1000t
	same "$@" --itrace=i10usbe -F +flags,+insn,+ipc
	same "$@" --itrace=cre -F $columns
	same "$@" --itrace=bxwpe -F +flags
	same "$@" --itrace=s100be
	same "$@" -F ip --itrace=i3i
	same "$@" --itrace=i10usgq
	same "$@" --itrace=i5usg -F +flags
	same "$@" --itrace=i64tA -F +ipc
	same "$@" --ns -F -comm,-dso --itrace=b
	same "$@" --show-mmap-events --show-task-events --show-switch-events
	same "$@" --header --itrace=c
	same "$@" --header-only
	same "$@" --no-itrace
}

# Without the code pt goes on earlier after a gap than perf does (README). So what depends on how much
# was decoded differs: letters b, c, r, x and i have more lines in pt, of which those of perf are a
# part; gaps (e) are others, and so is the depth of calls. What needs no code is the same: addresses
# in packets (q), power and PTWRITE events, side-band, and columns.
without_code() {
	for o in b bxwpI c cr x i10i i100i 'bxwp -F +flags' 'cr -F ip,addr,flags' \
		'i100i -F comm,tid,time,ip,sym' 'b --show-switch-events --show-task-events'; do
		# shellcheck disable=SC2086 -- options are words
		holds "$@" --itrace=$o
	done
	for o in p pwI i100us i1ms 'p -F comm,tid,time,event,synth' 'pI --show-switch-events'; do
		# shellcheck disable=SC2086
		same "$@" --itrace=$o
	done
	same "$@" --itrace=qbe
	same "$@" --itrace=qi100usbe
	same "$@" --itrace=qi100i
	same "$@" --itrace=qqi
	same "$@" --itrace=qi1000t
	same "$@" --itrace=qcre -F $columns
	same "$@" --itrace=qbxwpe -F +flags
	same "$@" --itrace=qs100be
	same "$@" -F ip --itrace=qi3i
	same "$@" --itrace=i10usgq
	same "$@" --itrace=qi5usg -F +flags
	same "$@" --ns -F -comm,-dso --itrace=qb
	same "$@" --itrace=qb --show-mmap-events --show-task-events --show-switch-events
	same "$@" --header --itrace=qc
	same "$@" --header-only
	same "$@" --no-itrace
}

gen=$GEN
for t in hello recursion indirect longjmp signals ptwrite overflow; do
	[ -d "$gen/$t" ] || continue
	case $LONG$t in
	hello | overflow | 1*) of=all_of ;;
	*) of=some_of ;;
	esac
	$of "$gen/$t/perf.data" --symfs "$gen/root"
	same "$gen/$t/perf.data" --symfs "$gen/root" --itrace=bpe -F hw:ip,sym,addr \
		-F synth:ip,sym,symoff,dso
	same "$gen/$t/perf.data" --symfs "$gen/root" --itrace=b -C 0
	same "$gen/$t/perf.data" --symfs "$gen/root" --itrace=be --time 1158.470270,1158.470290
done
# There is no code of the program that ran beside it.
for o in --itrace=cxwpI --itrace=b --itrace=i0ns '--itrace=c -F +callindent,+flags' \
	'--itrace=b --show-switch-events --show-task-events' --itrace=qbe --itrace=qi; do
	[ ! -d "$gen/threads" ] ||
		same "$gen/threads/perf.data" --symfs "$gen/root" --tid 10348,10349 $o
done
for o in '' '--comms true' '--comms threads'; do
	[ ! -d "$gen/threads" ] ||
		same "$gen/threads/perf.data" --symfs "$gen/root" --itrace=qbe $o
done
real=$SHARED/data/real/perf.data.intel_pt-4.14
[ -f "$real" ] || { real=; echo "SKIP a trace of real hardware: there is none"; skipped=1; }
[ -z "$real" ] || without_code "$real"
[ -z "$LONG" ] || [ ! -d "$gen/threads" ] || without_code "$gen/threads/perf.data" --symfs "$gen/root"
for o in '-F hw:ip,sym,addr -F synth:ip,addr' '-F hw:+addr,+weight' '-F hw:-time,+weight'; do
	[ -z "$real" ] || same "$real" --itrace=qbpe $o
done
# Columns that few have, and call chains that bring columns with them.
for f in "$gen/hello/perf.data --symfs $gen/root" "$real"; do
	case $f in "$real") q=q ;; *) q= ;; esac
	[ -n "$f" ] || continue
	# Each column with one of the kinds of samples; with LONG=1 with all of them.
	kinds='be i100nsg i100ipgx i1000iG bxwpeg'
	for o in trace +trace -trace +phys_addr,+weight ip,addr,phys_addr +misc misc \
		flags comm time,event -ip hw:ip; do
		[ -n "$LONG" ] && some=$kinds || some=${kinds%% *}
		for i in $some; do
			# shellcheck disable=SC2086 -- options are words
			same $f --itrace=$q$i -F $o
		done
		kinds="${kinds#* } ${kinds%% *}"
	done
	# shellcheck disable=SC2086
	same $f -F comm,misc,time --itrace=${q}cxwpIe --show-mmap-events --show-task-events \
		--show-switch-events
done
# Several --itrace, and options that stand for one, add up.
both() {
	same "$gen/hello/perf.data" --symfs "$gen/root" "$@"
	[ -z "$LONG" ] || same "$gen/overflow/perf.data" --symfs "$gen/root" "$@"
}
both --call-trace --itrace=e
both --itrace=q --call-trace
both --itrace=s100 --call-trace
both --itrace=b --itrace=i1000i
both --itrace=i1000i --itrace=b
both --insn-trace --call-trace
both --itrace=c --insn-trace
both --call-trace --call-ret-trace
both --itrace=g --insn-trace
both --itrace=i1000ig5 --itrace=G
both --itrace=A --call-trace -F+ipc
both --itrace=b --no-itrace
both --itrace=e-o --itrace=e

echo "$passed passed, $failed failed, $skipped skipped"
