# A CYC has ten bytes at most; more are no packet.
# needs: CMD_DUMP
--- trace
psb
raw 07 01 01 01 01 01 01 01 01 02
raw 07 01 01 01 01 01 01 01 01 01
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  07 01 01 01 01 01 01 01 01 02                   CYC 0x2000000000000000
.  0000001a:  07                                              Bad packet!
.  0000001b:  01                                              TIP.PGD no ip
.  0000001c:  01                                              TIP.PGD no ip
.  0000001d:  01                                              TIP.PGD no ip
.  0000001e:  01                                              TIP.PGD no ip
.  0000001f:  01                                              TIP.PGD no ip
.  00000020:  01                                              TIP.PGD no ip
.  00000021:  01                                              TIP.PGD no ip
.  00000022:  01                                              TIP.PGD no ip
.  00000023:  01                                              TIP.PGD no ip
