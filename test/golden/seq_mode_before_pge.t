# Code of 32 bits begins: MODE.Exec and TIP.PGE.
# needs: CMD_SCRIPT
--- asm 0x1000 code32
start:	.byte	0x40
j:	.byte	0xeb, 0x01
	.byte	0x90
end:	.byte	0x40
e2:	hlt
--- trace
psb; psbend; mode.exec 32; tip.pge @start; fup @e2; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr strt                               0 =>             1000
  jmp                                1001 =>             1004
  tr end  async                      1005 =>                0
