# A TRIG packet with an address: its FUP only names an instruction, and the branch behind it is one
# as any other: a call, a conditional branch, an interrupt, the end of the trace.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 90                nop
1001: 74 00             jz   0x1003
1003: ff d0             call *%rax
1005: f4                hlt
1006: 90                nop
1007: 90                nop
--- trace
psb; mode.exec 64; fup 0x1001; psbend; trig 7 ip; fup/16 0x1001; tnt T; trig 7 ip; fup/16 0x1003; tip/16 0x1006
trig 7 ip; fup/16 0x1007; fup/16 0x1007; tip/16 0x1003; trig 1 ip; fup/16 0x1003; tip.pgd
--- pt script -i {trace} {map} --itrace=i0nsbe -F ip,addr,flags
  jcc                               1003             1001
  jcc                                1001 =>             1003
  call                              1006             1003
  call                               1003 =>             1006
                                       0             1006
  hw int                             1007 =>             1003
  tr end  call                         0             1003
  tr end  call                       1003 =>                0
