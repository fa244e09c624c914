# XBEGIN and XEND are no branches, whatever their operand.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	xbegin	end
	nop
	xend
	xabort	1
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end  async                      100d =>                0
