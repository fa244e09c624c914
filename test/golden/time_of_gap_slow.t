# At half the frequency the same takes twice as long.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
	nop
	nop
	jne	bad
bad:	.byte	0x06
end:	hlt
--- trace
psb; tsc 2000; cbr 10; mode.exec 64; fup @start; psbend; tnt N; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=e --ns --nom-freq 20
 instruction trace error type 1 time 0.000001008 cpu -1 pid -1 tid -1 ip 0x1005 code 5: Failed to get instruction
