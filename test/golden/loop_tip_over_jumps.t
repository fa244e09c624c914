# A TIP is for the next indirect branch; direct ones on the way are followed.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jmp	a
	hlt
a:	call	b
	hlt
b:	jmp	rax
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                                1000 =>             1003
  call                               1003 =>             1009
  jmp                                1009 =>             100b
  tr end  async                      100b =>                0
