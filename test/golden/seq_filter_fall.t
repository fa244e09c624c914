# The fall through leaves it: a TIP.PGD with the next address.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	a
a:	nop
--- trace
psb; mode.exec 64; fup @start; psbend; tip.pgd @a
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end  jcc                        1000 =>             1002
