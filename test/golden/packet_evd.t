# EVD: the type in bits 5 to 0, and eight bytes.
# needs: CMD_DUMP
--- trace
psb
raw 02 53 00 00 10 40 00 00 00 00 00
raw 02 53 01 01 00 00 00 00 00 00 00
raw 02 53 02 ff ff ff ff ff ff ff ff
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 53 00 00 10 40 00 00 00 00 00                EVD Type 0x00 Payload 0x401000
.  0000001b:  02 53 01 01 00 00 00 00 00 00 00                EVD Type 0x01 Payload 0x1
.  00000026:  02 53 02 ff ff ff ff ff ff ff ff                EVD Type 0x02 Payload 0xffffffffffffffff

# The same in words.
--- trace
psb
evd 0 0x401000; evd 1 1; evd 2 0xffffffffffffffff
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 53 00 00 10 40 00 00 00 00 00                EVD Type 0x00 Payload 0x401000
.  0000001b:  02 53 01 01 00 00 00 00 00 00 00                EVD Type 0x01 Payload 0x1
.  00000026:  02 53 02 ff ff ff ff ff ff ff ff                EVD Type 0x02 Payload 0xffffffffffffffff
