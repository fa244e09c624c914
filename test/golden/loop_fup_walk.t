# The walk to a FUP follows direct branches and stops in front of its instruction.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jmp	a
	hlt
a:	call	b
	hlt
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @b; tip @start; fup @start; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                                1000 =>             1003
  call                               1003 =>             1009
  hw int                             1009 =>             1000
  tr end  async                      1000 =>                0
