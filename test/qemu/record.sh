#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# seconds: 100
# needs: RECORD_HW BUNDLE CMD_SCRIPT
#
# pt record in a guest whose kernel has a simulated Intel PT: every kind of recording is decoded by
# perf and by pt, and compared with the log of what ran.

. test/verdict

work=$O/obj/qemu

give_up() {
	skip "qemu: $1"
	finish
	exit
}

for program in perf python3; do
	command -v $program > /dev/null || give_up "there is no $program"
done
kernel=$(test/qemu/kernel "$work")
case $? in
1) give_up "$kernel" ;;
2)
	flunk "the module builds" "$kernel"
	finish
	exit
	;;
esac
gcc -O1 -g -static -no-pie -pthread -w -o "$work/branches" test/qemu/branches.c ||
	give_up "no static program can be built"
test/qemu/initrd "$work/full.cpio" +"$(command -v perf)" "$PT=bin/pt" \
	"$work/branches=bin/branches" "$work/fake_intel_pt.ko=fake_intel_pt.ko" \
	"$work/late_module.ko=late_module.ko" || give_up "no initramfs"

out=$work/out
rm -rf "$out"
test/qemu/boot -M truth_mb=16 -o "$out" "$kernel" "$work/full.cpio" \
	"LONG=$LONG
$(cat test/qemu/guest)" > "$work/console" 2>&1
status=$?
is "the guest does all it is told to" "$status" 0
[ $status = 0 ] || tail -n 20 "$work/console"

# Only one recording copies the kernel, which takes seconds in the guest.
mkdir "$out/folder" && mv "$out/inkernel.data" "$out/folder/data" &&
	cp -r "$out/both.data/kcore_dir" "$out/folder" && mv "$out/folder" "$out/inkernel.data"

# Decode here, with the guest's programs: qemu would take minutes.
root=$work/root
mkdir -p "$root/bin"
cp "$(command -v busybox)" "$PT" "$work/branches" "$root/bin"
script() {
	perf script -f --symfs "$root" "$@" -i "$out/$name.data" > "$out/$name.perf" 2> /dev/null
	"$PT" script --symfs "$root" "$@" -i "$out/$name.data" > "$out/$name.pt" 2> /dev/null
}
for name in full terms kernel thread all filter tracepoint pid tid cpu beside user snapshot control \
	again pebs inkernel both delay later switches $(cd "$out" && ls old*.data | sed 's/.data$//'); do
	script --itrace=b -F tid,ip,addr
done
for name in sample timeless theirs; do
	script --itrace=be
done
# A bundle needs nothing of the guest: here are other files, and another kernel.
"$PT" script --itrace=i20ie -i "$out/bundle.data" > "$out/bundle.away" 2>&1
# Where the trace ends inside a packet, perf goes on to read the rest of it as packets. The lines of
# the other CPU's threads, which may come later, are right.
for name in killed disk; do
	script --itrace=be -F tid,ip,addr
	awk '/code 3: Bad packet/ { sub(/.* tid /, ""); ended[$1] = 1; next } !($1 in ended)' \
		"$out/$name.perf" > "$out/front" && mv "$out/front" "$out/$name.perf"
	sed -i '/code 3: Bad packet$/d' "$out/$name.pt"
done
# perf knows no TRIG: it reads its bytes as other packets.
without_trig() {
	awk 'function end() { if (!(trig && bad && n <= 6)) printf "%s", lines; lines = "" }
		/^[0-9]/ { end(); trig = bad = n = 0 }
		/^< .* TRIG / { trig = 1 }
		/^> .* Bad packet!/ { bad = 1 }
		/^[<>]/ { lines = lines $0 "\n"; n++ }
		END { end() }'
}
for name in sample timeless; do
	perf script -f -D --symfs "$root" -i "$out/$name.data" > "$out/$name.dump" 2> /dev/null
	"$PT" script -D --symfs "$root" -i "$out/$name.data" 2> /dev/null |
		diff - "$out/$name.dump" | without_trig | grep -vE 'TRIG|Bad packet|PAD|TNT' \
		> "$out/$name.differs"
done
for name in small overflow; do
	script --itrace=e
done
for name in tracepoint beside; do
	perf script -f --no-itrace -i "$out/$name.data" > "$out/$name.samples" 2> /dev/null
done
cat "$out/pipe.data" | perf script --symfs "$root" --itrace=b -F tid,ip,addr -i - \
	> "$out/pipe.perf" 2> /dev/null
perf evlist -f -i "$out/killed.data" > "$out/killed.evlist"
for command in evlist buildid-list 'report --stdio' 'report --header-only -I'; do
	name=$(echo "$command" | tr -d ' -')
	perf $command -f -i "$out/full.data" > "$out/$name.out" 2> "$out/$name.err"
	echo $? > "$out/$name.status"
done

# says NAME WORDS: what it wrote to stderr has the words.
says() {
	if grep -qF "$2" "$out/$1.err"; then
		pass
	else
		flunk "$1 says: $2" "$(head -n 5 "$out/$1.err")"
	fi
}

ended() {
	is "$1 ends with $2" "$(cat "$out/$1.status")" "$2"
}

# alike WHAT OURS PERFS: two texts. Perf 6.2 and later have wider columns, and other names
# around a PLT.
has_perf && perf_6_1=1 || perf_6_1=
alike() {
	if [ "$perf_6_1" ]; then
		is "$1" "$(cksum < "$2")" "$(cksum < "$3")"
	else
		skip "$1: perf 6.1 is not here to judge"
	fi
}

# equal NAME [DECODERS [--front]]: what ran is what each decoder says.
equal() {
	decoders=${2:-perf pt}
	set -- "$1" "$3" $(for decoder in $decoders; do echo "$out/$1.$decoder"; done)
	name=$1 front=$2
	shift 2
	python3 test/qemu/compare.py $front "$out/$name.truth" "$@" > "$out/compared" 2>&1
	for decoder in $decoders; do
		read -r difference
		is "$name: what $decoder decodes is what ran" "$difference" ok
	done < "$out/compared"
}

for name in full terms kernel thread all filter pid tid cpu user pebs inkernel both switches \
	$(cd "$out" && ls old*.data | sed 's/.data$//'); do
	equal $name
done
ended again 0
for name in delay later; do
	equal $name 'perf pt' --front
	ended $name 0
	[ "$(wc -l < "$out/$name.pt")" -gt 100 ] && pass || flunk "$name: what begins later is recorded"
done
perf evlist -v -f -i "$out/break.data" | grep '^mem:' | grep -q 'sample_period.*: 1,' && pass ||
	flunk "each hit of a breakpoint is a sample" "$(perf evlist -v -f -i "$out/break.data")"
[ "$(grep -c . "$out/again.pt")" -gt 1000 ] && pass || flunk "-a goes on when it is told to"
for name in full terms kernel thread all filter user; do
	ended $name 5
	says $name "[ pt record: Captured and wrote "
done
for name in pid tid cpu beside; do
	ended $name 0
done
# With -a, pt is seen only where it goes to sleep and comes back.
perf script -f --symfs "$root" --itrace=b -F comm,ip,addr -i "$out/all.data" 2> /dev/null |
	awk '$1 == "pt"' | grep -oE '\b[0-9a-f]{6,}\b' | sort -u > "$out/own"
[ $((0x$(tail -n 1 "$out/own") - 0x$(head -n 1 "$out/own"))) -lt 300 ] && pass ||
	flunk "pt does not trace itself" "$(head "$out/own")"
grep -q cpu-clock "$out/beside.samples" && pass || flunk "another event is sampled beside PT"
grep -q 'sched:sched_switch: .*prev_comm=branches' "$out/tracepoint.samples" && pass ||
	flunk "a tracepoint is sampled, and its fields have names"
equal tracepoint
equal beside

for name in sample timeless theirs; do
	[ "$(wc -l < "$out/$name.perf")" -gt 1000 ] && pass || flunk "perf decodes trace in samples"
	alike "$name: pt decodes trace in samples as perf does" "$out/$name.pt" "$out/$name.perf"
done
for name in sample timeless; do
	if [ "$perf_6_1" ]; then
		is "$name: dumps are the same" "$(head -n 4 "$out/$name.differs")" ""
	else
		skip "$name: dumps: perf 6.1 is not here to judge"
	fi
	grep -q 'trace error' "$out/$name.perf" && flunk "$name: perf finds an error"
done
perf script -f --symfs "$root" --itrace=o -i "$out/pebs.data" > "$out/pebs.samples" 2> /dev/null
[ "$(grep -c fake_pebs "$out/pebs.samples")" -gt 50 ] && pass ||
	flunk "perf sees samples that are in the trace"
perf evlist -g -f -i "$out/sample.data" | grep -qxF "{intel_pt//u,cpu-clock/freq=997/u}" && pass ||
	flunk "a group is in the file"
for name in inkernel both; do
	script --itrace=be -F ip,sym,symoff,addr
	alike "$name: pt decodes the kernel as perf does" "$out/$name.pt" "$out/$name.perf"
	grep -q ' int_sqrt+' "$out/$name.pt" && pass || flunk "$name: its functions have names"
done

# perf takes up snapshots at the next PSB only, pt where the last one ended.
equal snapshot pt --front
equal control pt
is "the FIFO is answered" "$(tr '\n' ' ' < "$out/control.answers")" \
	"ping ack disable ack enable ack snapshot ack stop ack "
ended snapshot 143
ended control 0
equal killed 'perf pt' --front
equal disk 'perf pt' --front
grep -qx 'intel_pt//u' "$out/killed.evlist" && pass || flunk "a killed recording has names"
says disk "the disk is full"
ended disk 1

says small "trace was lost"
grep -q 'Lost trace data' "$out/small.perf" && pass || flunk "perf sees the loss"
grep -q 'Lost trace data' "$out/small.pt" && pass || flunk "pt sees the loss"
injected=$(sed 's/.*ovf=\([0-9]*\).*/\1/' "$out/overflow.stats")
is "perf sees each overflow" "$(grep -c 'Overflow' "$out/overflow.perf")" "$injected"
is "pt sees each overflow" "$(grep -c 'Overflow' "$out/overflow.pt")" "$injected"

[ "$(wc -l < "$out/pipe.perf")" -gt 1000 ] && pass || flunk "perf decodes a pipe"
is "--kcore makes a folder" "$(grep -cxE 'data|kcore_dir|kcore|kallsyms|modules' \
	"$out/kcore.files")" 5
is "--kcore: a list that cannot be read is an error" "$(cat "$out/unreadable.status"
	sed 's/: [^:]*$//' "$out/unreadable.err")" "1
pt: --kcore: cannot copy the kernel's code"
# code_of NAME FUNCTION: its first bytes in the copy of the kernel, a nop if nothing traces it
code_of() {
	python3 - "$out/$1.data/kcore_dir" $2 << 'END'
import struct, sys
at = [int(line.split()[0], 16) for line in open(sys.argv[1] + '/kallsyms')
      if line.split()[2] == sys.argv[2]][0]
core = open(sys.argv[1] + '/kcore', 'rb').read()
first, n = struct.unpack_from('<Q', core, 32)[0], struct.unpack_from('<H', core, 56)[0]
for i in range(n):
    offset, start, _, size = struct.unpack_from('<4Q', core, first + 56 * i + 8)
    if start <= at < start + size:
        print(core[offset + at - start:][:5].hex())
END
}
if [ "$(cat "$out/both.out")" = 1 ]; then
	is "--kcore copies the code from before the recording" "$(code_of both vfs_fsync)" \
		0f1f440000
else
	skip "the kernel has no kprobes"
fi
if "$PT" --version -v | grep -q KCORE_MODULES=y; then
	is "it has the code of a module that was loaded later" "$(code_of both late_work)" \
		0f1f440000
	is "and its line" "$(grep -c '^late_module ' "$out/both.data/kcore_dir/modules")" 1
else
	skip "modules that are loaded during a recording: not in this build"
fi
is "a bundle decodes on another machine" "$(cksum < "$out/bundle.away")" \
	"$(cksum < "$out/bundle.home")"
grep -q ' int_sqrt+' "$out/bundle.away" && pass || flunk "a bundle has the kernel's code"
# Where there is a kcore, code of modules is the kernel's to perf.
for name in bundle.perf bundle.home; do
	sed -E 's/\(\[(kernel.kallsyms|fake_intel_pt)\]\)/()/g' "$out/$name" > "$out/$name.plain"
done
alike "perf decodes a bundle" "$out/bundle.home.plain" "$out/bundle.perf.plain"
for name in evlist buildidlist reportstdio reportheaderonlyI; do
	ended $name 0
done
grep -qx 'intel_pt//u' "$out/evlist.out" && pass || flunk "perf evlist names the event"
grep -q ' /bin/branches$' "$out/buildidlist.out" && pass || flunk "perf buildid-list has the program"
for word in hostname 'os release' 'perf version' arch 'nrcpus online' cpudesc cpuid 'total memory' \
	cmdline 'sibling sockets' 'pmu mappings' 'time of first sample' 'intel_pt pmu capabilities: .*mtc_periods=249'; do
	grep -q "^# $word" "$out/reportheaderonlyI.out" && pass || flunk "the header has: $word"
done

says user "[ pt record: Captured and wrote "
says locked "more may not be locked"
ended locked 5
ended unlooked 5
ended wide 1
says wide "not permitted: perf_event_paranoid is 2"
ended denied 1
says denied "not permitted: perf_event_paranoid is 3"

says twice "exclude each other"
says alone "needs an event to sample"
says big "at most 60 KiB"
says value "Invalid mtc_period for intel_pt. Valid values are: 0,3,6,9"
says term "has no 'ptw'"
says action "this kernel has no aux-action"
says period "leave period= and freq= out"
says unknown "'nothing' is not a term of intel_pt"
ended nothing 127
says nofile "No such file or directory"
says badfilter "no symbol 'nothing' in /bin/branches"
says busy "Intel PT is in use"
says folder "Is a directory"
says rounded "5M is rounded to 8192 KiB"
says nouser "cannot trace 'nobody-here': there is no such user"
says regions "for filter and tracestop"
says nosize "has no size"
says filesize "File too large"
is "a file as large as may be opens" "$(tail -n 1 "$out/filesize.script")" 0
says fewfiles "No file descriptors available"
for name in folder nouser regions nosize fewfiles twice alone big value term action period unknown nofile badfilter busy; do
	ended $name 1
	is "$name is said in one line" "$(wc -l < "$out/$name.err")" 1
done
is "nothing is left behind" "$(grep -cE 'pt record|perf-exec' "$out/left.out")" 0
for name in nosys noproc noprocpid; do
	[ "$(cat "$out/$name.status")" -lt 128 ] && [ "$(wc -l < "$out/$name.err")" -le 4 ] && pass ||
		flunk "$name is a line, not a crash" "$(cat "$out/$name.err")"
done

finish
