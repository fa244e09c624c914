# IPBytes 2 replaces 32 bits.
# needs: CMD_SCRIPT
--- asm 0x500000000000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup/64 @start; psbend; fup/32 @a; tip/32 @b; fup/32 @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  hw int                     500000000001 =>     500000000002
  tr end  async              500000000003 =>                0
