# IPBytes 5 and 7 are reserved: no packet.
# needs: CMD_DUMP
--- trace
psb
raw ad
raw ed
raw b1
raw f1
raw a1
raw e1
raw bd
raw fd
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  ad                                              Bad packet!
.  00000011:  ed                                              Bad packet!
.  00000012:  b1                                              Bad packet!
.  00000013:  f1                                              Bad packet!
.  00000014:  a1                                              Bad packet!
.  00000015:  e1                                              Bad packet!
.  00000016:  bd                                              Bad packet!
.  00000017:  fd                                              Bad packet!
