# e: gaps. e-o leaves out overflows.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; ovf; fup @b; raw 05; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=e
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1000 code 7: Overflow packet
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1002 code 3: Bad packet
--- pt script -i {trace} {map} --itrace=e-o
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1002 code 3: Bad packet
