# A TIP.PGD with an address: a branch to there left what an address filter lets through.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 75 02             jne  0x1004
1002: eb 02             jmp  0x1006
1004: eb fa             jmp  0x1000
1006: e8 05 00 00 00    call 0x1010
100b: f4                hlt
100c: 90 90 90 90
1010: f4                hlt
--- trace
psb; mode.exec 64; fup 0x1000; psbend
tip.pgd 0x1004; tip.pge 0x1000; tip.pgd 0x1002; tip.pge 0x1002; tip.pgd 0x1006; tip.pge 0x1002; tip.pgd 0x1010
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end  jcc                        1000 =>             1004
  tr strt                               0 =>             1000
  tr end  jcc                        1000 =>             1002
  tr strt                               0 =>             1002
  tr end                             1002 =>             1006
  tr strt                               0 =>             1002
  jmp                                1002 =>             1006
  tr end  call                       1006 =>             1010
