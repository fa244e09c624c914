# --no-itrace: nothing of the trace.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @end; tip.pgd
--- pt script -i {trace} {map} --no-itrace 2>&1 | grep -v -e nothing
