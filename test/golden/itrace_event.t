# I: events of event trace, and changes of the interrupt flag.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
h:	sti
i:	iretq
--- trace
psb; mode.exec 64 if; fup @start; psbend; evd 0 0xdead; cfe 1 14; fup @a; mode.exec 64; tip @h; mode.exec 64 if; fup @h; cfe 2 0 ip; fup @i; tip @a; fup @a; tip.pgd
--- pt script -i {trace} {map} --itrace=I -F event,ip,synth --event-trace
  evt:  cfe: INTR IP: 1 vector: 14 PFA: 0xdead             1001
iflag:  IFLAG: 1->0 via branch                        1001
iflag:  IFLAG: 0->1 non branch                        1002
  evt:  cfe: IRET IP: 1 vector: 0                     1003
