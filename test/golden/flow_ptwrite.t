# A PTWRITE without a FUP stands at its instruction: the next one in the code, over direct branches.
# Where there is none it stands where the trace is.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 90                nop
1001: f3 0f ae e0       ptwrite %eax
1005: eb 01             jmp  0x1008
1007: f4                hlt
1008: f3 48 0f ae 20    ptwrite (%rax)
100d: 90                nop
100e: c3                ret
--- trace
psb; mode.exec 64; fup 0x1000; psbend; ptw 0xabcd; ptw 0xef09; ptw 0x1; fup 0x100d; tip.pgd; ptw 0x2
tip.pge 0x1000; ptw 0x3; tip.pgd; tip.pge 0x1008; mode.tsx in; fup 0x1008; ptw 0x4; tip.pgd
--- pt script -i {trace} {map} --itrace=i0nswbe -F ip,addr,flags,synth,event
instructions:                                        0             1000
instructions:                                        0             1001
     ptwrite:                          IP: 0 payload: 0xabcd                           0             1001
instructions:   jmp                               1008             1005
    branches:   jmp                                1005 =>             1008
instructions:                                        0             1008
     ptwrite:                          IP: 0 payload: 0xef09                           0             1008
     ptwrite:                          IP: 0 payload: 0x1                              0             100d
    branches:   tr end  async                      100d =>                0
     ptwrite:                          IP: 0 payload: 0x2                              0             100d
    branches:   tr strt                               0 =>             1000
instructions:                                        0             1000
instructions:                                        0             1001
     ptwrite:                          IP: 0 payload: 0x3                              0             1001
instructions:   jmp                               1008             1005
    branches:   jmp                                1005 =>             1008
instructions:                                        0             1008
instructions:                                        0             100d
instructions:   tr end  return                       0             100e
    branches:   tr end  return                     100e =>                0
    branches:   tr strt                               0 =>             1008
instructions:   x                                    0             1008
     ptwrite:   x                      IP: 0 payload: 0x4                              0             1008
instructions:   x                                    0             100d
instructions:   tr end  return    (x)                0             100e
    branches:   tr end  return    (x)              100e =>                0
