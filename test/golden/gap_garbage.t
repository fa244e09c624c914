# Before the first PSB nothing is decoded, whatever it looks like.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
tip.pge @start; fup @a; tip.pgd; raw 19 05 99 d9; psb; mode.exec 64; fup @start; psbend; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end  async                      1003 =>                0
