# Direct branches that never end are an error, not a hang.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 90                nop
1001: eb 02             jmp  0x1005
1003: eb fb             jmp  0x1000
1005: eb fc             jmp  0x1003
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tnt T; tip.pge 0x1000; fup 0x1001; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                                1001 =>             1005
  jmp                                1005 =>             1003
  jmp                                1003 =>             1000
  jmp                                1001 =>             1005
  jmp                                1005 =>             1003
  jmp                                1003 =>             1000
  jmp                                1001 =>             1005
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1003 code 10: Never-ending loop (refer perf config intel-pt.max-loops)
  tr strt                               0 =>             1000
  tr end  async                      1001 =>                0
