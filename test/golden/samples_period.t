# A period of time begins with the first instruction, not at a PSB+ that follows a TIP.PGE
# or an overflow's FUP: the newer time there is no crossing.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 90                nop
1001: 90                nop
1002: 74 00             je 0x1004
1004: 90                nop
1005: 90                nop
1006: 90                nop
--- trace
psb; tsc 0x1001; psbend; tip.pge 0x1000; psb; tsc 0x2002; mode.exec 64; fup 0x1000; psbend; tnt N; tsc 0x3003; fup 0x1006; tip.pgd
--- pt script -i {trace} {map} --itrace=i100t --nom-freq 26 -F ip,period
         4              1004
