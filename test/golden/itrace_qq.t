# qq: addresses of PSBs only.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
back:	jne	end
	nop
end:	jmp	rax
f:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; tip @f; psb; mode.exec 64; fup @start; psbend; fup @f; tip.pgd; psb; mode.exec 64; fup @back; psbend
--- pt script -i {trace} --itrace=iqq -F ip
             1000
             1000
             1005
