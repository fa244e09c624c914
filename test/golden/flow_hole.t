# Code that is not at hand is a gap; the trace goes on at the next full address.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 90                nop
1001: ff e0             jmp  *%rax
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tip 0x500000; tnt T; tip/64 0x1000; fup 0x1001; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                                1001 =>           500000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x500000 code 5: Failed to get instruction
  tr strt                               0 =>             1000
  tr end  async                      1001 =>                0
