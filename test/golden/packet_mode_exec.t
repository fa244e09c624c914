# MODE.Exec: bit 0 is CS.L, bit 1 CS.D, bit 2 the interrupt flag. Both L and D are no mode.
# needs: CMD_DUMP
--- trace
psb
raw 99 00
raw 99 01
raw 99 02
raw 99 04
raw 99 05
raw 99 06
raw 99 03
raw 99 07 00
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  99 00                                           MODE.Exec IF:0 16
.  00000012:  99 01                                           MODE.Exec IF:0 64
.  00000014:  99 02                                           MODE.Exec IF:0 32
.  00000016:  99 04                                           MODE.Exec IF:1 16
.  00000018:  99 05                                           MODE.Exec IF:1 64
.  0000001a:  99 06                                           MODE.Exec IF:1 32
.  0000001c:  99                                              Bad packet!
.  0000001d:  03                                              CYC 0x0
.  0000001e:  99                                              Bad packet!
.  0000001f:  07 00                                           CYC 0x0
