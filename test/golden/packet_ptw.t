# PTW: bits 6 and 5 of the second byte say how long the payload is, four bytes or eight; bit 7 that
# a FUP follows.
# needs: CMD_DUMP
--- trace
psb
raw 02 12 78 56 34 12
raw 02 92 ff ff ff ff
raw 02 32 08 07 06 05 04 03 02 01
raw 02 b2 ff ff ff ff ff ff ff ff
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 12 78 56 34 12                               PTWRITE 0x12345678 IP:0
.  00000016:  02 92 ff ff ff ff                               PTWRITE 0xffffffff IP:1
.  0000001c:  02 32 08 07 06 05 04 03 02 01                   PTWRITE 0x102030405060708 IP:0
.  00000026:  02 b2 ff ff ff ff ff ff ff ff                   PTWRITE 0xffffffffffffffff IP:1

# The same in words.
--- trace
psb
ptw 0x12345678; ptw 0xffffffff ip; ptw/8 0x102030405060708; ptw/8 0xffffffffffffffff ip
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 12 78 56 34 12                               PTWRITE 0x12345678 IP:0
.  00000016:  02 92 ff ff ff ff                               PTWRITE 0xffffffff IP:1
.  0000001c:  02 32 08 07 06 05 04 03 02 01                   PTWRITE 0x102030405060708 IP:0
.  00000026:  02 b2 ff ff ff ff ff ff ff ff                   PTWRITE 0xffffffffffffffff IP:1
