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

# An erratum: the FUP is missing. The next TIP tells where it goes on; a TIP.PGD, that
# tracing was off.
--- code 0x1000
1000: ff e0             jmp  *%rax
1002: 90                nop
1003: ff e0             jmp  *%rax
--- trace
psb; mode.exec 64; fup 0x1000; psbend; ovf; tnt TN; tip 0x1002; fup 0x1003; tip.pgd
tip.pge 0x1002; ovf; tnt T; tip.pgd 0x1000; tip.pge 0x1003; tip 0x1002; fup 0x1003; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1000 code 7: Overflow packet
  tr strt                               0 =>             1002
  tr end  async                      1003 =>                0
  tr strt                               0 =>             1002
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1002 code 7: Overflow packet
  tr strt                               0 =>             1003
  jmp                                1003 =>             1002
  tr end  async                      1003 =>                0

# Another: the OVF cuts a CYC in two. Which models do so is known.
--- code 0x1000
1000: 90                nop
1001: 90                nop
--- trace
psb; mode.exec 64; fup 0x1000; psbend
raw f7 02 f3
fup 0x1001; fup 0x1001; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags --cpu-model 6/0x5e/3
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1000 code 7: Overflow packet
  tr strt                               0 =>             1001
  tr end  async                      1001 =>                0

# A PSB+ that says where it goes on.
--- trace
psb; mode.exec 64; fup 0x1000; psbend; ovf; psb; mode.exec 64; fup 0x1000; psbend; fup 0x1001; tip.pgd; ovf; psb; psbend; tip.pge 0x1000; fup 0x1001; tip.pgd
--- pt script -i {trace} {map} --itrace=bpe -F ip,addr,flags
                                       0             1000
                                       0             1000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1000 code 7: Overflow packet
                                       0             1000
  tr strt                               0 =>             1000
  tr end  async                      1001 =>                0
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 7: Overflow packet
                                       0                0
  tr strt                               0 =>             1000
  tr end  async                      1001 =>                0
