# BBP: bit 7 says that items have four bytes, bits 4 to 0 are the type. BIP: its number is in bits 7
# to 3. BEP: bit 7 of its second byte says that a FUP follows.
# needs: CMD_DUMP
--- trace
psb
raw 02 63 04
raw fc 01 02 03 04 05 06 07 08
raw 02 33
raw 02 63 9f
raw 44 01 02 03 04
raw 02 b3
raw 44
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  00000013:  fc 01 02 03 04 05 06 07 08                      BIP ID 0x1f Value 0x807060504030201
.  0000001c:  02 33                                           BEP IP:0
.  0000001e:  02 63 9f                                        BBP SZ 4-byte Type 0x1f
.  00000021:  44 01 02 03 04                                  BIP ID 0x08 Value 0x4030201
.  00000026:  02 b3                                           BEP IP:1
.  00000028:  44                                              TNT NNNTN (5)
