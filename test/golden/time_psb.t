# A PSB+ has a TSC of its own.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	start
	nop
end:	hlt
--- trace
psb; tsc 2000; tma 0 0; cbr 20; mode.exec 64; fup @start; psbend; tnt T; psb; tsc 9000; tma 0 0; mode.exec 64; fup @start; psbend; tnt T
--- pt script -i {trace} {map} --itrace=b --ns -F time,ip,addr --nom-freq 20 --tsc-ratio 80/1 --mtc 3
    0.000001000:              1000 =>             1000
    0.000004500:              1000 =>             1000
