# The trace goes on at a FUP without a TIP: nothing interrupted the program there.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	jne	c
	nop
c:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @a; tip 0x7000; fup @b; tnt T; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  hw int                             1001 =>             7000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x7000 code 5: Failed to get instruction
  tr strt                               0 =>             1002
  jcc                                1002 =>             1005
  tr end  async                      1006 =>                0
