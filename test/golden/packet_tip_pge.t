# TIP.PGE: bits 7 to 5 are IPBytes, which say how much of the address follows: nothing, 16 bits, 32,
# 48 that are sign-extended, 48 that replace, 64.
# needs: CMD_DUMP
--- trace
psb
raw 11
raw 31 34 12
raw 51 78 56 34 12
raw 71 bc 9a 78 56 34 12
raw 91 00 00 00 00 00 80
raw d1 f0 de bc 9a 78 56 34 12
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  11                                              TIP.PGE no ip
.  00000011:  31 34 12                                        TIP.PGE 0x1234
.  00000014:  51 78 56 34 12                                  TIP.PGE 0x12345678
.  00000019:  71 bc 9a 78 56 34 12                            TIP.PGE 0x123456789abc
.  00000020:  91 00 00 00 00 00 80                            TIP.PGE 0x800000000000
.  00000027:  d1 f0 de bc 9a 78 56 34 12                      TIP.PGE 0x123456789abcdef0

# The same in words.
--- trace
psb
tip.pge; tip.pge/16 0x1234; tip.pge/32 0x12345678; tip.pge 0x123456789abc; tip.pge/48 0x800000000000; tip.pge/64 0x123456789abcdef0
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  11                                              TIP.PGE no ip
.  00000011:  31 34 12                                        TIP.PGE 0x1234
.  00000014:  51 78 56 34 12                                  TIP.PGE 0x12345678
.  00000019:  71 bc 9a 78 56 34 12                            TIP.PGE 0x123456789abc
.  00000020:  91 00 00 00 00 00 80                            TIP.PGE 0x800000000000
.  00000027:  d1 f0 de bc 9a 78 56 34 12                      TIP.PGE 0x123456789abcdef0
