# Its packets come in any order, with packets of time and PADs between them.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; fup @start; pad 5; cyc 3; cbr 12; mtc 4; tsc 9; vmcs 0x5000; mode.tsx; mnt 1; mode.exec 64; tma 1 1; pip 0x1000; psbend; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end  async                      1003 =>                0
