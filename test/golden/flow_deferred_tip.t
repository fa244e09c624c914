# An indirect branch may send its TIP behind results of branches that follow it.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 74 02             je   0x1004
1002: f4                hlt
1003: f4                hlt
1004: ff e0             jmp  *%rax
1006: 75 fa             jne  0x1002
1008: 90                nop
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tnt TN; tip 0x1006; fup 0x1008; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jcc                                1000 =>             1004
  jmp                                1004 =>             1006
  tr end  async                      1008 =>                0

# The data may end before that packet.
--- code 0x1000
1000: 90                nop
1001: ff d0             call *%rax
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tnt TT
--- pt script -i {trace} {map} --itrace=i1ibe -F ip
             1000
