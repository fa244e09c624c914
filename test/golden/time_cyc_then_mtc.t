# An MTC that says less than the cycles did does not turn the time back.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	start
	nop
end:	hlt
--- trace
psb; tsc 2000; tma 0 0; cbr 20; mode.exec 64; fup @start; psbend; cyc 1000; tnt T; mtc 1; tnt T; mtc 2; tnt T
--- pt script -i {trace} {map} --itrace=b --ns -F time,ip,addr --nom-freq 20 --tsc-ratio 80/1 --mtc 3
    0.000001500:              1000 =>             1000
    0.000001500:              1000 =>             1000
    0.000001640:              1000 =>             1000
