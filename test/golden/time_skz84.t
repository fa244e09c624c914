# SKZ84: a TMA with a byte too many says nothing of the time; the MTC after it neither.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	start
	nop
--- trace
psb; tsc 2000; raw 02 73 00 00 01 00 00 00; cbr 20; mode.exec 64; fup @start; psbend; tnt T; mtc 1; tnt T; tsc 4000; tma 0 0; tnt T; mtc 1; tnt T
--- pt script -i {trace} {map} --itrace=b --ns -F time,ip,addr --nom-freq 20 --tsc-ratio 80/1 --mtc 3 --cpu-model 6/0x55
    0.000001000:              1000 =>             1000
    0.000001000:              1000 =>             1000
    0.000002000:              1000 =>             1000
    0.000002320:              1000 =>             1000
