# After lost packets it is not known how many cycles passed: time goes on with the next MTC.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	start
	nop
end:	hlt
--- trace
psb; tsc 2000; tma 0 0; cbr 20; mode.exec 64; fup @start; psbend; cyc 100; tnt T; ovf; fup @start; cyc 100; tnt T; mtc 3; tnt T; cyc 100; tnt T
--- pt script -i {trace} {map} --itrace=be --ns -F time,ip,addr --nom-freq 20 --tsc-ratio 80/1 --mtc 3
    0.000001050:              1000 =>             1000
 instruction trace error type 1 time 0.000001050 cpu -1 pid -1 tid -1 ip 0x1000 code 7: Overflow packet
    0.000001050:                 0 =>             1000
    0.000001100:              1000 =>             1000
    0.000001960:              1000 =>             1000
    0.000001960:              1000 =>             1000
