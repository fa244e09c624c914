# Second bytes that no packet has: the 02 alone is no packet, and the second byte is tried as a
# first.
# needs: CMD_DUMP
--- trace
psb
raw 02 05
raw 02 04
raw 02 fe
raw 02 52
raw 02 72
raw 02 d2
raw 02 f2
raw 02 0b
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02                                              Bad packet!
.  00000011:  05                                              Bad packet!
.  00000012:  02                                              Bad packet!
.  00000013:  04                                              TNT N (1)
.  00000014:  02                                              Bad packet!
.  00000015:  fe                                              TNT TTTTTT (6)
.  00000016:  02                                              Bad packet!
.  00000017:  52                                              TNT NTNNT (5)
.  00000018:  02                                              Bad packet!
.  00000019:  72                                              TNT TTNNT (5)
.  0000001a:  02                                              Bad packet!
.  0000001b:  d2                                              TNT TNTNNT (6)
.  0000001c:  02                                              Bad packet!
.  0000001d:  f2                                              TNT TTTNNT (6)
.  0000001e:  02                                              Bad packet!
.  0000001f:  0b                                              CYC 0x1
