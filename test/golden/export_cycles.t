# Cycles that CYC packets tell, each of the function that was executed when they became known.
# needs: EXPORT_FOLDED CMD_EXPORT
--- asm 0x1000 program
	call f
	je on
on:	hlt
f:	nop
	call .+0xff7
	nop
	je back
back:	ret
--- asm 0x2000 library
g:	nop
	ret
--- trace
psb; mode.exec 64; fup 0x1000; psbend; cyc 9; tnt T; cyc 4; tnt N; cyc 6; tnt T; cyc 1; tnt N; fup @on; tip.pgd
--- pt export --folded --weight=cycles {trace} {map}
[program] 1
[program];[program] 10
[program];[program];[library] 9
