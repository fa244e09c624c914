# Several PSBs in a row.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; psb; mode.exec 64; fup @start; psbend; psb; mode.exec 64; fup @start; psbend; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end  async                      1003 =>                0
