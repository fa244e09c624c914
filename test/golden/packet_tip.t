# TIP: bits 7 to 5 are IPBytes, which say how much of the address follows: nothing, 16 bits, 32, 48
# that are sign-extended, 48 that replace, 64.
# needs: CMD_DUMP
--- trace
psb
raw 0d
raw 2d 34 12
raw 4d 78 56 34 12
raw 6d bc 9a 78 56 34 12
raw 8d 00 00 00 00 00 80
raw cd f0 de bc 9a 78 56 34 12
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  0d                                              TIP no ip
.  00000011:  2d 34 12                                        TIP 0x1234
.  00000014:  4d 78 56 34 12                                  TIP 0x12345678
.  00000019:  6d bc 9a 78 56 34 12                            TIP 0x123456789abc
.  00000020:  8d 00 00 00 00 00 80                            TIP 0x800000000000
.  00000027:  cd f0 de bc 9a 78 56 34 12                      TIP 0x123456789abcdef0

# The same in words.
--- trace
psb
tip; tip/16 0x1234; tip/32 0x12345678; tip 0x123456789abc; tip/48 0x800000000000; tip/64 0x123456789abcdef0
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  0d                                              TIP no ip
.  00000011:  2d 34 12                                        TIP 0x1234
.  00000014:  4d 78 56 34 12                                  TIP 0x12345678
.  00000019:  6d bc 9a 78 56 34 12                            TIP 0x123456789abc
.  00000020:  8d 00 00 00 00 00 80                            TIP 0x800000000000
.  00000027:  cd f0 de bc 9a 78 56 34 12                      TIP 0x123456789abcdef0
