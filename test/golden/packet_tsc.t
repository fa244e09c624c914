# TSC: 56 bits.
# needs: CMD_DUMP
--- trace
psb
raw 19 00 00 00 00 00 00 00
raw 19 ff ff ff ff ff ff ff
raw 19 01 02 03 04 05 06 07
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  19 00 00 00 00 00 00 00                         TSC 0x0
.  00000018:  19 ff ff ff ff ff ff ff                         TSC 0xffffffffffffff
.  00000020:  19 01 02 03 04 05 06 07                         TSC 0x7060504030201

# The same in words.
--- trace
psb
tsc 0; tsc 0xffffffffffffff; tsc 0x7060504030201
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  19 00 00 00 00 00 00 00                         TSC 0x0
.  00000018:  19 ff ff ff ff ff ff ff                         TSC 0xffffffffffffff
.  00000020:  19 01 02 03 04 05 06 07                         TSC 0x7060504030201
