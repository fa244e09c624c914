# PTWRITE, WRMSR and RDMSR are no branches.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	ptwrite	rax
	wrmsr
	rdmsr
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end  async                      1009 =>                0
