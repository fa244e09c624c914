# SKZ84: a TMA has a byte too many.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; tsc 5; raw 02 73 01 00 01 02 00 00; mode.exec 64; fup @start; psbend; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags --cpu-model 6/0x55
  tr end  async                      1003 =>                0
