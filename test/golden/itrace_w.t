# w: PTWRITEs.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; ptw 5 ip; fup @a; ptw/8 0x123456789abcdef0; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=w -F synth,ip
 IP: 1 payload: 0x5                            1001
 IP: 0 payload: 0x123456789abcdef0               1001
