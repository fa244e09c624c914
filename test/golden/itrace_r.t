# r: returns, and where the trace begins.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
back:	jne	end
	nop
end:	jmp	rax
f:	ret
--- trace
psb; psbend; mode.exec 64; tip.pge @start; tnt TT; tip @start; tip.pgd
--- pt script -i {trace} {map} --itrace=r -F ip,addr,flags
  tr strt                               0 =>             1000
  return                             100a =>             1005
  tr end  return                     100a =>                0
