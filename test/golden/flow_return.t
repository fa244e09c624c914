# A return that the trace compresses to one taken bit, and one that it does not.
# needs: CMD_SCRIPT
--- code 0x1000
1000: e8 02 00 00 00    call 0x1007
1005: eb 01             jmp  0x1008
1007: c3                ret
1008: f4                hlt
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tnt T; fup 0x1008; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  call                               1000 =>             1007
  return                             1007 =>             1005
  jmp                                1005 =>             1008
  tr end  async                      1008 =>                0
