# x: transactions.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; mode.tsx in; fup @a; mode.tsx; fup @b; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=x -F ip
             1001
             1002
