# MODE.TSX in it: the branches are in a transaction.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	a
a:	jne	b
b:	nop
c:	jmp	rax
end:	hlt
--- trace
psb; mode.exec 64; mode.tsx in; fup @start; psbend; tnt TT
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jcc               (x)              1000 =>             1002
  jcc               (x)              1002 =>             1004
