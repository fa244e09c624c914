# Between two MTCs that both follow a CYC, the length of a cycle is measured: here 640 ticks for 1,280
# cycles; the CBR says 640.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	start
	nop
end:	hlt
--- trace
psb; tsc 2000; tma 0 0; cbr 10; mode.exec 64; fup @start; psbend; cyc 320; mtc 1; tnt T; cyc 640; tnt T; cyc 640; mtc 2; tnt T
--- pt script -i {trace} {map} --itrace=b --ns -F time,ip,addr --nom-freq 10 --tsc-ratio 80/1 --mtc 3
    0.000002640:              1000 =>             1000
    0.000002960:              1000 =>             1000
    0.000003280:              1000 =>             1000

# More than 1.25 times what the CBR says: the core slept, and the CBR counts.
--- trace
psb; tsc 2000; tma 0 0; cbr 10; mode.exec 64; fup @start; psbend; cyc 320; mtc 1; tnt T; cyc 100; tnt T; cyc 100; mtc 2; tnt T
--- pt script -i {trace} {map} --itrace=b --ns -F time,ip,addr --nom-freq 10 --tsc-ratio 80/1 --mtc 3
    0.000002640:              1000 =>             1000
    0.000002740:              1000 =>             1000
    0.000003280:              1000 =>             1000

# What is between them may end the measurement: the end of tracing, lost packets, power, a new CBR.
--- trace
psb; tsc 2000; tma 0 0; cbr 10; mode.exec 64; fup @start; psbend; cyc 320; mtc 1; tnt T; cyc 640; tnt T; pwrx 1 1 1; cyc 640; mtc 2; tnt T
--- pt script -i {trace} {map} --itrace=b --ns -F time,ip,addr --nom-freq 10 --tsc-ratio 80/1 --mtc 3
    0.000002640:              1000 =>             1000
    0.000003280:              1000 =>             1000
    0.000003920:              1000 =>             1000
--- trace
psb; tsc 2000; tma 0 0; cbr 10; mode.exec 64; fup @start; psbend; cyc 320; mtc 1; tnt T; cyc 640; tnt T; cbr 20; cbr 9; cyc 640; mtc 2; tnt T
--- pt script -i {trace} {map} --itrace=b --ns -F time,ip,addr --nom-freq 10 --tsc-ratio 80/1 --mtc 3
    0.000002640:              1000 =>             1000
    0.000003280:              1000 =>             1000
    0.000003991:              1000 =>             1000
