# Call stacks, and the instructions that were executed in each. 'other' is not called but jumped
# to, so it is called by who called 'library'. After the first gap the trace goes on where the
# call returns that led into it: the calls before are still open. After the second one it does
# not, and nothing is. library is at 0x2000, other at 0x3000, nothing at 0x9000.
# needs: EXPORT_FOLDED CMD_EXPORT
--- asm 0x1000 program
	call f
	nop
	call .+0xffa
	hlt
f:	nop
	ret
--- asm 0x2000 library
	nop
	call g
	jmp .+0xffa
g:	nop
	ret
--- asm 0x3000 other
	nop
	call .+0x5fff
back:	nop
	call .+0x5ff9
	nop
on:	nop
end:	nop
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tnt TT; tip @back; tip @on; fup @end; tip.pgd
--- pt export --folded {trace} {map}
[program] 3
[program];[program] 2
[program];[library] 3
[program];[library];[library] 2
[program];[other] 4
[program];[other];[gap] 2
[other] 1
