# WRMSR stops tracing: its FUP, and a TIP.PGD.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
w:	wrmsr
	nop
--- trace
psb; mode.exec 64; fup @start; psbend; fup @w; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end  async                      1001 =>                0
