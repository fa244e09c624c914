# CFE without one, of an interrupt: the FUP that follows begins an asynchronous branch.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; cfe 1 32; fup @a; tip @b; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  hw int                             1001 =>             1002
  tr end  async                      1003 =>                0
