# A TSC that goes back by less than 0x10000 leaves the time as it is.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	start
	nop
end:	hlt
--- trace
psb; tsc 2000; tma 0 0; cbr 20; mode.exec 64; fup @start; psbend; tsc 6000; tnt T; tsc 5000; tnt T; tsc 8000; tnt T
--- pt script -i {trace} {map} --itrace=b --ns -F time,ip,addr --nom-freq 20 --tsc-ratio 80/1 --mtc 3
    0.000003000:              1000 =>             1000
    0.000003000:              1000 =>             1000
    0.000004000:              1000 =>             1000
