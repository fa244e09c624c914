# Errata belong to a family and a model: the same model number of another family has none of them.
# Then these bytes are two CYCs.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; raw 07 02 f3; fup @b; tip @a; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags --cpu-model 0x12/0x4e
  hw int                             1002 =>             1001
  tr end  async                      1003 =>                0
