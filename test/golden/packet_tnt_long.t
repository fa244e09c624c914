# A long TNT has 48 bits: the highest that is set is the stop bit, and results go down to bit 0.
# Without a result it is accepted.
# needs: CMD_DUMP
--- trace
psb
raw 02 a3 02 00 00 00 00 00
raw 02 a3 05 00 00 00 00 00
raw 02 a3 00 01 00 00 00 00
raw 02 a3 01 00 00 00 00 80
raw 02 a3 ff ff ff ff ff ff
raw 02 a3 01 00 00 00 00 00
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 a3 02 00 00 00 00 00                         TNT N (1)
.  00000018:  02 a3 05 00 00 00 00 00                         TNT NT (2)
.  00000020:  02 a3 00 01 00 00 00 00                         TNT NNNNNNNN (8)
.  00000028:  02 a3 01 00 00 00 00 80                         TNT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNT (47)
.  00000030:  02 a3 ff ff ff ff ff ff                         TNT TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT (47)
.  00000038:  02 a3 01 00 00 00 00 00                         TNT  (0)
