# First bytes that no packet has; the next byte is tried.
# needs: CMD_DUMP
--- trace
psb
raw 05
raw 09
raw 15
raw 25
raw 29
raw 35
raw 45
raw 49
raw 85
raw 89
raw 95
raw c5
raw e9
raw f5
raw 39
raw 79
raw b9
raw f9
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  05                                              Bad packet!
.  00000011:  09                                              Bad packet!
.  00000012:  15                                              Bad packet!
.  00000013:  25                                              Bad packet!
.  00000014:  29                                              Bad packet!
.  00000015:  35                                              Bad packet!
.  00000016:  45                                              Bad packet!
.  00000017:  49                                              Bad packet!
.  00000018:  85                                              Bad packet!
.  00000019:  89                                              Bad packet!
.  0000001a:  95                                              Bad packet!
.  0000001b:  c5                                              Bad packet!
.  0000001c:  e9                                              Bad packet!
.  0000001d:  f5                                              Bad packet!
.  0000001e:  39                                              Bad packet!
.  0000001f:  79                                              Bad packet!
.  00000020:  b9                                              Bad packet!
.  00000021:  f9                                              Bad packet!
