# The same of processors whose TIP.PGD has no address then: the filter says which branch left.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	a
a:	jne	out
	nop
b:	jmp	start
f:	ret
out:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt N; tip.pgd; tip.pge @b; fup @b; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags --addr-filter 'filter 0x1000/0x8'
  tr end  jcc                        1002 =>             1008
  tr strt                               0 =>             1005
  tr end  async                      1005 =>                0
