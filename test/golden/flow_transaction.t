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
