# Zero bytes show with the packet before them while the line has at most eight.
# needs: CMD_DUMP
--- trace
psb
pad 3
tip; pad 2
tip/16 0x1010; pad 5
tip/32 0x11223344; pad 6
tsc 1; pad
ptw/8 0; pad
pad 17
mtc 0
raw 05; pad 2                    # not behind a bad one
psbend
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  00 00 00                                        PAD
.  00000013:  0d 00 00                                        TIP no ip
.  00000016:  2d 10 10 00 00 00 00 00                         TIP 0x1010
.  0000001e:  4d 44 33 22 11 00 00 00                         TIP 0x11223344
.  00000026:  00 00 00                                        PAD
.  00000029:  19 01 00 00 00 00 00 00                         TSC 0x1
.  00000031:  00                                              PAD
.  00000032:  02 32 00 00 00 00 00 00 00 00                   PTWRITE 0x0 IP:0
.  0000003c:  00 00 00 00 00 00 00 00                         PAD
.  00000044:  00 00 00 00 00 00 00 00                         PAD
.  0000004c:  00 00                                           PAD
.  0000004e:  59 00                                           MTC 0x0
.  00000050:  05                                              Bad packet!
.  00000051:  00 00                                           PAD
.  00000053:  02 23                                           PSBEND

# At the end, too.
--- trace
psb
psbend
pad 5
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 23 00 00 00 00 00                            PSBEND
