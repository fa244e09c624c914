# A call of the next instruction is no call: its return address is not kept.
# needs: CMD_SCRIPT
--- code 0x1000
1000: e8 07 00 00 00    call 0x100c
1005: e8 00 00 00 00    call 0x100a
100a: 58                pop  %rax
100b: f4                hlt
100c: e8 00 00 00 00    call 0x1011
1011: 58                pop  %rax
1012: c3                ret
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tnt T; fup 0x100b; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  call                               1000 =>             100c
  call                               100c =>             1011
  return                             1012 =>             1005
  call                               1005 =>             100a
  tr end  async                      100b =>                0
