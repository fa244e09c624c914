# What came with an event is told with that one alone.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 90                nop
1001: 90                nop
1002: 90                nop
--- trace
psb; mode.exec 64; fup 0x1000; psbend
evd 0 0xf00; cfe 1 14; fup 0x1001; tip.pgd; cfe 2 0; tip.pge 0x1001
evd 1 5; evd 2 6; cfe 9 3; fup 0x1002; tip.pgd
--- pt script -i {trace} {map} --itrace=I -F ip,synth
 cfe: INTR IP: 1 vector: 14 PFA: 0xf00             1001
 cfe: IRET IP: 0 vector: 0                     1001
 cfe: VMEXIT_INTR IP: 1 vector: 3 VMXQ: 0x5 VMXR: 0x6             1002

# An MWAIT where nothing is traced has no FUP.
--- code 0x1000
1000: 90                nop
1001: 90                nop
--- trace
psb; mode.exec 64; fup 0x1000; psbend; fup 0x1001; tip.pgd
mwait 7 1; pwre 2 1; exstop; pwrx 2 2 1; tip.pge 0x1000; fup 0x1001; tip.pgd
--- pt script -i {trace} {map} --itrace=pbe -F ip,addr,event
     psb:                0             1000
     cbr:                0             1000
branches:              1001 =>                0
   mwait:                0             1001
    pwre:                0             1001
  exstop:                0             1001
    pwrx:                0             1001
branches:                 0 =>             1000
branches:              1001 =>                0
