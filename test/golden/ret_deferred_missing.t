# Results are left at an indirect branch, and no TIP follows.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	je	a
a:	jmp	rax
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TT; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jcc                                1000 =>             1002
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1002 code 6: Trace doesn't match instruction
  tr strt                               0 =>             1004
  tr end  async                      1004 =>                0
