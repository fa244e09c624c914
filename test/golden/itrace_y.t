# y: cycles, which CYC packets count.
# needs: CMD_SCRIPT CYCLE_SAMPLES
--- asm 0x1000
start:	jne	start
	nop
end:	hlt
--- trace
psb; tsc 2000; tma 0 0; cbr 20; mode.exec 64; fup @start; psbend; cyc 30; tnt T; cyc 50; tnt TT; cyc 7; tnt N; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=y1i -F event,period,ip --nom-freq 20
        30 cycles:              1000
        50 cycles:              1000
         7 cycles:              1000
--- pt script -i {trace} {map} --itrace=iy2i -F event,period,ip --nom-freq 20
         2 instructions:              1000
        80       cycles:              1000
         2 instructions:              1000
         7       cycles:              1000
