# CFE with an address: its FUP is the instruction, and the branch that follows is its own.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	iretq
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; cfe 2 0 ip; fup @a; tip @b; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=Ibe -F ip,addr,event
     evt:                0             1001
branches:              1001 =>             1003
branches:              1004 =>                0
