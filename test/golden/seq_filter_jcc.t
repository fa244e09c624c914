# A taken conditional branch leaves an address filter: no result of its own, a TIP.PGD with its
# target.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	a
a:	jne	out
	nop
b:	jmp	start
out:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt N; tip.pgd @out; tip.pge @b; fup @b; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end  jcc                        1002 =>             1007
  tr strt                               0 =>             1005
  tr end  async                      1005 =>                0
