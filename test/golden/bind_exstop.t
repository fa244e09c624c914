# EXSTOP with an address: its FUP is where execution stopped, and no TIP follows.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; exstop ip; fup @a; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=p -F synth,ip | grep IP:
 IP: 1                                         1001
