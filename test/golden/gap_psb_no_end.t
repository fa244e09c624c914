# A PSB+ that does not end before the trace does.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @a; tip @b; psb; mode.exec 64; fup @b
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  hw int                             1001 =>             1002
