# What was executed before a transaction began is not in it.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 90                nop
1001: 90                nop
1002: 90                nop
1003: 90                nop
--- trace
psb; mode.exec 64; fup 0x1000; psbend
mode.tsx in; fup 0x1001; mode.tsx; fup 0x1003; fup 0x1004; tip.pgd
--- pt script -i {trace} {map} --itrace=i1ix -F ip,flags,event
instructions:                                      1000
transactions:   x                                  1001
instructions:   x                                  1001
instructions:   x                                  1002
transactions:                                      1003
instructions:                                      1003

# One that begins or ends where no FUP can say at which instruction is told, too.
--- trace
psb; mode.exec 64; fup 0x1000; psbend; mode.tsx in; fup 0x1001; fup 0x1002; tip.pgd; mode.tsx; mode.tsx
tip.pge 0x1000; mode.tsx in; fup 0x1000; ovf; mode.tsx in; fup 0x1001; fup 0x1002; tip.pgd; mode.tsx abort; tip.pge 0x1002; fup 0x1002; tip.pgd
--- pt script -i {trace} {map} --itrace=i1ixbe -F ip,addr,flags,event
instructions:                                        0             1000
transactions:   x                                    0             1001
instructions:   x                                    0             1001
    branches:   tr end  async                      1002 =>                0
transactions:                                        0             1002
    branches:   tr strt                               0 =>             1000
transactions:   x                                    0             1000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1000 code 7: Overflow packet
transactions:                                        0                0
    branches:   tr strt                               0 =>             1001
instructions:   x                                    0             1001
    branches:   tr end  async                      1002 =>                0
transactions:   tx abrt                              0             1002
    branches:   tr strt                               0 =>             1002
    branches:   tr end  async                      1002 =>                0
