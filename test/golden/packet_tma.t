# TMA: 16 bits of the crystal's counter, a reserved byte, and nine bits of ticks since that counter
# changed.
# needs: CMD_DUMP
--- trace
psb
raw 02 73 34 12 00 ff 00
raw 02 73 ff ff 00 ff 01
raw 02 73 00 00 00 00 00
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 73 34 12 00 ff 00                            TMA CTC 0x1234 FC 0xff
.  00000017:  02 73 ff ff 00 ff 01                            TMA CTC 0xffff FC 0x1ff
.  0000001e:  02 73 00 00 00 00 00                            TMA CTC 0x0 FC 0x0

# The same in words.
--- trace
psb
tma 0x1234 0xff; tma 0xffff 0x1ff; tma 0 0
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 73 34 12 00 ff 00                            TMA CTC 0x1234 FC 0xff
.  00000017:  02 73 ff ff 00 ff 01                            TMA CTC 0xffff FC 0x1ff
.  0000001e:  02 73 00 00 00 00 00                            TMA CTC 0x0 FC 0x0
