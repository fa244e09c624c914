# A bad packet is a gap, and the next byte is tried. What follows tells where it goes on.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; raw 05; fup @b; tip @a; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1000 code 3: Bad packet
  hw int                             1002 =>             1001
  tr end  async                      1003 =>                0
