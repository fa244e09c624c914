# VMLAUNCH and VMRESUME take a TIP.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	vmlaunch
a:	vmresume
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip @a; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  vmentry                            1000 =>             1003
  vmentry                            1003 =>             1006
  tr end  async                      1006 =>                0
