# TIP.PGD: bits 7 to 5 are IPBytes, which say how much of the address follows: nothing, 16 bits, 32,
# 48 that are sign-extended, 48 that replace, 64.
# needs: CMD_DUMP
--- trace
psb
raw 01
raw 21 34 12
raw 41 78 56 34 12
raw 61 bc 9a 78 56 34 12
raw 81 00 00 00 00 00 80
raw c1 f0 de bc 9a 78 56 34 12
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  01                                              TIP.PGD no ip
.  00000011:  21 34 12                                        TIP.PGD 0x1234
.  00000014:  41 78 56 34 12                                  TIP.PGD 0x12345678
.  00000019:  61 bc 9a 78 56 34 12                            TIP.PGD 0x123456789abc
.  00000020:  81 00 00 00 00 00 80                            TIP.PGD 0x800000000000
.  00000027:  c1 f0 de bc 9a 78 56 34 12                      TIP.PGD 0x123456789abcdef0

# The same in words.
--- trace
psb
tip.pgd; tip.pgd/16 0x1234; tip.pgd/32 0x12345678; tip.pgd 0x123456789abc; tip.pgd/48 0x800000000000; tip.pgd/64 0x123456789abcdef0
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  01                                              TIP.PGD no ip
.  00000011:  21 34 12                                        TIP.PGD 0x1234
.  00000014:  41 78 56 34 12                                  TIP.PGD 0x12345678
.  00000019:  61 bc 9a 78 56 34 12                            TIP.PGD 0x123456789abc
.  00000020:  81 00 00 00 00 00 80                            TIP.PGD 0x800000000000
.  00000027:  c1 f0 de bc 9a 78 56 34 12                      TIP.PGD 0x123456789abcdef0
