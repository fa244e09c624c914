# A thread whose first code is not known: the gap is counted, although nothing was executed
# before. Nothing is at 0x9000.
# needs: EXPORT_FOLDED CMD_EXPORT
--- asm 0x1000 program
	nop
end:	nop
--- trace
psb; mode.exec 64; fup 0x9000; psbend; tip 0x1000; fup @end; tip.pgd
--- pt export --folded {trace} {map}
[gap] 1
[program] 1
