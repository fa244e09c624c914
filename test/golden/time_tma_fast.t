# TMA's second part is how many ticks ago its counter changed, and its low bits how far the period
# had gone.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	start
	nop
end:	hlt
--- trace
psb; tsc 2000; tma 12 40; cbr 20; mode.exec 64; fup @start; psbend; tnt T; mtc 2; tnt T
--- pt script -i {trace} {map} --itrace=b --ns -F time,ip,addr --nom-freq 20 --tsc-ratio 80/1 --mtc 3
    0.000001000:              1000 =>             1000
    0.000001140:              1000 =>             1000
