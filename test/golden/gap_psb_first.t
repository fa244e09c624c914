# The same in the first PSB+: nothing is known before it.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	a
a:	jne	b
b:	nop
c:	jmp	rax
end:	hlt
--- trace
psb; mode.exec 64; fup @start; tnt T; psb; mode.exec 64; fup @a; psbend; tnt T; fup @b; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1000 code 6: Trace doesn't match instruction
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1000 code 6: Trace doesn't match instruction
  jcc                                1002 =>             1004
  tr end  async                      1004 =>                0
--- trace
psb; mode.exec 64; tip @c; tip @end; fup @end; tip.pgd; psb; tracestop; tip.pge @a; tnt T; fup @b; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0 code 6: Trace doesn't match instruction
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0 code 5: Failed to get instruction
  tr strt                               0 =>             1007
  tr end  async                      1007 =>                0
  tr strt                               0 =>             1002
  jcc                                1002 =>             1004
  tr end  async                      1004 =>                0
