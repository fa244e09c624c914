# IPBytes 4 replaces 48 bits, and 3 extends their sign.
# needs: CMD_SCRIPT
--- asm 0xffffffff81000000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup/48 @a; tip/48 @b; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  hw int                 ffffffff81000001 => ffffffff81000002
  tr end  async          ffffffff81000003 =>                0
