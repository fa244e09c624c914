# A short TNT: the highest bit that is set is the stop bit, below it the oldest result comes first,
# and bit 0 is the header.
# needs: CMD_DUMP
--- trace
psb
raw 04
raw 06
raw 08
raw 0a
raw 0c
raw 0e
raw 16
raw 3e
raw 54
raw 80
raw a2
raw fe
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  04                                              TNT N (1)
.  00000011:  06                                              TNT T (1)
.  00000012:  08                                              TNT NN (2)
.  00000013:  0a                                              TNT NT (2)
.  00000014:  0c                                              TNT TN (2)
.  00000015:  0e                                              TNT TT (2)
.  00000016:  16                                              TNT NTT (3)
.  00000017:  3e                                              TNT TTTT (4)
.  00000018:  54                                              TNT NTNTN (5)
.  00000019:  80                                              TNT NNNNNN (6)
.  0000001a:  a2                                              TNT NTNNNT (6)
.  0000001b:  fe                                              TNT TTTTTT (6)
