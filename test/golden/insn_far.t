# Far calls, jumps and returns take a TIP.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	fword ptr [rax]
a:	jmp	fword ptr [rax]
b:	.byte	0xcb
c:	.byte	0xca, 4, 0
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip @a; tip @b; tip @c; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  call                               1000 =>             1002
  jmp                                1002 =>             1004
  return                             1004 =>             1005
  return                             1005 =>             1008
  tr end  async                      1008 =>                0
