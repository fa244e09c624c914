# Code of both halves of the addresses, each by its own --map.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 0f 05             syscall
1002: f4                hlt
--- code 0xffffffff81000000 kernel
ffffffff81000000: e8 03 00 00 00    call 0xffffffff81000008
ffffffff81000005: 48 0f 07          sysretq
ffffffff81000008: c3                ret
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tip 0xffffffff81000000; tnt T; tip 0x1002; fup 0x1002; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  syscall                            1000 => ffffffff81000000
  call                   ffffffff81000000 => ffffffff81000008
  return                 ffffffff81000008 => ffffffff81000005
  sysret                 ffffffff81000005 =>             1002
  tr end  async                      1002 =>                0
