# Code of 16 bits: addresses and displacements have 16 bits, and the CPU starts in it.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	.byte	0xb8, 0x34, 0x12
	.byte	0xe8, 0x01, 0x00
back:	nop
f:	.byte	0x75, 0xfe
	.byte	0xc3
	nop
--- trace
psb; mode.exec 16; fup @start; psbend; tnt TNT; fup @f; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  call                               1003 =>             1007
  jcc                                1007 =>             1007
  return                             1009 =>             1006
  tr end  async                      1007 =>                0
