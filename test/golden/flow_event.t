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

# With an EXSTOP that has one, it stands there.
--- trace
psb; mode.exec 64; fup 0x1000; psbend; fup 0x1001; tip.pgd
mwait 7 1; pwre 2 1; exstop ip; fup 0x1000; pwrx 2 2 1; tip.pge 0x1000; fup 0x1001; tip.pgd
--- pt script -i {trace} {map} --itrace=pbe -F ip,addr,event
     psb:                0             1000
     cbr:                0             1000
branches:              1001 =>                0
   mwait:                0             1000
    pwre:                0             1000
  exstop:                0             1000
    pwrx:                0             1000
branches:                 0 =>             1000
branches:              1001 =>                0

# A CFE without a FUP is of the branch that comes next, not of a later interrupt.
--- code 0x2000 iret
2000: 90                nop
2001: 48 cf             iretq
2003: 90                nop
2004: 0f 01 c2          vmlaunch
2007: 90                nop
--- trace
psb; mode.exec 64; fup 0x2000; psbend; cfe 2 0; tip 0x2003; cfe 1 14; fup 0x2003; tip 0x2000
evd 0 0x77; cfe 2 0; tip 0x2003; ptw 1 ip; fup 0x2003; fup 0x2004; tip.pgd; tip.pge 0x2004; evd 1 5; cfe 7 0; tip.pgd
cfe 4 0; tip.pge 0x2003; cfe 10 0; cfe 1 3; ptw 2 ip; fup 0x2003; fup 0x2003; tip.pgd; tip.pge 0x2003; cfe 1 3; cfe 1 4; ovf
--- pt script -i {trace} {map} --itrace=i0nsbIe -F ip,addr,flags,event,synth
instructions:                                        0             2000
         evt:   iret                   cfe: IRET IP: 1 vector: 0                    2003             2001
instructions:   iret                              2003             2001
    branches:   iret                               2001 =>             2003
         evt:   hw int                 cfe: INTR IP: 1 vector: 14                   2000             2003
    branches:   hw int                             2003 =>             2000
instructions:                                        0             2000
         evt:   iret                   cfe: IRET IP: 1 vector: 0 PFA: 0x77            2003             2001
instructions:   iret                              2003             2001
    branches:   iret                               2001 =>             2003
instructions:                                        0             2003
    branches:   tr end  async                      2004 =>                0
    branches:   tr strt                               0 =>             2004
         evt:   tr end  vmentry        cfe: VMENTRY IP: 1 vector: 0 VMXQ: 0x5               0             2004
instructions:   tr end  vmentry                      0             2004
    branches:   tr end  vmentry                    2004 =>                0
         evt:   vmentry                cfe: RSM IP: 0 vector: 0                        0             2004
    branches:   tr strt                               0 =>             2003
         evt:   vmentry                cfe: SHUTDOWN IP: 0 vector: 0                   0             2003
         evt:   tr end  async          cfe: INTR IP: 1 vector: 3                       0             2003
    branches:   tr end  async                      2003 =>                0
    branches:   tr strt                               0 =>             2003
         evt:                          cfe: INTR IP: 0 vector: 3                       0             2003
         evt:                          cfe: INTR IP: 0 vector: 4                       0             2003
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x2003 code 7: Overflow packet

# Pending events are told before a PSB+ that comes between them and what follows.
--- trace
psb; mode.exec 64; fup 0x2000; psbend; mwait 1 1; psb; mode.exec 64; fup 0x2000; psbend; fup 0x2000; tip 0x2003; fup 0x2003; tip.pgd
--- pt script -i {trace} {map} --itrace=pbe -F ip,addr,event
     psb:                0             2000
     cbr:                0             2000
   mwait:                0             2000
     psb:                0             2000
branches:              2000 =>             2003
branches:              2003 =>                0
