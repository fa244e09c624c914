# MODE: leaves from 2 on are none.
# needs: CMD_DUMP
--- trace
psb
raw 99 40
raw 99 60
raw 99 80
raw 99 e0
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  99                                              Bad packet!
.  00000011:  40                                              TNT NNNNN (5)
.  00000012:  99                                              Bad packet!
.  00000013:  60                                              TNT TNNNN (5)
.  00000014:  99                                              Bad packet!
.  00000015:  80                                              TNT NNNNNN (6)
.  00000016:  99                                              Bad packet!
.  00000017:  e0                                              TNT TTNNNN (6)
