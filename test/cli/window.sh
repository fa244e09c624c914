#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# needs: WINDOW LIBELF
#
# The begin and the end of a listing, and what certain functions do.

. test/verdict

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
file=test/golden/hello/perf.data
hello() {
	"$PT" script --symfs test/golden/hello/root -i $file "$@" 2>&1
}

for how in --call-trace --insn-trace --itrace=be '--itrace=i10i -F ip,sym'; do
	# shellcheck disable=SC2086 -- options are words
	{
		hello $how > "$dir/all"
		hello $how --tail 7 > "$dir/tail"
		hello $how --head 7 > "$dir/head"
		hello $how --tail 1000000 > "$dir/whole"
	}
	is "$how --tail: the last lines" "$(cat "$dir/tail")" "$(tail -n 7 "$dir/all")"
	is "$how --head: the first ones" "$(cat "$dir/head")" "$(head -n 7 "$dir/all")"
	is "$how --tail: all, if there are no more" "$(cmp "$dir/whole" "$dir/all" 2>&1)" ''
done
# A sample with its call chain has several lines: it is printed as a whole.
hello --itrace=i10ig -F ip,sym > "$dir/all"
hello --itrace=i10ig -F ip,sym --tail 7 > "$dir/tail"
n=$(wc -l < "$dir/tail")
is "--tail: at least that number of lines" "$((n >= 7 && n < 20)) $(cat "$dir/tail")" \
	"1 $(tail -n "$n" "$dir/all")"
hello --insn-trace > "$dir/all"
is "the last instructions" "$(hello --insn-trace --last 9insns)" "$(tail -n 9 "$dir/all")"
hello --itrace=b -F flags,ip,addr > "$dir/all"
is "the last calls, with the branches between them" \
	"$(hello --itrace=b -F flags,ip,addr --last 3calls | sort | uniq -c | sort)" \
	"$(tail -n $(awk '/ call|syscall/ { at[++n] = NR } END { print NR - at[n - 2] + 1 }' "$dir/all") \
		"$dir/all" | sort | uniq -c | sort)"
is "branches of the last instructions" \
	"$(hello --itrace=b --last 1insns -F ip,sym | tail -n 1)" "$(hello --itrace=b -F ip,sym | tail -n 1)"

is "--depth: calls that are not deeper" "$(hello --call-trace --depth 2 -F sym,callindent |
	sed 's/ //g; /^$/d' | tr '\n' ' ')" "_start _start_c __init_libc libc_start_init main exit "
is "--from-symbol, --to-symbol: what is between" "$(hello --call-trace --from-symbol main \
	--to-symbol strlen -F sym,callindent | sed 's/ //g' | tr '\n' ' ')" "main strlen "
is "--to-symbol alone: what was before" "$(hello --insn-trace -F ip,sym \
	--to-symbol _start_c | awk '{ print $2 }' | sort -u | tr '\n' ' ')" "_start "
is "--who-calls: the calls of it" "$(hello --who-calls memcpy -F ip,sym,addr | sort -u |
	awk '{ print $2 }' | tr '\n' ' ')" \
	"$(hello --itrace=c -F ip,sym,addr | grep '=>.* memcpy' | sort -u | awk '{ print $2 }' |
		tr '\n' ' ')"
# The printed names are fwrite and static_init_tls.
is "--who-calls: by another name of the same address" \
	"$(hello --who-calls fwrite_unlocked -F ip,sym,addr)" \
	"$(hello --who-calls fwrite -F ip,sym,addr)"
is "-S: by another name of the same address" "$(hello -S x,__init_tls --itrace=be -F ip,sym)" \
	"$(hello -S static_init_tls --itrace=be -F ip,sym)"
is "--from-symbol, --to-symbol: by another name of the same address" "$(hello --call-trace \
	--from-symbol __init_tls --to-symbol fwrite_unlocked -F sym)" "$(hello --call-trace \
	--from-symbol static_init_tls --to-symbol fwrite -F sym)"
"$PT" report --help > /dev/null 2>&1 &&
	is "a profile of what is between" "$("$PT" report --stdio --symfs test/golden/hello/root -i $file \
	--itrace=i1i --from-symbol main --to-symbol strlen -s sym -F sample,sym -q 2> /dev/null |
	awk 'NF { print $1, $NF }')" "$(hello --insn-trace --from-symbol main --to-symbol strlen \
	-F ip,sym | awk '{ print $2 }' | sort | uniq -c | sort -rn | awk '{ print $1, $2 }')"

# refused WORDS LINE
refused() {
	# shellcheck disable=SC2086
	is "refused: $1" "$(hello $1 2>&1; echo $?)" "$(printf '%s\n1' "$2")"
}
refused '--who-calls frob' "pt: --who-calls frob: no such function begins in $file; 'pt report -s \
sym' lists what there is"
for how in '--insn-trace' '--itrace=bi1i'; do
	refused "$how --who-calls main" \
		'pt: --who-calls selects calls; use pt script or pt report, and --itrace=c or none'
done
"$PT" export --help > /dev/null 2>&1 && "$PT" export --help=formats | grep -q folded && {
	folded() {
		"$PT" export --folded --symfs test/golden/hello/root -i $file "$@" 2>&1
	}
	for n in 1 100 777; do
		is "export --last ${n}insns" "$(folded --last ${n}insns | awk '{ n += $NF } END { print n }')" $n
	done
	is "export --last 1000000insns: all of them" "$(folded --last 1000000insns)" "$(folded)"
	hello --itrace=bi1i -F event,flags > "$dir/all"
	is "export --last 9calls" "$(folded --last 9calls | awk '{ n += $NF } END { print n }')" \
		"$(tail -n "+$(awk '/branch.* call|branch.*syscall/ { at[++n] = NR }
			END { print at[n - 8] + 1 }' "$dir/all")" "$dir/all" | grep -c instructions)"
	is "export --last 1calls: nothing follows exit()" "$(folded --last 1calls; echo $?)" \
		"$(printf '%s\n1' "pt: $file: the options select no instruction")"
	is "export --last: from a pipe" "$(folded --last 5calls -i - < $file; echo $?)" "$(printf '%s\n1' \
		'pt: --last of calls or instructions reads the file twice; store it first')"
}

refused '--tail 10us' "pt: $file does not say when it begins and ends; use --time"
tells='(see pt script --help)'
refused '--tail x' "pt: --tail takes a time: 10ms, 2s $tells"
refused '--last 0calls' "pt: --last takes a time: 10ms, 2s $tells"
refused '--depth x' "pt: --depth takes a number $tells"
refused '--time 0%-5% --head 1ms' "pt: --head and --time exclude each other $tells"

# A program calls functions of libc by way of a linkage table, the first time through the runtime
# linker; a tail call is a jump.
cat > "$dir/calls.c" << 'END'
#include <stdlib.h>
__attribute__((noinline)) void *tail(void) { asm volatile("nop"); return malloc(10); }
int main(void)
{
	for (int i = 0; i < 3; i++)
		free(malloc(i));
	free(tail());
	return 0;
}
END
for bind in lazy now; do
	if ! "$PT" --version -v | grep -q RECORD_SOFT=y ||
		! ${HOSTCC:-gcc} -O2 -fno-builtin -Wl,-z,$bind -o "$dir/calls" "$dir/calls.c" 2> /dev/null ||
		! "$PT" record -q --soft -o "$dir/calls.data" "$dir/calls" 2> /dev/null; then
		skip "calls of a library: there is no recorder, or no compiler"
	elif [ $bind = lazy ] && ! "$PT" script -i "$dir/calls.data" --itrace=b -F ip,sym |
		grep -q _dl_runtime_resolve; then
		skip "the first call of a library function: the runtime linker has no symbols"
	else
		is "--who-calls: calls of a library are those of the program, bound $bind" \
			"$("$PT" script -i "$dir/calls.data" --who-calls malloc -F ip,sym,addr,flags |
				sed -n 's/^ *\([a-z]*\) .* \([a-z]*\) =>.*/\1 \2/p' |
				grep -E ' (main|tail)$' | tr '\n' ' ')" \
			"call main call main call main jmp tail "
		is "their shares are a profile of callers, bound $bind" "$("$PT" report --stdio \
			-i "$dir/calls.data" --who-calls malloc --dsos calls -s sym -F sample,sym \
			2> /dev/null | awk '/^ / { print $1, $NF }')" "3 main
1 tail"
	fi
done

# memcpy has several forms with other names, of which the loader chooses one.
cat > "$dir/forms.c" << 'END'
#include <string.h>
char from[99], to[99];
int main(int argc, char **argv)
{
	for (int i = 0; i < 3; i++)
		memcpy(to, from, 90 + argc);
	return strlen(to);
}
END
for how in -Wl,-z,lazy -fno-plt -static '-fcf-protection -Wl,-z,now'; do
	# shellcheck disable=SC2086
	if "$PT" --version -v | grep -q RECORD_SOFT=y &&
		${HOSTCC:-gcc} -O1 -fno-builtin $how -o "$dir/forms" "$dir/forms.c" 2> /dev/null &&
		"$PT" record -q --soft -o "$dir/forms.data" "$dir/forms" 2> /dev/null &&
		{ [ "$how" != -Wl,-z,lazy ] || "$PT" script -i "$dir/forms.data" --itrace=b -F ip,sym |
			grep -q _dl_runtime_resolve; }; then
		for name in memcpy strlen; do
			"$PT" script -i "$dir/forms.data" --who-calls $name -F ip,sym 2> /dev/null
		done | grep -c ' main$' > "$dir/got"
		is "--who-calls: a function that has several forms, $how" "$(cat "$dir/got")" 4
		into_main() {
			"$PT" script -i "$dir/forms.data" --itrace=b -F ip,sym,addr "$@" 2> /dev/null |
				grep -v ' main =>' | grep ' main$'
		}
		into_main --from-symbol memcpy --to-symbol strlen > "$dir/between"
		# The three copies return, strlen does not: it is the end.
		[ "$how" != -fno-plt ] || is "--from-symbol and --to-symbol: the same" \
			"$(into_main | tail -n 2 | while read -r line; do
				grep -cF "$line" "$dir/between"
			done | tr '\n' ' ')" "3 0 "
	else
		skip "calls of memcpy, $how: there is no recorder, no compiler, or ld.so has no symbols"
	fi
done

if "$PT" --version -v | grep -q RECORD_SOFT=y &&
	"$PT" record -q --soft -o "$dir/it.data" true 2> /dev/null; then
	"$PT" script --ns -F time,ip --itrace=be -i "$dir/it.data" | sed 's/[.:]//g' > "$dir/all"
	"$PT" script --ns -F time,ip --itrace=be -i "$dir/it.data" --tail 3ms |
		sed 's/[.:]//g' > "$dir/tail"
	"$PT" script --ns -F time,ip --itrace=be -i "$dir/it.data" --head 5ms |
		sed 's/[.:]//g' > "$dir/head"
	is "--tail of a time is the end" \
		"$(tail -n "$(wc -l < "$dir/tail")" "$dir/all" | cmp - "$dir/tail" 2>&1)" ''
	is "--head of a time is the begin" \
		"$(head -n "$(wc -l < "$dir/head")" "$dir/all" | cmp - "$dir/head" 2>&1)" ''
else
	skip "times: there is no recorder"
fi
finish
