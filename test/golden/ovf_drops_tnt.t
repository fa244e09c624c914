# Results that were left are void.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	a
a:	jne	b
b:	nop
c:	jmp	rax
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt N; ovf; fup @a; tnt T; fup @b; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1002 code 7: Overflow packet
  tr strt                               0 =>             1002
  jcc                                1002 =>             1004
  tr end  async                      1004 =>                0
