# In an open block a byte that ends in 100b is an item, and not a TNT.
# needs: CMD_DUMP
--- trace
psb
tnt N
bbp 4
bip 0 0x401000
pad; tsc 1; tma 1 1; mtc 1; fup 0x401000; cyc 1; cbr 30; mnt 1
exstop; pwre 1 0; pwrx 1 1 1
raw 05
bip 1 0x10
bep
tnt N
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  04                                              TNT N (1)
.  00000011:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  00000014:  04 00 10 40 00 00 00 00 00                      BIP ID 0x00 Value 0x401000
.  0000001d:  00                                              PAD
.  0000001e:  19 01 00 00 00 00 00 00                         TSC 0x1
.  00000026:  02 73 01 00 00 01 00                            TMA CTC 0x1 FC 0x1
.  0000002d:  59 01                                           MTC 0x1
.  0000002f:  7d 00 10 40 00 00 00                            FUP 0x401000
.  00000036:  0b                                              CYC 0x1
.  00000037:  02 03 1e 00                                     CBR 0x1e
.  0000003b:  02 c3 88 01 00 00 00 00 00 00 00                MNT 0x1
.  00000046:  02 62                                           EXSTOP IP:0
.  00000048:  02 22 00 10                                     PWRE 0x1000 HW:0 CState:1 Sub-CState:0
.  0000004c:  02 a2 11 01 00 00 00                            PWRX 0x111 Last CState:1 Deepest CState:1 Wake Reason 0x1
.  00000053:  05                                              Bad packet!
.  00000054:  0c 10 00 00 00 00 00 00 00                      BIP ID 0x01 Value 0x10
.  0000005d:  02 33                                           BEP IP:0
.  0000005f:  04                                              TNT N (1)

# Anything that says what was executed closes it.
--- trace
psb
bbp 4; tnt T; raw 04
bbp 4; tip; raw 04
bbp 4; mode.exec 64; raw 04
bbp 4; mode.tsx; raw 04
bbp 4; pip 0; raw 04
bbp 4; ovf; raw 04
bbp 4; vmcs 0; raw 04
bbp 4; tracestop; raw 04
bbp 4; psb; raw 04
bbp 4; psbend; raw 04
bbp 4; ptw 0; raw 04
bbp 4; mwait 0 0; raw 04
bbp 4; cfe 1 1; raw 04
bbp 4; evd 1 1; raw 04
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  00000013:  06                                              TNT T (1)
.  00000014:  04                                              TNT N (1)
.  00000015:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  00000018:  0d                                              TIP no ip
.  00000019:  04                                              TNT N (1)
.  0000001a:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  0000001d:  99 01                                           MODE.Exec IF:0 64
.  0000001f:  04                                              TNT N (1)
.  00000020:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  00000023:  99 20                                           MODE.TSX TXAbort:0 InTX:0
.  00000025:  04                                              TNT N (1)
.  00000026:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  00000029:  02 43 00 00 00 00 00 00                         PIP 0x0 (NR=0)
.  00000031:  04                                              TNT N (1)
.  00000032:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  00000035:  02 f3                                           OVF
.  00000037:  04                                              TNT N (1)
.  00000038:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  0000003b:  02 c8 00 00 00 00 00                            VMCS 0x0
.  00000042:  04                                              TNT N (1)
.  00000043:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  00000046:  02 83                                           TraceSTOP
.  00000048:  04                                              TNT N (1)
.  00000049:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  0000004c:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  0000005c:  04                                              TNT N (1)
.  0000005d:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  00000060:  02 23                                           PSBEND
.  00000062:  04                                              TNT N (1)
.  00000063:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  00000066:  02 12 00 00 00 00                               PTWRITE 0x0 IP:0
.  0000006c:  04                                              TNT N (1)
.  0000006d:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  00000070:  02 c2 00 00 00 00 00 00 00 00                   MWAIT 0x0 Hints 0x0 Extensions 0x0
.  0000007a:  04                                              TNT N (1)
.  0000007b:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  0000007e:  02 13 01 01                                     CFE IP:0 Type 0x01 Vector 0x1
.  00000082:  04                                              TNT N (1)
.  00000083:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  00000086:  02 53 01 01 00 00 00 00 00 00 00                EVD Type 0x01 Payload 0x1
.  00000091:  04                                              TNT N (1)

# A second block of the same group may have items of the other size.
--- trace
psb
bbp 4; bip 0 1; bbp 1 short; bip 0 1; bbp 4; bip 0 1; bep ip
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  00000013:  04 01 00 00 00 00 00 00 00                      BIP ID 0x00 Value 0x1
.  0000001c:  02 63 81                                        BBP SZ 4-byte Type 0x1
.  0000001f:  04 01 00 00 00                                  BIP ID 0x00 Value 0x1
.  00000024:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  00000027:  04 01 00 00 00 00 00 00 00                      BIP ID 0x00 Value 0x1
.  00000030:  02 b3                                           BEP IP:1
