# d: a log of packets and gaps in the file intel_pt.log; d+o: in the output; d+e: only before
# a gap.
# needs: CMD_SCRIPT DECODE_LOG
--- asm 0x1000
start:	jne	start
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt T; ovf; fup @start; tnt N; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=bd -F ip,addr; cat intel_pt.log
             1000 =>             1000
                0 =>             1000
             1002 =>                0
trace 0 of cpu -1 tid -1
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1000 code 7: Overflow packet
.  00000010:  99 01                                           MODE.Exec IF:0 64
.  00000012:  7d 00 10 00 00 00 00                            FUP 0x1000
.  00000019:  02 23                                           PSBEND
.  0000001b:  06                                              TNT T (1)
.  0000001c:  02 f3                                           OVF
.  0000001e:  7d 00 10 00 00 00 00                            FUP 0x1000
.  00000025:  04                                              TNT N (1)
.  00000026:  7d 02 10 00 00 00 00                            FUP 0x1002
.  0000002d:  01                                              TIP.PGD no ip
--- pt script -i {trace} {map} --itrace=bd+o -F ip,addr
             1000 =>             1000
trace 0 of cpu -1 tid -1
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1000 code 7: Overflow packet
                0 =>             1000
             1002 =>                0
.  00000010:  99 01                                           MODE.Exec IF:0 64
.  00000012:  7d 00 10 00 00 00 00                            FUP 0x1000
.  00000019:  02 23                                           PSBEND
.  0000001b:  06                                              TNT T (1)
.  0000001c:  02 f3                                           OVF
.  0000001e:  7d 00 10 00 00 00 00                            FUP 0x1000
.  00000025:  04                                              TNT N (1)
.  00000026:  7d 02 10 00 00 00 00                            FUP 0x1002
.  0000002d:  01                                              TIP.PGD no ip
--- pt script -i {trace} {map} --itrace=bd+e+o -F ip,addr
             1000 =>             1000
trace 0 of cpu -1 tid -1
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1000 code 7: Overflow packet
                0 =>             1000
             1002 =>                0
