#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CMD_DUMP KERNEL
#
# Error messages: each says what failed, why, and what to do next; and no failure is silent.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
refuse=$O/obj/judge/refuse
top=$PWD
hello=$PWD/test/golden/hello/perf.data
root=$PWD/test/golden/hello/root

has() {
	"$PT" "$1" --help > /dev/null 2>&1
}

# changed FROM TO NAME AT BYTE: FROM with byte AT of each record NAME changed.
changed() {
	cp "$1" "$2"
	"$PT" -D "$1" 2> /dev/null |
		sed -n "s/.* \(0x[0-9a-f]*\) \[[^]]*\]: PERF_RECORD_$3\([ :].*\)*\$/\1/p" |
	while read -r off; do
		printf "$5" | dd of="$2" bs=1 seek=$((off + $4)) conv=notrunc 2> /dev/null
	done
}

# says STATUS PATTERN ARGS...: pt ARGS prints one line that matches on stderr, and nothing else.
says() {
	wanted="$1 1 1" pattern=$2
	shift 2
	"$@" > "$dir/out" 2> "$dir/err" < /dev/null
	status=$?
	is "$* says: $pattern" \
		"$status $(grep -c . "$dir/err") $(grep -cE -e "$pattern" "$dir/err")" "$wanted" ||
		cat "$dir/err"
	none "$* prints nothing" "$(head -n 3 "$dir/out")"
}

if has stat; then
	says 1 'seccomp filter .* --cap-add PERFMON' "$refuse" 298 1 "$PT" stat true
	says 1 'without perf events' "$refuse" 298 38 "$PT" stat true
fi

# What cannot be recorded, counted or listed.
if has stat; then
	says 1 'percore has no effect here; use --per-core' "$PT" stat -e cs/percore/ true
	mkfifo "$dir/ctl" "$dir/ack"
	exec 3<> "$dir/ctl" 4<> "$dir/ack"
	printf 'evlost\nevlist\nstop\n' >&3
	"$PT" stat -e cpu-clock,cs --control fd:3,4 -o "$dir/out" sleep 600 2> "$dir/err"
	is "an unknown word of --control is refused, evlist is not" "$(timeout 60 head -n 3 <&4)" \
		"error: unknown command
ack
ack"
	is "it lists the events" "$(cat "$dir/err")" "cpu-clock
cs"
	if has record && "$PT" record --soft -o "$dir/x" "$PT" version > /dev/null 2>&1; then
		printf 'evlist\nstop\n' >&3
		"$PT" record --soft --control fd:3,4 -o "$dir/x" sleep 600 2> "$dir/err"
		is "as pt record does" "$(head -n 1 "$dir/err") $(timeout 60 head -n 2 <&4 | tr '\n' ' ')" \
			"intel_pt//u ack ack "
	fi
	exec 3>&- 4>&-
fi
has list && is "an unknown kind is said" "$("$PT" list metric 2>&1; echo $?)" \
	"pt: metric: no event of that name here, and not a kind: hw, sw, cache, tool, pmu, tracepoint, pt
1"
if has record && "$PT" --version -v | grep -q CONFIG_RECORD_SOFT=y; then
	says 1 "^pt: --for: not a time \\(use 5s, 100ms, 20us\\): '5x'" "$PT" record --for 5x true
	says 1 'in software its terms are tsc' \
		"$PT" record --soft -e intel_pt/mtc_period=16/u -o "$dir/x" true
	says 1 "cannot trace 'foo': -p and -t take numbers" "$PT" record --soft -p foo
	says 1 "cannot trace '2147483647': there is no such process" \
		"$PT" record --soft -p 2147483647
	says 1 'cannot trace [0-9]*: seccomp forbids ptrace\(\)' \
		"$refuse" 101 1 "$PT" record --soft -o "$dir/x" true

	sh -c 'sleep 0.2 & echo $! > "$0"; exec sleep 600' "$dir/dead" &
	parent=$!
	for try in $(seq 300); do
		dead=$(cat "$dir/dead" 2> /dev/null)
		grep -qs '^State:.Z' "/proc/$dead/status" && break
		sleep 0.1
	done
	says 1 "'$dead' has no process that could be traced" \
		"$PT" record --soft -p "$dead" -o "$dir/x"
	kill $parent

	# Who may attach. The kernel's refusals are made up, as most kernels here have no yama.
	sleep 600 &
	target=$!
	"$PT" record --soft -p $target -o "$dir/first" 2> "$dir/first.err" &
	tracer=$!
	traced=0
	for try in $(seq 300); do
		traced=$(sed -n 's/^TracerPid:[^0-9]*//p' /proc/$target/status)
		[ "$traced" = 0 ] && kill -0 $tracer 2> /dev/null || break
		sleep 0.1
	done
	if [ "$traced" != 0 ]; then
		says 1 "cannot trace $target: process $traced traces it already" \
			"$PT" record --soft -p $target -o "$dir/x"
	else
		skip "another tracer: nothing can be attached to here: $(head -n 1 "$dir/first.err")"
	fi
	kill -INT $tracer 2> /dev/null
	wait $tracer
	scope='mount --make-rprivate / && mount -t tmpfs none /proc/sys/kernel && shift &&
		mkdir /proc/sys/kernel/yama && echo $0 > /proc/sys/kernel/yama/ptrace_scope && exec "$@"'
	if [ "$(id -u)" = 0 ] && unshare -m sh -c "$scope" 1 - true 2> /dev/null &&
	   setpriv --reuid 65534 "$refuse" 101 1 "$PT" --version > /dev/null 2>&1; then
		says 1 "cannot trace $target: kernel.yama.ptrace_scope is 3: reboot, and set it to 1" \
			unshare -m sh -c "$scope" 3 - "$refuse" 101 1 "$PT" record --soft -p $target \
			-o "$dir/x"
		says 1 "cannot trace $target: it belongs to another user; run pt as root" \
			setpriv --reuid 65534 "$PT" record --soft -p $target -o /dev/null
		kill $target
		wait $target
		setpriv --reuid 65534 sleep 600 &
		target=$!
		says 1 "cannot trace [0-9]*: kernel.yama.ptrace_scope is 1: run pt as root, or set it to 0" \
			unshare -m sh -c "$scope" 1 - setpriv --reuid 65534 "$refuse" 101 1 \
			"$PT" record --soft -p $target -o /dev/null
	else
		skip "yama: only root can make it up"
	fi
	kill $target
	wait $target 2> /dev/null
	ls /sys/bus/event_source/devices/intel_pt > /dev/null 2>&1 ||
		says 1 'only Intel PT can trace whole CPUs' "$PT" record -a -o "$dir/x" true
	if command -v script > /dev/null; then
		is "-o - is not written to a terminal" "$(script -qc "$PT record --soft -o - true" \
			/dev/null < /dev/null | tr -d '\r')" \
			"pt: -o -: standard output is a terminal; pipe it to pt script"
	else
		skip "-o - to a terminal: there is no script"
	fi
fi

# Names that do not exist.
# Where there is room for it, a word that is nearly right is named.
guesses() {
	"$PT" --version -v | grep -q CONFIG_ALL_ERRORS=y
}
has script && guesses && says 1 "'scrpt' is not a command: did you mean script\?" "$PT" scrpt
for command in record crash buildid-list; do
	guesses && ! "$PT" $command --help > /dev/null 2>&1 &&
		says 1 "this pt has no 'pt $command': 'make desk_defconfig; make' builds one that" \
			"$PT" $command
done
# An option that .config left out.
has script && guesses && ! "$PT" --version -v | grep -q CONFIG_PERF_OPTIONS=y &&
	says 1 "unknown option --frob .see pt script --help; 'make desk_defconfig; make' builds a" \
		"$PT" script --frob
has script && guesses && says 1 'unknown option --itarce: did you mean --itrace\?' "$PT" script --itarce

# Files that cannot be read.
cd "$dir" || exit 1
: > empty
mkdir folder
echo text > text
if "$PT" info --help | grep -q -- --input; then
	is "pt info takes -i, as the others do" "$("$PT" info -i test/golden/hello/perf.data | sed 1d)" \
		"$("$PT" info test/golden/hello/perf.data | sed 1d)"
fi
for command in script report info -D; do
	"$PT" help $command > /dev/null 2>&1 || continue
	says 1 'nofile: no such file$' "$PT" $command nofile
	says 1 'empty: the file is empty$' "$PT" $command empty
	says 1 'text: not a ' "$PT" $command text
	"$PT" --version -v | grep -q CONFIG_PERF_DATA=y || continue
	says 1 'folder: a directory, and not a recording' "$PT" $command folder
	head -c 2500 "$hello" > cut
	case $command in script | report) files="--symfs $root" ;; *) files= ;; esac
	"$PT" $command $files cut 2>&1 > out | tail -n 1 > err
	is "$command cut: says how much is missing" \
		"$(grep -c 'cut: truncated: 3016 bytes expected, the file has 2500' err)" 1
done
if has record; then
	for command in script report -D; do
		"$PT" help $command > /dev/null 2>&1 &&
			says 1 "perf.data: no such file; run 'pt record COMMAND' first" "$PT" $command
	done
fi

# Without /proc and /sys it is not the file that lacks something.
bare='mount --make-rprivate / && umount -l /sys && umount -l /proc && exec "$@"'
if has script && command -v perf > /dev/null &&
   perf record -q -a -e cpu-clock -o "$dir/kernel" sleep 0.2 2> /dev/null &&
   perf script -i "$dir/kernel" -F ip 2> /dev/null | grep -q ffffffff &&
   unshare -m sh -c "$bare" - true 2> /dev/null; then
	is "script names what is not mounted" "$(HOME=/none unshare -m sh -c "$bare" - \
		"$PT" script "$dir/kernel" 2>&1 | grep -a -c \
		'^pt: no kernel symbols: /proc is not mounted; mount -t proc proc /proc')" 1
else
	skip "kernel names without /proc: no perf, no unshare or no kernel samples here"
fi

# Where nothing is printed, a line says why.
if has script; then
	cd "$top" || exit 1
	root=test/golden/hello/root
	for options in "--pid 99" "--tid 99" "--comms none" "--dsos none" "--symbols none" \
		"--time 0,1" "-C 7"; do
		says 1 "^pt: $options: no sample matches in .*perf.data" \
			"$PT" script --symfs $root $options "$hello"
		has report && says 1 "^pt: $options: no sample matches in .*perf.data" \
			"$PT" report --symfs $root $options "$hello"
	done
	says 1 'no sample matches all' "$PT" script --symfs $root --comms perf-exec --dsos hello "$hello"
	says 1 '^pt: --pid takes numbers: 12,34' "$PT" script --pid abc "$hello"
	for option in symfs vdso vmlinux kallsyms kcore; do
		says 1 "^pt: --$option /none: No such file" "$PT" script --$option /none "$hello"
	done
	says 1 "no field 'tiem' here: did you mean time or tid" "$PT" script -F tiem "$hello"
	says 1 'no thread runs for a whole period; use --itrace=i0ns' "$PT" script \
		--symfs $root --itrace=i "$hello"
	says 1 "^pt: --itrace=bQe: unknown letter 'Q'" "$PT" script --itrace=bQe "$hello"
	changed "$hello" "$dir/foreign" AUXTRACE_INFO 8 '\003'
	says 1 'its trace is Arm CoreSight, but pt decodes Intel PT only' \
		"$PT" script --symfs "$root" --call-trace "$dir/foreign"
	changed "$hello" "$dir/zstd" AUXTRACE_INFO 0 '\121'
	says 1 'its COMPRESSED records \(zstd\) cannot be read; record without -z' \
		"$PT" script --symfs "$root" "$dir/zstd"
	changed "$hello" "$dir/psb" AUXTRACE 48 '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
	changed "$hello" "$dir/untold" AUXTRACE_INFO 0 '\110'
	for command in script report; do
		has $command || continue
		says 1 'psb: its trace has no PSB packet, where decoding begins; record more$' \
			"$PT" $command --symfs "$root" -i "$dir/psb"
		says 1 'untold: there are no samples; record longer$' \
			"$PT" $command --symfs "$root" -i "$dir/untold"
	done
	changed "$hello" "$dir/none" AUXTRACE 0 '\110'
	is "a long message is whole" "$("$PT" script -i "$(printf 'folder/%.0s' $(seq 150))none" \
		2>&1 | tail -c 26)" "folder/none: no such file"
	"$PT" script --symfs $dir/folder "$hello" > "$dir/out" 2> "$dir/err"
	is "missing code is summed up with what to do" "$(grep -c \
		'code of 1 file is missing: /opt/pt-data/bin/hello (.*); use --symfs DIR' \
		"$dir/err")" 1
	is "and how many branches of the trace that cost" \
		"$(sed -n 's/.* times, \([0-9]*\) branches not followed in 0[.].* ms.*/\1/p' "$dir/err")" \
		"$("$PT" -D "$hello" | awk '/ TNT / { sub(/.* TNT /, ""); sub(/ .*/, ""); n += length }
			/ TIP 0x/ { n++ } END { print n }')"
	echo 'psb; mode.exec 64; fup 0x1000; psbend; tnt N' | "$O/obj/ptasm" > "$dir/gap"
	is "no code at all is a failure" "$("$PT" script --itrace=b "$dir/gap" 2>&1; echo $?)" \
		"pt: 1 gap in the trace; pt script --itrace=e lists them
1"
fi

finish
