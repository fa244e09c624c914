# SKD010: the FUP after an OVF is missing. The next address tells where the trace goes on.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	jmp	rax
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; ovf; tnt T; tip @a; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags --cpu-model 6/0x4e
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1000 code 7: Overflow packet
  tr strt                               0 =>             1001
  jmp                                1002 =>             1004
  tr end  async                      1004 =>                0
