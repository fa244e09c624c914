# MODE.TSX: bit 0 is InTX, bit 1 TXAbort; not both.
# needs: CMD_DUMP
--- trace
psb
raw 99 20
raw 99 21
raw 99 22
raw 99 23
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  99 20                                           MODE.TSX TXAbort:0 InTX:0
.  00000012:  99 21                                           MODE.TSX TXAbort:0 InTX:1
.  00000014:  99 22                                           MODE.TSX TXAbort:1 InTX:0
.  00000016:  99                                              Bad packet!
.  00000017:  23                                              CYC 0x4
