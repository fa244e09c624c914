# Lost packets: the trace goes on where a FUP says, or where tracing begins again.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 75 00             jne  0x1002
1002: 75 00             jne  0x1004
1004: 90                nop
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tnt N; ovf; fup 0x1002; tnt T; ovf; tip.pge 0x1000; tnt N; fup 0x1002; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1002 code 7: Overflow packet
  tr strt                               0 =>             1002
  jcc                                1002 =>             1004
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1004 code 7: Overflow packet
  tr strt                               0 =>             1000
  tr end  async                      1002 =>                0
