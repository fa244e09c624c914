# A PSB in a running trace: the walk goes on to its address, and returns are not
# compressed against calls from before.
# needs: CMD_SCRIPT
--- code 0x1000
1000: e8 01 00 00 00    call 0x1006
1005: f4                hlt
1006: 90                nop
1007: c3                ret
--- trace
psb; mode.exec 64; fup 0x1000; psbend; psb; mode.exec 64; fup 0x1006; psbend; tnt T; psb; mode.exec 64; fup 0x1006; psbend; tip 0x1005; fup 0x1005; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  call                               1000 =>             1006
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1007 code 6: Trace doesn't match instruction
  return                             1007 =>             1005
  tr end  async                      1005 =>                0
