# --map FILE:OFF-END@ADDR maps those bytes and no more: code that another --map puts after them
# stays.
# needs: CMD_SCRIPT
--- code 0x1002 after
1002: eb 01             jmp  0x1005
1004: f4                hlt
1005: 90                nop
--- code 0x2000 part
2000: f4 f4             hlt, hlt
2002: eb 00             jmp  0x1002, at 0x1000
2004: f4 f4 f4 f4       hlt
--- trace
psb; mode.exec 64; fup 0x1000; psbend; fup 0x1005; tip.pgd
--- pt script -i {trace} --map after@0x1002 --map part:2-4@0x1000 --itrace=be -F ip,addr,flags
  jmp                                1000 =>             1002
  jmp                                1002 =>             1005
  tr end  async                      1005 =>                0
