# Options of perf for other traces are accepted, and do nothing here.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
back:	jne	end
	nop
end:	jmp	rax
f:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TT; tip @start; tip.pgd
--- pt script -i {trace} {map} --itrace=bfmtaM -F ip,addr,flags
  call                               1000 =>             100a
  return                             100a =>             1005
  jcc                                1005 =>             1008
  jmp                                1008 =>             1000
  call                               1000 =>             100a
  tr end  return                     100a =>                0
