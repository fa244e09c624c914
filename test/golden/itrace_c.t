# c: calls, and the end of the trace where that is one.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
back:	jne	end
	nop
end:	jmp	rax
f:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TT; tip @start; tip.pgd
--- pt script -i {trace} {map} --itrace=c -F ip,addr,flags
  call                               1000 =>             100a
  call                               1000 =>             100a
  tr end  return                     100a =>                0
