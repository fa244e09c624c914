# Every kind of packet, and how it prints. Addresses are as the packet has
# them, short; a PIP shows CR3 without its lowest five bits.
# needs: CMD_DUMP
--- trace
psb
tsc 0x1234567890ab; tma 0x1000 0x10; cbr 30
mode.exec 64; mode.exec 32 if; mode.exec 16
mode.tsx; mode.tsx in; mode.tsx abort
pip 0x1234000 nr; vmcs 0xabc12000
fup 0x401000
psbend
tnt N; tnt T; tnt NT; tnt NTNNNT; tnt TTTTTTT; tnt64 T
tnt TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT
raw 02 a3 00 00 00 00 00 00      # no stop bit: no results
tip; tip/16 0x1010; tip/32 0x11223344; tip 0x7fff12345678
tip/48 0x112233445566; tip/64 0xffffffff81000000
tip.pge 0x401000; tip.pgd; tip.pgd/16 0x1000; fup/32 0xabcdef01
mtc 3; cyc 4; cyc 100; cyc 0xffffffffffffffff
ovf; tracestop
ptw 0x11223344; ptw 0x11223344 ip; ptw/8 0x68656c6c6f; ptw/8 0x1234567890abcdef ip
exstop; exstop ip; mwait 0x60 1; pwre 2 1; pwre 2 0 hw; pwrx 1 2 4
bbp 4; bip 0 0x401000; bip 31 1; bep ip
bbp 1 short; bip 2 0x11223344; bep
cfe 1 14 ip; cfe 2 0; evd 0 0xdeadbeef; evd 2 1
mnt 0x55
trig 5 ip; trig 1 mult icnt 0x1234
pad
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  19 ab 90 78 56 34 12 00                         TSC 0x1234567890ab
.  00000018:  02 73 00 10 00 10 00                            TMA CTC 0x1000 FC 0x10
.  0000001f:  02 03 1e 00                                     CBR 0x1e
.  00000023:  99 01                                           MODE.Exec IF:0 64
.  00000025:  99 06                                           MODE.Exec IF:1 32
.  00000027:  99 00                                           MODE.Exec IF:0 16
.  00000029:  99 20                                           MODE.TSX TXAbort:0 InTX:0
.  0000002b:  99 21                                           MODE.TSX TXAbort:0 InTX:1
.  0000002d:  99 22                                           MODE.TSX TXAbort:1 InTX:0
.  0000002f:  02 43 01 34 12 00 00 00                         PIP 0x91a00 (NR=1)
.  00000037:  02 c8 12 bc 0a 00 00                            VMCS 0xabc12
.  0000003e:  7d 00 10 40 00 00 00                            FUP 0x401000
.  00000045:  02 23                                           PSBEND
.  00000047:  04                                              TNT N (1)
.  00000048:  06                                              TNT T (1)
.  00000049:  0a                                              TNT NT (2)
.  0000004a:  a2                                              TNT NTNNNT (6)
.  0000004b:  02 a3 ff 00 00 00 00 00                         TNT TTTTTTT (7)
.  00000053:  02 a3 03 00 00 00 00 00                         TNT T (1)
.  0000005b:  02 a3 ff ff ff ff ff ff                         TNT TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT (47)
.  00000063:  02 a3 00 00 00 00 00 00                         TNT  (0)
.  0000006b:  0d                                              TIP no ip
.  0000006c:  2d 10 10                                        TIP 0x1010
.  0000006f:  4d 44 33 22 11                                  TIP 0x11223344
.  00000074:  6d 78 56 34 12 ff 7f                            TIP 0x7fff12345678
.  0000007b:  8d 66 55 44 33 22 11                            TIP 0x112233445566
.  00000082:  cd 00 00 00 81 ff ff ff ff                      TIP 0xffffffff81000000
.  0000008b:  71 00 10 40 00 00 00                            TIP.PGE 0x401000
.  00000092:  01                                              TIP.PGD no ip
.  00000093:  21 00 10                                        TIP.PGD 0x1000
.  00000096:  5d 01 ef cd ab                                  FUP 0xabcdef01
.  0000009b:  59 03                                           MTC 0x3
.  0000009d:  23                                              CYC 0x4
.  0000009e:  27 06                                           CYC 0x64
.  000000a0:  ff ff ff ff ff ff ff ff ff 0e                   CYC 0xffffffffffffffff
.  000000aa:  02 f3                                           OVF
.  000000ac:  02 83                                           TraceSTOP
.  000000ae:  02 12 44 33 22 11                               PTWRITE 0x11223344 IP:0
.  000000b4:  02 92 44 33 22 11                               PTWRITE 0x11223344 IP:1
.  000000ba:  02 32 6f 6c 6c 65 68 00 00 00                   PTWRITE 0x68656c6c6f IP:0
.  000000c4:  02 b2 ef cd ab 90 78 56 34 12                   PTWRITE 0x1234567890abcdef IP:1
.  000000ce:  02 62                                           EXSTOP IP:0
.  000000d0:  02 e2                                           EXSTOP IP:1
.  000000d2:  02 c2 60 00 00 00 01 00 00 00                   MWAIT 0x100000060 Hints 0x60 Extensions 0x1
.  000000dc:  02 22 00 21                                     PWRE 0x2100 HW:0 CState:2 Sub-CState:1
.  000000e0:  02 22 80 20                                     PWRE 0x2080 HW:1 CState:2 Sub-CState:0
.  000000e4:  02 a2 12 04 00 00 00                            PWRX 0x412 Last CState:1 Deepest CState:2 Wake Reason 0x4
.  000000eb:  02 63 04                                        BBP SZ 8-byte Type 0x4
.  000000ee:  04 00 10 40 00 00 00 00 00                      BIP ID 0x00 Value 0x401000
.  000000f7:  fc 01 00 00 00 00 00 00 00                      BIP ID 0x1f Value 0x1
.  00000100:  02 b3                                           BEP IP:1
.  00000102:  02 63 81                                        BBP SZ 4-byte Type 0x1
.  00000105:  14 44 33 22 11                                  BIP ID 0x02 Value 0x11223344
.  0000010a:  02 33                                           BEP IP:0
.  0000010c:  02 13 81 0e                                     CFE IP:1 Type 0x01 Vector 0xe
.  00000110:  02 13 02 00                                     CFE IP:0 Type 0x02 Vector 0x0
.  00000114:  02 53 00 ef be ad de 00 00 00 00                EVD Type 0x00 Payload 0xdeadbeef
.  0000011f:  02 53 02 01 00 00 00 00 00 00 00                EVD Type 0x02 Payload 0x1
.  0000012a:  02 c3 88 55 00 00 00 00 00 00 00                MNT 0x55
.  00000135:  d9 80 05                                        TRIG 0x5 IP:1 MULT:0
.  00000138:  d9 60 01 34 12 00                               TRIG 0x1 IP:0 MULT:1 ICNT 0x1234
