# pt diff counts calls of the starts of functions; two processes have different code at one address.
# needs: CMD_DIFF PERF_DATA LIBELF
--- elf 0x401000 one
	.type _start, @function
_start:	call rax
s1:	jne _start
	hlt
	.size _start, . - _start
	.type work, @function
work:	nop
	ret
	.size work, . - work
--- elf 0x401000 two
	.type other, @function
other:	call rax
	jne other
	hlt
	.size other, . - other
	.type busy, @function
busy:	nop
	ret
	.size busy, . - busy
--- trace a
psb; tsc 1000; mode.exec 64; fup @_start; psbend
tip @work; tnt T; tnt T; tip 0x401006; tnt T; tnt T; tip @work; tnt T; tnt T
tsc 2000
tip @work; tnt T; tnt T; tip @work; tnt T; tnt T
fup @_start; tip.pgd
--- trace b
psb; tsc 1000; mode.exec 64; fup @_start; psbend
tip @work; tnt T; tnt T; tip 0x401006; tnt T; tnt T; tip 0x401006; tnt T; tnt T
tsc 2000
tip @work; tnt T; tnt T; tip @work; tnt T; tnt T
fup @_start; tip.pgd
--- data a.data
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm one
mmap 0x401000 0x1000 0x1000 /one
at 8 8 0 0
comm two
mmap 0x401000 0x1000 0x1000 /two
at 7 7 0 100
record 12 7:7
at 8 8 0 1900
record 14
trace a 1000
--- data b.data
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm one
mmap 0x401000 0x1000 0x1000 /one
at 8 8 0 0
comm two
mmap 0x401000 0x1000 0x1000 /two
at 7 7 0 100
record 12 7:7
at 8 8 0 1900
record 14
trace b 1000
--- pt diff a.data b.data --symfs .
one/7, one/7: the same for 6 branches, then:
    _start (one) calls work
    work+0x1 (one) returns to s1
    s1 (one) -> _start
    _start (one) calls work+0x1
    work+0x1 (one) returns to s1
    s1 (one) -> _start
A   _start (one) calls work
A   work+0x1 (one) returns to s1
A   s1 (one) -> _start
B   _start (one) calls work+0x1
B   work+0x1 (one) returns to s1
B   s1 (one) -> _start
two/8, two/8: the same way, 6 branches

   calls: A          B  function
          2          1  work (one)
--- pt diff --ignore two a.data b.data --symfs .
one/7, one/7: the same for 6 branches, then:
    _start (one) calls work
    work+0x1 (one) returns to s1
    s1 (one) -> _start
    _start (one) calls work+0x1
    work+0x1 (one) returns to s1
    s1 (one) -> _start
A   _start (one) calls work
A   work+0x1 (one) returns to s1
A   s1 (one) -> _start
B   _start (one) calls work+0x1
B   work+0x1 (one) returns to s1
B   s1 (one) -> _start

   calls: A          B  function
          2          1  work (one)
