# XBEGIN, XEND, and one that is aborted: its branches have an x.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	xbegin	fall
	jne	c
c:	xend
d:	xbegin	fall
e:	jne	fall
	nop
fall:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; mode.tsx in; fup @start; tnt T; mode.tsx; fup @c; mode.tsx in; fup @d; mode.tsx abort; fup @e; tip @fall; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jcc               (x)              1006 =>             1008
  tx abrt                            1011 =>             1014
  tr end  async                      1015 =>                0
