# A return that the trace compresses to one taken bit.
# needs: CMD_SCRIPT
--- code 0x1000
1000: e8 01 00 00 00    call 0x1006
1005: f4                hlt
1006: c3                ret
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tnt T; fup 0x1005; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F +flags,-dso,-sym,-symoff
