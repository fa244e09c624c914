#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# when: quick
# seconds: 5
# needs: CMD_CRASH RECORD_SOFT LIBELF
#
# pt crash: how a program died of a signal, recorded by both software recorders.

. test/live/judge

build crash

hows=--soft
! "$PT" --version -v | grep -q SOFT_TRANSLATE=y || hows='--soft --soft=translate'

# page FILE: the page, without places that depend on the libc, lines of the source and code.
page() {
	sed 's/ [a-z0-9_]*\.[csS]:[0-9]*//g; s/ (crash)//; s/crash\/[0-9]*/crash/; /^  [0-9a-f][0-9a-f] /d
		s/+0x[0-9a-f]*//g; s/address 0x[1-9a-f][0-9a-f]*/address N/' "$1"
}
# tells WAY HEAD [CAUSE]: frames and rows follow on standard input
tells() {
	way=$1
	shift
	cat > "$dir/want"
	for how in $hows; do
		timeout 300 $still "$PT" record -q $how -o "$dir/$way.data" "$dir/crash" $way \
			> /dev/null 2>&1
		echo $? > "$dir/status"
		"$PT" crash -i "$dir/$way.data" > "$dir/page" 2>&1
		page "$dir/page" > "$dir/text"
		is "$way, $how: the signal" "$(head -n $# "$dir/text")" "$(printf '%s\n' "$@")"
		while read -r line; do
			is "$way, $how: $line" "$(grep -cFx -- "$line" "$dir/text")" 1
		done < "$dir/want"
	done
}

tells list 'SIGSEGV in crash: address 0x0 is not mapped: a null pointer?' << 'END'
#0 walk
#1 list
#2 main
END
is "the status is the program's" "$(cat "$dir/status")" 139
is "the last rows are what led to it" "$(tail -n 3 "$dir/text" | sed 's/^ *//')" \
	"$(printf 'main calls list\nlist calls walk\nwalk SIGSEGV')"
if "$PT" --version -v | grep -q DISASM=y; then
	is "the instruction, and the register that it goes by" \
		"$(grep -c '^  [0-9a-f ]* mov[a-z]* .*(%r[a-z]*).* r[a-z]* 0x0$' "$dir/page")" 1
fi

tells null 'SIGSEGV in crash: address 0x0 is not mapped: a null pointer?' \
	'A null pointer was called: call_back went to 0x0' << 'END'
#0 0x0 (nothing is there)
END

# Of a smashed stack nothing is left but what the trace has.
tells smash 'SIGSEGV in crash: not a valid address, or a privileged instruction' << 'END'
END
is "the return address was overwritten, and by what" \
	"$(grep -cx 'Overwritten return address: 0x4141414141414141 is not a valid address' \
		"$dir/text")" 1
is "it happened at the return" "$(grep -c '^#0 smash$' "$dir/text")" 1
is "who called is in the trace" "$(grep -c '^#1 main$' "$dir/text")" 1
is "a loop is one row" "$(grep -c '^ *smash -> smash  (63 times)$' "$dir/text")" 1

tells deep 'SIGSEGV in crash: address N is not mapped' << 'END'
END
is "a stack overflow is called so" \
	"$(grep -c '^The stack is full at 0x[0-9a-f]*: endless recursion?' "$dir/text")" 1
is "its calls are one line" "$(grep -c '^#1 [0-9]* times deep$' "$dir/text")" 1
is "and who called first" "$(grep -c '^#[0-9]* main$' "$dir/text")" 1

tells handler 'SIGSEGV in crash: address 0x0 is not mapped: a null pointer?' << 'END'
#0 walk
#1 handler
END
is "a signal's handler is between what it interrupted and what it called" \
	"$(grep -c '^#2 .*, interrupted by a signal$' "$dir/text")" 1
is "what it interrupted was called, too" "$(grep -cx '#[0-9]* in_handler' "$dir/text")" 1

tells thread 'SIGSEGV in crash: address 0x0 is not mapped: a null pointer?' << 'END'
#0 walk
#1 thread
END
tells child 'SIGSEGV in crash: address 0x0 is not mapped: a null pointer?' << 'END'
#0 walk
#1 in_child
#2 main
END
tells divide 'SIGFPE in crash: division by zero, or of a number that is too large' << 'END'
#0 divide
END
if "$PT" --version -v | grep -q DISASM=y; then
	is "what it divides by is shown" "$(grep -c '^  [0-9a-f ]* idiv.*  [a-z0-9]* 0x0$' "$dir/page")" 1
fi
tells const 'SIGSEGV in crash: address N may not be accessed in this way (it is mapped)' << 'END'
#0 write_const
END
tells illegal 'SIGILL in crash: an illegal instruction' << 'END'
#0 illegal
END
tells abort 'SIGABRT in crash: it called abort' << 'END'
END
is "abort() has a caller" "$(grep -cx '#[0-9]* main' "$dir/text")" 1
tells assert 'SIGABRT in crash: it called abort' << 'END'
END
is "assert() has a caller" "$(grep -cx '#[0-9]* main' "$dir/text")" 1
tells term 'SIGTERM in crash: it sent it itself: raise() or kill()' << 'END'
END

# A child of the command.
"$PT" record --soft -o "$dir/sh.data" sh -c "\"$dir/crash\" list; true" 2> "$dir/said"
is "pt record says who died" "$(tail -n 1 "$dir/said" | sed 's/ [a-z0-9]*\.c:[0-9]*//')" \
	"pt: SIGSEGV in crash/$("$PT" crash -i "$dir/sh.data" | sed -n 's/^SIG.*\/\([0-9]*\):.*/\1/p') \
at walk+0x$("$PT" crash -i "$dir/sh.data" | sed -n 's/^#0 walk+0x\([0-9a-f]*\) .*/\1/p') (crash): \
address 0x0 is not mapped: a null pointer?; pt crash -i $dir/sh.data shows how it got there"
"$PT" record --soft -o "$dir/ok.data" true 2> "$dir/said"
is "nothing of that if nobody did" "$(grep -c 'pt crash' "$dir/said")" 0

# In one go.
"$PT" crash --soft "$dir/crash" list > "$dir/one" 2>&1
is "pt crash COMMAND has the command's status" $? 139
is "and the page" "$(page "$dir/one" | sed -n '1p; /^#0/p')" \
	"$(printf 'SIGSEGV in crash: address 0x0 is not mapped: a null pointer?\n#0 walk')"
is "it leaves no file" "$(cd "$dir" && ls perf.data 2> /dev/null)" ''
is "what does not die is said" "$("$PT" crash --soft sh -c 'echo out; exit 3' 2>&1; echo $?)" \
	"$(printf 'out\npt: sh ended with status 3: it did not die of a signal\n3')"
is "what is not there, too" "$("$PT" crash --soft /none 2>&1; echo $?)" \
	"$(printf 'pt: cannot run /none: No such file or directory\n127')"
"$PT" crash --soft -o "$dir/kept.data" "$dir/crash" abort > /dev/null 2>&1
is "-o keeps the trace" "$("$PT" crash -i "$dir/kept.data" | page /dev/stdin | head -n 1)" \
	'SIGABRT in crash: it called abort'
is "a file and a command exclude each other" "$("$PT" crash -i x y 2>&1)" \
	"pt: -i reads a file; leave out the command, or -i (see pt crash --help)"

# At the first call of a function the runtime linker of a libc with lazy binding searches for it.
cat > "$dir/lazy.c" << 'END'
#include <string.h>
char a[64], b[64];
int main(int argc, char **argv)
{
	return strspn(argv[0], a + argc) + *(volatile char *)(strlen(b) + argc);
}
END
if ${HOSTCC:-cc} -O0 -g0 -fno-builtin -no-pie -Wl,-z,lazy -o "$dir/lazy" "$dir/lazy.c" 2> /dev/null; then
	"$PT" crash --soft "$dir/lazy" > "$dir/page" 2>&1
	is "the search for a function is left out" "$(sed -n '/calls main/,$p' "$dir/page" |
		grep -c '_dl_fixup') $(grep -c '> main (lazy)\|calls main (lazy)' "$dir/page")" "0 1"
else
	skip "lazy binding: no compiler for this libc"
fi
is "what cannot be recorded ended with no status" "$(mkdir "$dir/folder"; "$PT" crash --soft \
	-o "$dir/folder" true 2>&1)" "pt: cannot write $dir/folder: Is a directory"
is "a TMPDIR that is not there" "$(TMPDIR=$dir/none "$PT" crash --soft true 2>&1 |
	sed 's/.*: //')" 'No such file or directory'

# A signal to pt alone is forwarded to its recorder.
mkfifo "$dir/fifo"
"$PT" crash --soft sh -c "echo > '$dir/begun'; read line <> '$dir/fifo'" > "$dir/out" 2>&1 &
until [ -s "$dir/begun" ]; do sleep 0.05; done
kill -TERM $!
wait $!
is "a signal ends what is recorded" "$? $(head -n 1 "$dir/out" | sed "s:/[0-9]*::")" \
	"143 SIGTERM in sh: asked to end"

# After Ctrl-C at the end of a long run, its end is enough.
if "$PT" --version -v | grep -q SOFT_TRANSLATE=y; then
	"$PT" crash --soft sh -c "while [ \$((i += 1)) -lt 100000 ]; do :; done; echo > '$dir/long'
		while :; do :; done" > "$dir/page" 2> "$dir/err" &
	until [ -s "$dir/long" ]; do sleep 0.05; done
	kill -INT $!
	wait $!
	is "Ctrl-C after a long run: only the end is read" \
		"$? $(grep -c '^#0' "$dir/page") $(sed 's/;.*//' "$dir/err")" \
		"130 1 pt: interrupted: calls that began long before are not shown"
fi

# Code of the program's own making, in one go: no file has the trace's name.
if "$PT" --version -v | grep -q SOFT_TRANSLATE=y; then
	cat > "$dir/made.c" << 'END'
#include <string.h>
#include <sys/mman.h>

/* xor %eax, %eax; test %eax, %eax; jne .+2; mov (%rax), %eax */
static const char code[] = "\x31\xc0\x85\xc0\x75\x00\x8b\x00";

int main(void)
{
	char *p = mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(p, code, sizeof(code));
	((void (*)(void))p)();
	return 0;
}
END
	$CC -O1 -static -no-pie -g0 -o "$dir/made" "$dir/made.c" || flunk "made compiles"
	"$PT" crash --soft "$dir/made" > "$dir/page" 2>&1
	is "code of the program's own making is known" "$(grep -c '^#0 .*(made by the program)$' \
		"$dir/page") $(grep -c '^#1 main' "$dir/page") $(grep -c 'gap' "$dir/page")" "1 1 0"
fi

# The registers of a breakpoint's death are those after it.
echo 'int main(void) { __asm__ volatile("int3"); return 0; }' > "$dir/breaks.c"
$CC -O1 -static -no-pie -g0 -o "$dir/breaks" "$dir/breaks.c" || flunk "breaks compiles"
for how in $hows --soft=step; do
	"$PT" crash $how "$dir/breaks" > "$dir/page" 2>&1
	is "$how: a breakpoint is no gap" "$(tail -n 2 "$dir/page" | sed 's/^ *//; s/+[^ ]*//; s/ (.*)//
		') $(grep -c gap "$dir/page")" "$(printf 'main software interrupt\nmain SIGTRAP 0')"
done

# A trace that tells of no signal.
is "where no signal is known, the end of the trace is shown" "$("$PT" crash \
	-i test/golden/hello/perf.data --symfs test/golden/hello/root 2>&1 | page /dev/stdin |
	grep -cx 'the end of hello/10018\|#0 _Exit (hello)\|#1 exit')" 3

if command -v perf > /dev/null; then
	is "perf reads the file" "$(perf script -i "$dir/list.data" --itrace=b -F ip,sym 2>&1 |
		tail -n 1 | awk '{ print $2 }') $(perf report -i "$dir/list.data" --stdio \
		--itrace=i1i 2>&1 | grep -c ' main$')" "walk 1"
fi

if python3 -c 'import pty' 2> /dev/null; then
	for way in list deep smash assert; do
		TERM=dumb test/cli/on_terminal "$PT" crash -i "$dir/$way.data" > "$dir/shown" 2>&1
		none "$way fits a terminal of 80x24" "$(awk 'length > 80 || NR > 23' "$dir/shown")"
	done
	is "-n is obeyed there, too" "$(TERM=dumb test/cli/on_terminal "$PT" crash -n 60 \
		-i "$dir/assert.data" | awk 'END { print (NR > 60) }')" 1
else
	skip "terminals: there is no python3"
fi
finish
