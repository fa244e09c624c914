# A FUP that only names an instruction changes it, too.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; exstop ip; fup @a; fup/16 @b; tip/16 @start; fup/16 @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  hw int                             1002 =>             1000
  tr end  async                      1003 =>                0
