# A direct jump, short and near, forward and back, takes nothing.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jmp	a
b:	jmp	end
	.skip	200
a:	jmp	b
	.skip	200
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                                1000 =>             10d2
  jmp                                10d2 =>             1005
  jmp                                1005 =>             119f
  tr end  async                      119f =>                0
