# BEP with an address: its FUP is where the record was taken, and no TIP follows.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; bbp 4; bip 0 0x1001; bep ip; fup @a; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end  async                      1003 =>                0
