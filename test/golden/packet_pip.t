# PIP: bit 0 is NR, CR3 without its five low bits is above it.
# needs: CMD_DUMP
--- trace
psb
raw 02 43 00 00 00 00 00 00
raw 02 43 01 00 00 00 00 00
raw 02 43 ff ff ff ff ff ff
raw 02 43 00 34 12 00 00 00
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 43 00 00 00 00 00 00                         PIP 0x0 (NR=0)
.  00000018:  02 43 01 00 00 00 00 00                         PIP 0x0 (NR=1)
.  00000020:  02 43 ff ff ff ff ff ff                         PIP 0x7fffffffffff (NR=1)
.  00000028:  02 43 00 34 12 00 00 00                         PIP 0x91a00 (NR=0)

# The same in words.
--- trace
psb
pip 0; pip 0 nr; pip 0xfffffffffffe0 nr; pip 0x1234000
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 43 00 00 00 00 00 00                         PIP 0x0 (NR=0)
.  00000018:  02 43 01 00 00 00 00 00                         PIP 0x0 (NR=1)
.  00000020:  02 43 ff ff ff ff ff ff                         PIP 0x7fffffffffff (NR=1)
.  00000028:  02 43 00 34 12 00 00 00                         PIP 0x91a00 (NR=0)
