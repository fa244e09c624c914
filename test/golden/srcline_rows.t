# Lines of code: a row of the line table may go back by the largest step, at the same address. The
# last row of an address counts.
# needs: CMD_SCRIPT SRCLINE LIBELF
--- elf 0x401000 code
	.file 1 "one.c"
	.type _start, @function
_start:	.loc 1 10
	.loc 1 5
	nop
	.loc 1 20
s1:	nop
	.loc 1 15
s2:	nop
s3:	nop
	.size _start, . - _start
--- trace
psb; tsc 1000; mode.exec 64; fup @_start; psbend
fup @s3; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
info per_cpu=0 switch=0
at 7 7 0 0
comm prog
mmap 0x401000 0x1000 0x1000 /code
trace trace 1000 idx=0 tid=7 cpu=0xffffffff
--- pt script -i {data} --symfs . --itrace=i1i -F ip,sym,srcline
           401000 _start
  one.c:5
           401001 s1
  one.c:20
           401002 s2
  one.c:15
