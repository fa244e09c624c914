# A TIP.PGD without an address where only what has a certain CR3 is traced: MOV to CR3 ends it,
# unless a PIP says that this one was traced.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 90                nop
1001: 0f 22 d8          mov  %rax,%cr3
1004: 90                nop
1005: 0f 22 d8          mov  %rax,%cr3
1008: 90                nop
1009: c3                ret
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tip.pgd; tip.pge 0x1000; pip 0x5000; tip.pgd; tip.pge 0x1000
pip 0x5000; pip 0x6000; tip.pgd; tip.pge 0x1004; tip 0x1004; tip.pgd 0x3000
--- pt script -i {trace} {map} --itrace=i0nsbe -F ip,addr,flags
                                       0             1000
                                       0             1001
  tr end                             1001 =>                0
  tr strt                               0 =>             1000
                                       0             1000
                                       0             1001
                                       0             1004
                                       0             1005
  tr end                             1005 =>                0
  tr strt                               0 =>             1000
                                       0             1000
                                       0             1001
                                       0             1004
                                       0             1005
                                       0             1008
  tr end  return                       0             1009
  tr end  return                     1009 =>                0
  tr strt                               0 =>             1004
                                       0             1004
                                       0             1005
                                       0             1008
  return                            1004             1009
  return                             1009 =>             1004
                                       0             1004
                                       0             1005
                                       0             1008
  tr end  return                    3000             1009
  tr end  return                     1009 =>             3000
