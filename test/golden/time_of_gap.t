# A gap has an estimated time: two cycles for each instruction since the last time that was told.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	jne	bad
	nop
bad:	.byte	0x06
end:	hlt
--- trace
psb; tsc 2000; cbr 20; mode.exec 64; fup @start; psbend; tnt N; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=e --ns --nom-freq 20
 instruction trace error type 1 time 0.000001009 cpu -1 pid -1 tid -1 ip 0x100b code 5: Failed to get instruction
