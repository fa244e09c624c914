# What is between --from-symbol and --to-symbol: calls may change in any way while nothing is
# selected. 'on' is called by p and by q, then by f, which p2 and q2 call from the same depth.
# needs: CMD_EXPORT EXPORT_FOLDED WINDOW PERF_DATA LIBELF
--- elf 0x401000 code
	.type main, @function
main:	nop
	.type p, @function
p:	call	on
	jmp	q
	.type q, @function
q:	call	on
	jmp	p2
	.type p2, @function
p2:	call	f
	jmp	q2
	.type q2, @function
q2:	call	f
	nop
end:	hlt
	.type f, @function
f:	call	on
	ret
	.type on, @function
on:	nop
	jmp	off
	.type off, @function
off:	ret
--- trace
psb; tsc 1000; mode.exec 64; fup @main; psbend; tnt TTTTTT; fup @end; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace trace 1000
--- pt export --folded -i {data} --symfs . --from-symbol on --to-symbol off
prog;p;on 2
prog;q;on 2
prog;p2;f;on 2
prog;q2;f;on 2
