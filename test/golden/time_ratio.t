# A ratio of the TSC to the crystal clock that is not a whole number.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	start
	nop
end:	hlt
--- trace
psb; tsc 200000; tma 0 0; cbr 20; mode.exec 64; fup @start; psbend; tnt T; mtc 1; tnt T; mtc 4; tnt T
--- pt script -i {trace} {map} --itrace=b --ns -F time,ip,addr --nom-freq 10 --tsc-ratio 175/3 --mtc 0
    0.000200000:              1000 =>             1000
    0.000200058:              1000 =>             1000
    0.000200233:              1000 =>             1000
