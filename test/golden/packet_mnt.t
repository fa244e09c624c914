# MNT: a third byte, and eight of payload.
# needs: CMD_DUMP
--- trace
psb
raw 02 c3 88 01 02 03 04 05 06 07 08
raw 02 c3 88 ff ff ff ff ff ff ff ff
raw 02 c3 8b
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 c3 88 01 02 03 04 05 06 07 08                MNT 0x807060504030201
.  0000001b:  02 c3 88 ff ff ff ff ff ff ff ff                MNT 0xffffffffffffffff
.  00000026:  02                                              Bad packet!
.  00000027:  c3                                              CYC 0x18
.  00000028:  8b                                              CYC 0x11
