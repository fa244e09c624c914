# CYC: five bits in the first byte, seven in each further one; bit 2 of the first and bit 0 of the
# others say that another follows.
# needs: CMD_DUMP
--- trace
psb
raw 03
raw 0b
raw fb
raw 07 02
raw ff fe
raw 07 03 02
raw 07 01 01 02
raw 27 06
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  03                                              CYC 0x0
.  00000011:  0b                                              CYC 0x1
.  00000012:  fb                                              CYC 0x1f
.  00000013:  07 02                                           CYC 0x20
.  00000015:  ff fe                                           CYC 0xfff
.  00000017:  07 03 02                                        CYC 0x1020
.  0000001a:  07 01 01 02                                     CYC 0x80000
.  0000001e:  27 06                                           CYC 0x64
