# Where a period is longer than 2^8, a TMA has not all bits of an MTC: those of the first MTC count.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	start
	nop
end:	hlt
--- trace
psb; tsc 2000000; tma 0x8000 0; cbr 20; mode.exec 64; fup @start; psbend; tnt T; mtc 0x59; tnt T; mtc 0x5a; tnt T
--- pt script -i {trace} {map} --itrace=b --ns -F time,ip,addr --nom-freq 10 --tsc-ratio 2/1 --mtc 12
    0.002000000:              1000 =>             1000
    0.002008192:              1000 =>             1000
    0.002016384:              1000 =>             1000
--- trace
psb; tsc 2000000; tma 0x8000 0; cbr 20; mode.exec 64; fup @start; psbend; tnt T; mtc 0x48; tnt T; mtc 0x49; tnt T
--- pt script -i {trace} {map} --itrace=b --ns -F time,ip,addr --nom-freq 10 --tsc-ratio 2/1 --mtc 12
    0.002000000:              1000 =>             1000
    0.002131072:              1000 =>             1000
    0.002139264:              1000 =>             1000
