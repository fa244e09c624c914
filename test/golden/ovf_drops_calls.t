# So are calls: a return after it is not compressed against one from before.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
back:	nop
end:	hlt
f:	nop
r:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; fup @f; tip @f; ovf; fup @r; tnt T; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  call                               1000 =>             1007
  hw int                             1007 =>             1007
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1007 code 7: Overflow packet
  tr strt                               0 =>             1008
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1008 code 6: Trace doesn't match instruction
  tr strt                               0 =>             1006
  tr end  async                      1006 =>                0
