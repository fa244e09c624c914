# MTC: eight bits of the crystal's counter.
# needs: CMD_DUMP
--- trace
psb
raw 59 00
raw 59 7f
raw 59 ff
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  59 00                                           MTC 0x0
.  00000012:  59 7f                                           MTC 0x7f
.  00000014:  59 ff                                           MTC 0xff

# The same in words.
--- trace
psb
mtc 0; mtc 0x7f; mtc 0xff
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  59 00                                           MTC 0x0
.  00000012:  59 7f                                           MTC 0x7f
.  00000014:  59 ff                                           MTC 0xff
