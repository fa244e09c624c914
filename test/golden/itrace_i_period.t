# The period of a sample is the number of instructions since the last one.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
back:	jne	end
	nop
end:	jmp	rax
f:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TT; tip @start; tip.pgd
--- pt script -i {trace} {map} --itrace=i3i -F period,ip
         3              1005
         3              100a
