# --graph-function: what a function called, until it returns; not what its caller did then.
# needs: CMD_SCRIPT SCRIPT_MORE PERF_DATA LIBELF
--- elf 0x401000 code
	.type main, @function
main:	call f
m1:	call g
m2:	jmp main
	.size main, . - main
	.type f, @function
f:	call g
	ret
	.size f, . - f
	.type g, @function
g:	nop
	ret
	.size g, . - g
--- trace
psb; tsc 1000; mode.exec 64; fup @main; psbend; tnt TTTTTT; fup @main; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace trace 1000
--- perf script -i {data} --symfs . --graph-function f --itrace=b -F ip,sym,addr 2> err
           401000 main =>           40100c f
           40100c f =>           401012 g
           401011 f =>           401005 m1
           401005 m1 =>           401012 g
           401000 main =>           40100c f
           40100c f =>           401012 g
           401011 f =>           401005 m1
           401005 m1 =>           401012 g
--- perf script -i {data} --symfs . --graph-function g --itrace=cr -F ip,sym,callindent 2> err
        g                                  40100c f
    g                                      401005 m1
        g                                  40100c f
    g                                      401005 m1
