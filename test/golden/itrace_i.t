# i1i: each instruction; i2i, i3i: each second, each third, counted through.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
back:	jne	end
	nop
end:	jmp	rax
f:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TT; tip @start; tip.pgd
--- pt script -i {trace} {map} --itrace=i1i -F ip
             1000
             100a
             1005
             1008
             1000
             100a
--- pt script -i {trace} {map} --itrace=i2i -F ip
             100a
             1008
             100a
--- pt script -i {trace} {map} --itrace=i3i -F ip
             1005
             100a
--- pt script -i {trace} {map} --itrace=i0ns -F ip
             1000
             100a
             1005
             1008
             1000
             100a
