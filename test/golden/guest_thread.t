# A guest that a thread runs which is not the first of its process: its calls are those of that thread.
# needs: CMD_SCRIPT PERF_DATA GUESTS LIBELF
--- elf 0x401000 code
	.type _start, @function
_start:	call work
	nop
	.size _start, . - _start
	.type work, @function
work:	vmlaunch
w1:	nop
	.size work, . - work
	.type inguest, @function
inguest: call gfun
g1:	nop
	.size inguest, . - inguest
	.type gfun, @function
gfun:	nop
g2:	ret
	.size gfun, . - gfun
--- trace
psb; tsc 1000; mode.exec 64; pip 0x1000; fup @_start; psbend
pip 0x5000 nr; tip @inguest; tsc 2000; tnt T
tsc 3000; fup @g1; pip 0x1000; tip @w1; fup @w1; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm code
mmap 0x401000 0x1000 0x1000 /code
at 7 8 0 0
record 7 7:7 8:7 0
at 7 8 0 990
record 12 7:8
trace trace 1000
--- perf script -i {data} --symfs . --guest-code --itrace=cr -F tid,ip,sym,callindent 2> err
    8     work                                   401000 _start
    8                                            401006 work
    8 inguest                                         0 [unknown]
    8 gfun                                       40100a inguest
    8 gfun                                       401011 gfun
    8                                            40100f inguest
    8             work                                0 [unknown]
    8             work                           401009 work
--- pt script -i {data} --symfs . --guest-code --itrace=i1ig -F ip,sym 2> err | grep . | tail -n 20
	            1000 _start
	            1006 work
	            1005 _start
	            100a inguest
	            1009 work
	            1005 _start
	            1010 gfun
	            100f inguest
	            1009 work
	            1005 _start
	            1011 gfun
	            100f inguest
	            1009 work
	            1005 _start
