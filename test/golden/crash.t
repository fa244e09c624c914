# pt crash: the thread that died; what it did before exec, and in a signal handler that returned,
# is not there. A step that a record divides counts once.
# needs: CMD_CRASH LIBELF
--- elf 0x401000 code
	.type _start, @function
_start:	call work
s1:	jmp _start
	.size _start, . - _start
	.type work, @function
work:	nop
w1:	call inner
w2:	ret
	.size work, . - work
	.type inner, @function
inner:	nop
i1:	mov rax, [rax]
i2:	ret
	.size inner, . - inner
	.type handler, @function
handler: call inner
h1:	hlt
	.size handler, . - handler
--- trace dies
psb; tsc 1000; mode.exec 64; fup @_start; psbend
fup @i1; tip.pgd
--- trace handled
psb; tsc 1000; mode.exec 64; fup @_start; psbend
fup @w1; tip.pgd; tip.pge @handler
fup @i2; tip.pgd; tip.pge @w1
fup @i1; tip.pgd
--- trace execs
psb; tsc 1000; mode.exec 64; fup @_start; psbend
fup @i1; tip.pgd
tsc 2000; tip.pge @_start
fup @w1; tip.pgd
--- trace ends
psb; tsc 2000; mode.exec 64; fup @_start; psbend
tip.pgd
--- trace divided
psb; tsc 1000; mode.exec 64; fup @_start; psbend
tsc 2000; tnt T; fup @w2; tip.pgd
--- data two
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
info per_cpu=0 switch=0
at 7 7 0 0
comm prog
mmap 0x401000 0x1000 0x1000 /code
record 7 7:7 8:7
at 7 8 0 0
comm other
trace dies 1000 idx=0 tid=7 cpu=0xffffffff
trace ends 2000 idx=1 tid=8 cpu=0xffffffff
--- data handled.data
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
info per_cpu=0 switch=0
at 7 7 0 0
comm prog
mmap 0x401000 0x1000 0x1000 /code
trace handled 1000 idx=0 tid=7 cpu=0xffffffff
--- data execs.data
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
info per_cpu=0 switch=0
at 7 7 0 0
comm prog
mmap 0x401000 0x1000 0x1000 /code
at 7 7 0 1500
record 3 misc=0x2000 7:7 "next"
record 1 misc=2 7:7 0x401000 0x1000 0x1000 "/code"
trace execs 1000 idx=0 tid=7 cpu=0xffffffff
--- data divided.data
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
info per_cpu=0 switch=0
at 7 7 0 0
comm prog
mmap 0x401000 0x1000 0x1000 /code
at 7 7 0 1500
comm prog
trace divided 1000 idx=0 tid=7 cpu=0xffffffff
--- pt crash -i two --symfs .
the end of prog/7
#0 inner+0x1 (code)
#1 w1+0x5
#2 _start+0x5
The last calls and branches, the innermost last:
  _start+0x0 (code) calls work
    w1+0x0 calls inner
      inner+0x1 is the last that is known
--- pt crash -i handled.data --symfs .
the end of prog/7
#0 inner+0x1 (code)
#1 w1+0x5
#2 _start+0x5
The last calls and branches, the innermost last:
  _start+0x0 (code) calls work
    w1+0x0 is interrupted
    goes on at handler
    handler+0x0 calls inner
      i2+0x0 is interrupted
    goes on at w1
    w1+0x0 calls inner
      inner+0x1 is the last that is known
--- pt crash -i execs.data --symfs .
the end of next/7
#0 w1+0x0 (code)
#1 _start+0x5
The last calls and branches, the innermost last:
  goes on at _start (code)
  _start+0x0 calls work
    w1 is the last that is known
--- pt crash -i divided.data --symfs .
the end of prog/7
#0 w2+0x0 (code)
#1 _start+0x5
The last calls and branches, the innermost last:
  _start+0x0 (code) calls work
    w1+0x0 calls inner
    i2+0x0 returns to w2
    w2 is the last that is known
