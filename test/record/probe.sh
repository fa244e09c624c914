#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: all
# needs: CMD_PROBE CMD_STAT
#
# pt probe: probes in a program are added, listed, counted and removed.

. test/verdict

dir=$(mktemp -d)
group=pttest$$
trap '"$PT" probe -d "$group:*" > /dev/null 2>&1; rm -rf "$dir"' EXIT

probe() {
	"$PT" probe "$@" 2>&1 | tr -s " "
}

is "nothing to do is one line" "$(probe)" "pt: no probe is given; see pt probe --help"
if [ ! -w /sys/kernel/tracing/uprobe_events ]; then
	skip "probes: this machine lets nobody add one"
	finish
	exit
fi
cat > "$dir/prog.c" << 'END'
__attribute__((noinline)) int work(int n)
{
	volatile int i, s = 0;

	for (i = 0; i < n; i++)
		s += i * n;
	return s;
}

int _work(int n) __attribute__((alias("work")));

int main(int argc, char **argv)
{
	int i, t = 0;

	for (i = 0; i < 5; i++)
		t += work(argc + i);
	return t == 99;
}
END
if ! ${HOSTCC:-gcc} -g -O1 -o "$dir/prog" "$dir/prog.c" 2> /dev/null; then
	skip "probes: there is no compiler"
	finish
	exit
fi

is "a probe is added" "$(probe -x "$dir/prog" "$group:a=work")" "Added new event:
 $group:a (on work in $dir/prog)

For example: pt stat -a -e ... sleep 1, pt record -e ... COMMAND"
is "one for the return of a function, with its value" \
	"$(probe -x "$dir/prog" "$group:b=work%return \$retval" | sed -n 2p)" \
	" $group:b__return (on work%return in $dir/prog with arg1)"
is "a name is taken once" "$(probe -x "$dir/prog" "$group:a=main")" \
	"pt: there is a probe $group:a already; remove it with -d, or use -f"
is "or gets a number" "$(probe -f -x "$dir/prog" "$group:a=work v=%ax" | sed -n 2p)" \
	" $group:a_1 (on work in $dir/prog with v)"
is "they are listed by their symbols" "$(probe -l | grep "$group")" \
" $group:a (on work in $dir/prog)
 $group:b__return (on work%return in $dir/prog with arg1)
 $group:a_1 (on work in $dir/prog with v)"
is "they are counted" "$("$PT" stat -x, -e "$group:*" "$dir/prog" 2>&1 | cut -d, -f1 | tr '\n' ' ')" \
	"5 5 5 "
if "$PT" --version -v | grep -q SRCLINE=y; then
	is "a line is a place, too" "$(probe -n -x "$dir/prog" "$group:c=prog.c:7" |
		grep -c "p:$group/c $dir/prog:0x")" 1
	is "so is one of a function, counted from its declaration" \
		"$(probe -n -x "$dir/prog" "$group:c=work:6")" \
		"$(probe -n -x "$dir/prog" "$group:c=prog.c:7")"
	is "line 0 is its begin" "$(probe -n -x "$dir/prog" "$group:c=work:0")" \
		"$(probe -n -x "$dir/prog" "$group:c=work")"
	is "a line has a name of its own" \
		"$(probe -n -x "$dir/prog" work:6 | sed 's/.*probe_prog.\([^ ]*\) .*/\1/')" work_L6
	is "a function of a file" "$(probe -n -x "$dir/prog" "$group:c=work@prog.c:6")" \
		"$(probe -n -x "$dir/prog" "$group:c=prog.c:7")"
	is "of a file that does not have it" "$(probe -n -x "$dir/prog" work@main.c)" \
		"pt: $dir/prog has no function 'work' of 'main.c'"
	for dwarf in 2 3 4 5; do
		${HOSTCC:-gcc} -gdwarf-$dwarf -gstrict-dwarf -O1 -o "$dir/d$dwarf" "$dir/prog.c" \
			2> /dev/null || continue
		is "DWARF $dwarf" "$(probe -n -x "$dir/d$dwarf" "$group:c=work:6")" \
			"$(probe -n -x "$dir/d$dwarf" "$group:c=prog.c:7")"
	done
	# Damage: it is an error or another line, and pt ends.
	cp "$dir/prog" "$dir/hurt"
	at=$((0x$(readelf -SW "$dir/prog" | sed -n 's/.* \.debug_info *[A-Z]* *[0-9a-f]* \([0-9a-f]*\) .*/\1/p')))
	for i in 0 4 8 12 13 14 20 30 40 50 60 70 80 90; do
		printf '\377\377\377' | dd of="$dir/hurt" bs=1 seek=$((at + i)) conv=notrunc 2> "$dir/dd"
		timeout 20 "$PT" probe -n -x "$dir/hurt" "$group:c=work:6" > "$dir/out" 2>&1
		[ $? -le 1 ] && pass || flunk "damage at $i" "$(cat "$dir/out")"
	done
	is "a line without code is said" "$(probe -x "$dir/prog" prog.c:99)" \
		"pt: $dir/prog has no code of 'prog.c:99', or no line numbers"
fi
is "a function has several names" "$(probe -n -x "$dir/prog" _work | sed 's/:0x.*//')" \
	"p:probe_prog/_work $dir/prog"
is "a function that is not there is said" "$(probe -x "$dir/prog" nothing)" \
	"pt: $dir/prog has no function 'nothing'"
is "an offset ends with its function" "$(probe -x "$dir/prog" work+9999 | sed 's/has [0-9]*/has N/')" \
	"pt: work+9999 is after the end of work, which has N bytes"
is "what the kernel refuses is said" "$(probe -x "$dir/prog" "$group:d=work %zz" | cut -d: -f1,2)" \
	"pt: the kernel refuses '$group"
is "a variable is not a register" "$(probe -x "$dir/prog" "$group:d=work n=count")" \
	"pt: 'count': pt reads no variables; give a register, as in 'malloc size=%di'"
is "values may be words of their own" \
	"$(probe -n -x "$dir/prog" "$group:e=work" v=%ax "\$stack1" "$group:f=main" | sed 's/:0x[^ ]*//; s/ >>.*//')" \
	"p:$group/e $dir/prog v=%ax arg2=\$stack1
p:$group/f $dir/prog"
is "-n changes nothing" "$(probe -n -d "$group:a*" | sort)" \
"-:$group/a >> /sys/kernel/tracing/uprobe_events
-:$group/a_1 >> /sys/kernel/tracing/uprobe_events"
is "probes are removed by a pattern" "$(probe -d "$group:a*" | sort)" "Removed event: $group:a
Removed event: $group:a_1"
is "others stay" "$(probe -l | grep -c "$group")" 1
is "what is not there is not removed" "$(probe -d "$group:zz")" \
	"pt: -d $group:zz: there is no such probe; see pt probe -l"
if perf --version > /dev/null 2>&1; then
	has_perf && "$PT" --version -v | grep -q SRCLINE=y && for line in 5 6; do
		is "perf's place of work:$line" \
			"$(probe -n -x "$dir/prog" work:$line | grep -o '0x[0-9a-f]*')" \
			"$(perf probe -q -x "$dir/prog" -D work:$line 2> /dev/null | head -n 1 |
				grep -o '0x[0-9a-f]*' | sed 's/0x0*/0x/')"
	done
	is "perf lists the same" "$(perf probe -l 2> /dev/null | grep -c "$group:b__return")" 1
fi
finish
