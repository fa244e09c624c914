# Without a TSC the time is 0.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	start
	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt T
--- pt script -i {trace} {map} --itrace=b --ns -F time,ip,addr --nom-freq 20 --tsc-ratio 80/1 --mtc 3
    0.000000000:              1000 =>             1000
