# FUP: bits 7 to 5 are IPBytes, which say how much of the address follows: nothing, 16 bits, 32, 48
# that are sign-extended, 48 that replace, 64.
# needs: CMD_DUMP
--- trace
psb
raw 1d
raw 3d 34 12
raw 5d 78 56 34 12
raw 7d bc 9a 78 56 34 12
raw 9d 00 00 00 00 00 80
raw dd f0 de bc 9a 78 56 34 12
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  1d                                              FUP no ip
.  00000011:  3d 34 12                                        FUP 0x1234
.  00000014:  5d 78 56 34 12                                  FUP 0x12345678
.  00000019:  7d bc 9a 78 56 34 12                            FUP 0x123456789abc
.  00000020:  9d 00 00 00 00 00 80                            FUP 0x800000000000
.  00000027:  dd f0 de bc 9a 78 56 34 12                      FUP 0x123456789abcdef0

# The same in words.
--- trace
psb
fup; fup/16 0x1234; fup/32 0x12345678; fup 0x123456789abc; fup/48 0x800000000000; fup/64 0x123456789abcdef0
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  1d                                              FUP no ip
.  00000011:  3d 34 12                                        FUP 0x1234
.  00000014:  5d 78 56 34 12                                  FUP 0x12345678
.  00000019:  7d bc 9a 78 56 34 12                            FUP 0x123456789abc
.  00000020:  9d 00 00 00 00 00 80                            FUP 0x800000000000
.  00000027:  dd f0 de bc 9a 78 56 34 12                      FUP 0x123456789abcdef0
