# MWAIT: eight bits of hints, and two of extensions in the upper half.
# needs: CMD_DUMP
--- trace
psb
raw 02 c2 20 00 00 00 00 00 00 00
raw 02 c2 ff 00 00 00 03 00 00 00
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 c2 20 00 00 00 00 00 00 00                   MWAIT 0x20 Hints 0x20 Extensions 0x0
.  0000001a:  02 c2 ff 00 00 00 03 00 00 00                   MWAIT 0x3000000ff Hints 0xff Extensions 0x3

# The same in words.
--- trace
psb
mwait 0x20 0; mwait 0xff 3
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 c2 20 00 00 00 00 00 00 00                   MWAIT 0x20 Hints 0x20 Extensions 0x0
.  0000001a:  02 c2 ff 00 00 00 03 00 00 00                   MWAIT 0x3000000ff Hints 0xff Extensions 0x3
