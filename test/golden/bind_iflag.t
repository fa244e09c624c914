# MODE.Exec before a FUP: only the interrupt flag changed, at that instruction.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	cli
b:	nop
end:	hlt
--- trace
psb; mode.exec 64 if; fup @start; psbend; mode.exec 64; fup @a; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=Ibe -F synth,ip --event-trace
 IFLAG: 1->0 non branch                        1001
             1003
