# Code that is not at hand is a gap. No packet was lost, so the last IP holds, and the trace goes on
# where the packet leads that could not be answered.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 90                nop
1001: ff e0             jmp  *%rax
1003: 90                nop
1004: 90                nop
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tip 0x500000; tnt T; tip/64 0x1000; fup 0x1001; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                                1001 =>           500000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x500000 code 5: Failed to get instruction
  tr strt                               0 =>             1000
  tr end  async                      1001 =>                0
--- trace
psb; mode.exec 64; fup 0x1001; psbend; tip 0x5000; tip 0x1003; fup/16 0x1004; tip.pgd; tip.pge/32 0x1000; fup/16 0x1001; tip.pgd
--- pt script -i {trace} {map} --itrace=i0nsbe -F ip,addr,flags
  jmp                               5000             1001
  jmp                                1001 =>             5000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x5000 code 5: Failed to get instruction
  tr strt                               0 =>             1003
                                       0             1003
  tr end  async                      1004 =>                0
  tr strt                               0 =>             1000
                                       0             1000
  tr end  async                      1001 =>                0

# The same with a TIP.PGD, a FUP and a PSB; a TIP without an address leads nowhere, and the branch
# it belongs to is not executed twice.
--- trace
psb; mode.exec 64; fup 0x1001; psbend; tip 0x5000; tip.pgd; tip.pge/16 0x1001; tip/16 0x5000; fup/16 0x5001; tip/16 0x1003
fup/16 0x1003; tip/16 0x1001; tip/16 0x5000; psb; mode.exec 64; fup 0x1003; psbend; fup 0x1003; tip 0x1000; tip; tip 0x5000; tnt NT; tip; tip 0x1003; fup 0x1004; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                                1001 =>             5000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x5000 code 5: Failed to get instruction
  tr strt                               0 =>             1001
  jmp                                1001 =>             5000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x5000 code 5: Failed to get instruction
  tr strt                               0 =>             5001
  hw int                             5001 =>             1003
  hw int                             1003 =>             1001
  jmp                                1001 =>             5000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x5000 code 5: Failed to get instruction
  hw int                             1003 =>             1000
  jmp                                1001 =>                0
  tr strt                               0 =>             5000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x5000 code 5: Failed to get instruction
  tr strt                               0 =>             1003
  tr end  async                      1004 =>                0

# A FUP that the trace goes on at is the begin of an interrupt, or the end of tracing: what
# stands behind it was not executed.
--- code 0x2000 two
2000: 75 01             jne  0x2003
2002: f4                hlt
2003: 90                nop
2004: 90                nop
2005: c3                ret
--- trace
psb; mode.exec 64; fup 0x2000; psbend; tip 0x2003; fup 0x2004; tip.pgd; tip.pge 0x2000
tip 0x5000; tip 0x2000; fup 0x2004; tip 0x2003; fup 0x2004; tip.pgd
--- pt script -i {trace} {map} --itrace=i0nsbe -F ip,addr,flags
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x2000 code 6: Trace doesn't match instruction
  tr strt                               0 =>             2003
                                       0             2003
  tr end  async                      2004 =>                0
  tr strt                               0 =>             2000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x2000 code 6: Trace doesn't match instruction
  tr strt                               0 =>             5000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x5000 code 5: Failed to get instruction
  tr strt                               0 =>             2000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x2000 code 6: Trace doesn't match instruction
  tr strt                               0 =>             2004
  hw int                             2004 =>             2003
                                       0             2003
  tr end  async                      2004 =>                0

# What happened is told while no address is known, and what comes with an OVF, too.
--- trace
psb; mode.exec 64; fup 0x1001; psbend; tip 0x5000; tnt T; ptw 7; cfe 10 0; pwrx 2 2 1; exstop; cfe 2 0; tip 0x1003; ptw 8 ip; ovf; fup 0x1004; exstop ip; ovf; fup 0x1004; mwait 5 1; ovf; fup 0x1003; ptw 9 ip; fup 0x1003; fup 0x1004; tip.pgd
--- pt script -i {trace} {map} --itrace=wpIxe -F ip,event,synth
         psb:  psb offs: 0                                   1001
         cbr:  cbr:  0 freq:    0 MHz                        1001
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x5000 code 5: Failed to get instruction
     ptwrite:  IP: 0 payload: 0x7                               0
         evt:  cfe: SHUTDOWN IP: 0 vector: 0                    0
        pwrx:  deepest cstate: 2 last cstate: 2 wake reason: 0x1                 0
      exstop:  IP: 0                                            0
         evt:  cfe: IRET IP: 1 vector: 0                        0
     ptwrite:  IP: 0 payload: 0x8                            1003
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1003 code 7: Overflow packet
      exstop:  IP: 0                                         1004
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1004 code 7: Overflow packet
       mwait:  hints: 0x5 extensions: 0x1                    1004
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1004 code 7: Overflow packet
     ptwrite:  IP: 1 payload: 0x9                            1003

# Calls and returns inside a gap are unknown: a return that the trace compresses need not go back
# to what was called before.
--- code 0x6000 calls
6000: ff d0             call *%rax
6002: 90                nop
6003: 90                nop
--- trace
psb; mode.exec 64; fup 0x6000; psbend; tip 0x5000; tip 0x5100; tip 0x2004; tnt T; tip 0x6002; fup 0x6003; tip.pgd
--- pt script -i {trace} {map} --itrace=i0nsbe -F ip,addr,flags
  call                              5000             6000
  call                               6000 =>             5000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x5000 code 5: Failed to get instruction
  tr strt                               0 =>             5100
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x5100 code 5: Failed to get instruction
  tr strt                               0 =>             2004
                                       0             2004
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x2005 code 6: Trace doesn't match instruction
  tr strt                               0 =>             6002
                                       0             6002
  tr end  async                      6003 =>                0
--- trace
psb; mode.exec 64; fup 0x6000; psbend; tip 0x6000; ovf; fup 0x2004; tnt T; tip 0x6002; fup 0x6003; tip.pgd
--- pt script -i {trace} {map} --itrace=i0nsbe -F ip,addr,flags
  call                              6000             6000
  call                               6000 =>             6000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x6000 code 7: Overflow packet
  tr strt                               0 =>             2004
                                       0             2004
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x2005 code 6: Trace doesn't match instruction
  tr strt                               0 =>             6002
                                       0             6002
  tr end  async                      6003 =>                0

# Where TIPs are deferred until after the results of later branches, a TIP after a gap may need
# results that the gap took. A packet that all results come before ends that.
--- code 0x7000 defers
7000: ff e0             jmp  *%rax
7002: 90                nop
7003: 75 00             jne  0x7005
7005: ff e0             jmp  *%rax
7007: 90                nop
--- trace
psb; mode.exec 64; fup 0x7000; psbend; tnt T; tip 0x7003; tip 0x5000; tnt NT; tip 0x7002; tnt T; tip 0x7005; tip 0x7003; tnt NT; mode.exec 64; tip 0x7002; tnt T; tip 0x7007; fup 0x7007; tip.pgd
--- pt script -i {trace} {map} --itrace=i0nsbe -F ip,addr,flags
  jmp                               7003             7000
  jmp                                7000 =>             7003
  jcc                               7005             7003
  jcc                                7003 =>             7005
  jmp                               5000             7005
  jmp                                7005 =>             5000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x5000 code 5: Failed to get instruction
  tr strt                               0 =>             7002
                                       0             7002
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x7003 code 6: Trace doesn't match instruction
  tr strt                               0 =>             7005
  jmp                               7003             7005
  jmp                                7005 =>             7003
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x7003 code 6: Trace doesn't match instruction
  tr strt                               0 =>             7002
                                       0             7002
  jcc                               7005             7003
  jcc                                7003 =>             7005
  jmp                               7007             7005
  jmp                                7005 =>             7007
  tr end  async                      7007 =>                0
