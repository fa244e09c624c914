# PTW with an address: its FUP is the PTWRITE, and no TIP follows.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	ptwrite	rax
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; ptw 0x11223344 ip; fup @a; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=wbe -F synth,ip
 IP: 1 payload: 0x11223344                     1001
             1006
