# CBR: the ratio, and a byte that is reserved.
# needs: CMD_DUMP
--- trace
psb
raw 02 03 01 00
raw 02 03 ff 00
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 03 01 00                                     CBR 0x1
.  00000014:  02 03 ff 00                                     CBR 0xff

# The same in words.
--- trace
psb
cbr 1; cbr 255
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 03 01 00                                     CBR 0x1
.  00000014:  02 03 ff 00                                     CBR 0xff
