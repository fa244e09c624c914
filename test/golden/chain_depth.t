# A call chain: the instruction, and where its callers go on.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
back:	nop
end:	hlt
f:	call	g
fb:	ret
g:	nop
x:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TT; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=i3ig -F ip | grep . | head -n 3
	               d
	               c
	               5
