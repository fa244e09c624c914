# g: call chains with instructions. G: with samples of other events, which the trace tells.
# needs: CMD_SCRIPT PERF_DATA LIBELF
--- elf 0x401000
	.type main, @function
main:	call f
back:	jmp main
	.size main, . - main
	.type f, @function
f:	nop
	call g
fb:	ret
	.size f, . - f
	.type g, @function
g:	nop
g1:	ret
	.size g, . - g
--- trace
psb; tsc 1000; mode.exec 64; fup @main; psbend; tsc 2000; tnt T; tsc 3000; tnt T; tsc 4000; tnt T; tsc 5000; fup @fb; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 0 ip,tid,time,period,cpu,identifier
info
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace trace 1000
tool 9 misc=2 101 @g1 7:7 3500 0 1
--- perf script -i {data} --symfs . --itrace=i4ig -F ip,sym 2> err | grep .
	            100e g
	            100d fb
	            1005 back
	            1000 main
           40100f g1
	            100f g1
	            100d fb
	            1005 back
--- perf script -i {data} --symfs . --itrace=i4ig2 -F ip,sym 2> err | grep .
	            100e g
	            100d fb
	            1000 main
           40100f g1
	            100f g1
	            100d fb
--- perf script -i {data} --symfs . --itrace=xG -F event,ip,sym 2> err | grep .
        cpu-clock:HG: 
	            100d fb
	            1005 back
