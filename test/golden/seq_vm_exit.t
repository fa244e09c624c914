# A VM entry and a VM exit that both are traced: the guest's half of each branch is apart.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	vmresume
h:	nop
end:	hlt
g:	nop
x:	nop
--- trace
psb; mode.exec 64; fup @start; psbend; pip 0x5000 nr; vmcs 0x9000; mode.exec 64; tip @g; fup @x; pip 0x1000; vmcs 0x9000; mode.exec 64; tip @h; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  vmentry                            1000 =>                0
  vmentry                               0 =>             1005
  vmexit                             1006 =>                0
  vmexit                                0 =>             1003
  tr end  async                      1004 =>                0
