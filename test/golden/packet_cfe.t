# CFE: the type in bits 4 to 0, bit 7 says that a FUP follows, and a byte of vector.
# needs: CMD_DUMP
--- trace
psb
raw 02 13 01 00
raw 02 13 02 00
raw 02 13 03 00
raw 02 13 04 00
raw 02 13 05 00
raw 02 13 06 00
raw 02 13 07 00
raw 02 13 08 00
raw 02 13 09 00
raw 02 13 0a 00
raw 02 13 0c 00
raw 02 13 0d 00
raw 02 13 0e 00
raw 02 13 0f 00
raw 02 13 81 0e
raw 02 13 9f ff
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 13 01 00                                     CFE IP:0 Type 0x01 Vector 0x0
.  00000014:  02 13 02 00                                     CFE IP:0 Type 0x02 Vector 0x0
.  00000018:  02 13 03 00                                     CFE IP:0 Type 0x03 Vector 0x0
.  0000001c:  02 13 04 00                                     CFE IP:0 Type 0x04 Vector 0x0
.  00000020:  02 13 05 00                                     CFE IP:0 Type 0x05 Vector 0x0
.  00000024:  02 13 06 00                                     CFE IP:0 Type 0x06 Vector 0x0
.  00000028:  02 13 07 00                                     CFE IP:0 Type 0x07 Vector 0x0
.  0000002c:  02 13 08 00                                     CFE IP:0 Type 0x08 Vector 0x0
.  00000030:  02 13 09 00                                     CFE IP:0 Type 0x09 Vector 0x0
.  00000034:  02 13 0a 00                                     CFE IP:0 Type 0x0a Vector 0x0
.  00000038:  02 13 0c 00                                     CFE IP:0 Type 0x0c Vector 0x0
.  0000003c:  02 13 0d 00                                     CFE IP:0 Type 0x0d Vector 0x0
.  00000040:  02 13 0e 00                                     CFE IP:0 Type 0x0e Vector 0x0
.  00000044:  02 13 0f 00                                     CFE IP:0 Type 0x0f Vector 0x0
.  00000048:  02 13 81 0e                                     CFE IP:1 Type 0x01 Vector 0xe
.  0000004c:  02 13 9f ff                                     CFE IP:1 Type 0x1f Vector 0xff
