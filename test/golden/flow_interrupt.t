# A FUP that no packet explains is an interrupt: at the first instruction, at the target
# of a jump, and between two others.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 90                nop
1001: eb 01             jmp  0x1004
1003: f4                hlt
1004: 90                nop
1005: 90                nop
--- code 0x2000 code2
2000: cf                iret
--- trace
psb; mode.exec 64; fup 0x1000; psbend; fup 0x1000; tip 0x2000; tip 0x1000; fup 0x1004; tip.pgd; tip.pge 0x1004; fup 0x1005; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  hw int                             1000 =>             2000
  iret                               2000 =>             1000
  jmp                                1001 =>             1004
  tr end  async                      1004 =>                0
  tr strt                               0 =>             1004
  tr end  async                      1005 =>                0
