#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: CMD_INFO
#
# pt info: this machine, and a file.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

"$PT" info > "$dir/here"
is "its status is its first line" "$?:$(sed -n '1s/^Intel PT  *\([a-z]*\) .*/\1/p' "$dir/here" |
	sed 's/yes/0/; s/no/1/')" "$(grep -c '^Intel PT  *no' "$dir/here"):$(
	grep -c '^Intel PT  *no' "$dir/here")"
is "a line is a name, yes, no or -, and words" \
	"$(grep -vE '^([A-Za-z ]{15} (yes |no  |-   ) |  {19,}(->|errata:) )[^ ]' "$dir/here")" ""
is "there are twelve, and one of the sandbox" "$(grep -c '^[A-Za-z]' "$dir/here")" \
	$((12 + $("$PT" --version -v | grep -c 'sandbox of')))
is "no line is wider than 80 columns" "$(grep -v '^processor' "$dir/here" | awk 'length > 80')" ""
case $(grep '^processor' "$dir/here") in
*AuthenticAMD*)
	is "AMD is told that there is no Intel PT" \
		"$(grep -c 'AMD has no Intel PT' "$dir/here"):$(grep -c pt_mode "$dir/here")" 1:0 ;;
*)
	skip "what AMD is told: this processor is another" ;;
esac
is "a container's EPERM is told from a missing right" \
	"$("$O/obj/judge/refuse" 298 1 "$PT" info | grep -c 'forbidden, probably by seccomp')" 1

# Without /proc or /sys the answer is that, and the command that mounts it.
without() {
	unshare -m sh -c 'mount --make-rprivate / && umount -l "$1" && shift && exec "$@"' - "$@"
}
if without /sys true 2> /dev/null; then
	without /sys "$PT" info > "$dir/out"
	is "no /sys is said" "$(grep -q -e '-> mount -t sysfs sysfs /sys$' "$dir/out"; echo $?)" 0
	is "and not that there is no PMU" "$(grep -c 'has no PMU' "$dir/out")" 0
	without /proc "$PT" info > "$dir/out"
	is "no /proc is said" "$(grep -q -e '-> mount -t proc proc /proc$' "$dir/out"; echo $?)" 0
	is "and root is known to be root without it" \
		"$(grep '^rights' "$dir/out" | cut -c 1-20)" "$(grep '^rights' "$dir/here" | cut -c 1-20)"
	mount='/proc is not mounted; mount -t proc proc /proc'
	if "$PT" --version -v | grep -q CONFIG_CMD_STAT=y; then
		is "pt stat -p names it" "$(without /proc "$PT" stat -p 1 true 2>&1)" \
			"pt: cannot count '1': $mount"
	fi
	if "$PT" --version -v | grep -q CONFIG_CMD_TRACE=y; then
		is "so does pt trace, and says no more" "$(without /proc "$PT" trace --soft true 2>&1)" \
			"pt: cannot record in software: $mount"
	fi
else
	skip "what is said without /proc and /sys: they cannot be taken away here"
fi
is "what no PMU gives is advice" "$("$PT" info --sysfs "$dir" | sed -n '2s/ *\(->\).*/\1/p')" "->"

caps=$dir/bus/event_source/devices/intel_pt/caps
mkdir -p "$caps"
echo 8 > "$caps/../type"
for cap in psb_cyc mtc ip_filtering; do echo 1 > "$caps/$cap"; done
echo 0 > "$caps/ptwrite"
is "abilities are those of sysfs" "$("$PT" info --sysfs "$dir" | grep '^abilities')" \
	"abilities       yes  cycles, fine time, address filters; not ptwrite, power, events, notnt"

if ! "$PT" info --help | grep -q FILE; then
	skip "this build reads no files"
	finish
	exit
fi
file=test/golden/hello/perf.data
"$PT" info --symfs test/golden/hello/root $file > "$dir/file"
is "a file that reads is no failure" $? 0
for line in file command events records trace lost files 'to decode'; do
	is "there is a line on: $line" "$(grep -c "^$line " "$dir/file")" 1
done
is "what a decode misses is named" "$("$PT" info --symfs "$dir" $file | grep -c ': missing')" \
	"$("$PT" info --symfs "$dir" $file | sed -n 's/^to decode  *\([0-9]*\) of .*/\1/p')"

# patched FROM TO NAME AT BYTE: FROM with byte AT of each record NAME changed.
patched() {
	cp "$1" "$2"
	"$PT" -D "$1" 2> /dev/null |
		sed -n "s/.* \(0x[0-9a-f]*\) \[[^]]*\]: PERF_RECORD_$3\([ :].*\)*\$/\1/p" |
	while read -r off; do
		printf "$5" | dd of="$2" bs=1 seek=$((off + $4)) conv=notrunc 2> /dev/null
	done
}
if "$PT" help -D > /dev/null 2>&1; then
	patched $file "$dir/foreign" AUXTRACE_INFO 8 '\003'
	is "another architecture's trace is named" \
		"$("$PT" info "$dir/foreign" | grep -c -e '^ *of Arm CoreSight$' -e ' not by pt: .*CoreSight')" 2
	patched $file "$dir/zstd" MMAP2 0 '\121'
	is "what is compressed is not called empty" "$("$PT" info "$dir/zstd" |
		sed -n 's/^\(lost\|to decode\)  *\(not [a-z]*\).*/\2/p' | tr '\n' ,)" "not known,not by,"
	patched $file "$dir/unwritten" AUXTRACE 0 '\110'
	is "trace that was not written is lost" "$("$PT" info "$dir/unwritten" |
		grep -c '^lost  *the whole trace')" 1
else
	skip "files that are changed: this build has no -D to find records"
fi
# A static program: by single steps it takes a tenth of the time of others.
if "$PT" --version -v | grep -q CONFIG_BUNDLE=y && "$PT" record --help > /dev/null 2>&1 &&
   "$PT" record -q --bundle -o "$dir/bundle" "$PT" version > /dev/null 2> /dev/null; then
	is "what is in the bundle is not missing" "$("$PT" info --symfs "$dir" "$dir/bundle" |
		grep -c ": missing")" 0
else
	skip "files of a bundle: this build makes none"
fi
head -c 2000 $file > "$dir/cut"
is "a damaged file is told from a whole one" "$("$PT" info "$dir/cut" > "$dir/out" 2>&1; echo $?)" 1
is "no perf.data is one line" "$("$PT" info Makefile 2>&1 | wc -l)" 1
finish
