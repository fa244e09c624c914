# q: addresses in packets, without code; a TNT says nothing.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
back:	jne	end
	nop
end:	jmp	rax
f:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TT; tip @start; fup @end; tip @f; fup @f; tip.pgd
--- pt script -i {trace} --itrace=bq -F ip,addr,flags
  hw int                             1008 =>             100a
  tr end  async                      100a =>                0
