# An MTC equal to the last one is a whole turn later. The first one after a TMA is later than it.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	start
	nop
end:	hlt
--- trace
psb; tsc 2000; tma 8 0; cbr 20; mode.exec 64; fup @start; psbend; tnt T; mtc 2; tnt T; mtc 2; tnt T; mtc 3; tnt T
--- pt script -i {trace} {map} --itrace=b --ns -F time,ip,addr --nom-freq 20 --tsc-ratio 80/1 --mtc 3
    0.000001000:              1000 =>             1000
    0.000001320:              1000 =>             1000
    0.000083240:              1000 =>             1000
    0.000083560:              1000 =>             1000
