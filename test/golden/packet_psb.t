# PSB: 02 82 eight times, wherever; a shorter one is none. PSBEND, OVF and TraceStop have two bytes.
# needs: CMD_DUMP
--- trace
psb
raw 02 23
raw 02 f3
raw 02 83
raw 02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82
raw 02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 23
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 23                                           PSBEND
.  00000012:  02 f3                                           OVF
.  00000014:  02 83                                           TraceSTOP
.  00000016:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000026:  02                                              Bad packet!
.  00000027:  82                                              TNT NNNNNT (6)
.  00000028:  02                                              Bad packet!
.  00000029:  82                                              TNT NNNNNT (6)
.  0000002a:  02                                              Bad packet!
.  0000002b:  82                                              TNT NNNNNT (6)
.  0000002c:  02                                              Bad packet!
.  0000002d:  82                                              TNT NNNNNT (6)
.  0000002e:  02                                              Bad packet!
.  0000002f:  82                                              TNT NNNNNT (6)
.  00000030:  02                                              Bad packet!
.  00000031:  82                                              TNT NNNNNT (6)
.  00000032:  02                                              Bad packet!
.  00000033:  82                                              TNT NNNNNT (6)
.  00000034:  02 23                                           PSBEND
