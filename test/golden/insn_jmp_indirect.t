# An indirect jump takes a TIP: by a register, by memory.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jmp	rax
a:	jmp	qword ptr [rax]
b:	jmp	qword ptr [rip]
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip @a; tip @b; tip @end; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                                1000 =>             1002
  jmp                                1002 =>             1004
  jmp                                1004 =>             100a
  tr end  async                      100a =>                0
