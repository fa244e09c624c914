# pt crash: what is a signal handler, and what it returns to.
# needs: CMD_CRASH LIBELF
--- elf 0x401000 code
	.type _start, @function
_start:	call work
s1:	jmp _start
	.size _start, . - _start
	.type work, @function
work:	nop
sys:	.byte 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x0f, 0x05
w1:	call inner
w2:	ret
	.size work, . - work
	.type inner, @function
inner:	nop
i1:	mov rax, [rax]
i2:	ret
	.size inner, . - inner
	.type handler, @function
handler: syscall
h1:	call inner
h2:	hlt
	.size handler, . - handler

# Tracing goes on after the longest instruction that there is: no handler. Then a handler, which
# begins where the signal could have returned to if that had been one.
--- trace longest
psb; tsc 1000; mode.exec 64; fup @_start; psbend
tip.pgd; tip.pge @w1
fup @i1; tip.pgd; tip.pge @sys
fup @sys; tip.pgd

# A handler makes a system call before it calls anything, and returns from within a call.
--- trace handled
psb; tsc 1000; mode.exec 64; fup @w1; psbend
fup @i1; tip.pgd; tip.pge @handler
tip.pgd; tip.pge @h1
fup @i2; tip.pgd; tip.pge @i1
fup @i1; tip.pgd
--- data longest.data
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
info per_cpu=0 switch=0
at 7 7 0 0
comm prog
mmap 0x401000 0x1000 0x1000 /code
trace longest 1000 idx=0 tid=7 cpu=0xffffffff
--- data handled.data
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
info per_cpu=0 switch=0
at 7 7 0 0
comm prog
mmap 0x401000 0x1000 0x1000 /code
trace handled 1000 idx=0 tid=7 cpu=0xffffffff
--- pt crash -i longest.data --symfs .
the end of prog/7
#0 sys+0x0 (code)
#1 i1+0x0, interrupted by a signal
#2 w1+0x5
#3 _start+0x5
The last calls and branches, the innermost last:
  _start+0x0 (code) calls work
    sys+0x0 system call
    w1+0x0 calls inner
      i1+0x0 is interrupted
      goes on at sys
      sys is the last that is known
--- pt crash -i handled.data --symfs .
the end of prog/7
#0 i1+0x0 (code)
#1 w1+0x5
The last calls and branches, the innermost last:
  w1+0x0 (code) calls inner
    i1+0x0 is interrupted
    goes on at handler
    handler+0x0 system call
    handler+0x2 calls inner
      i2+0x0 is interrupted
    goes on at i1
    i1 is the last that is known
