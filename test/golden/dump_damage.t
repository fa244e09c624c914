# What is no packet is one line a byte; the next byte is tried then.
# needs: CMD_DUMP
--- trace
psb
raw 05                           # not in use
raw d9 01                        # a TRIG with a reserved bit
raw 99 03                        # no such mode: 64 and 32 bit
raw 99 23                        # in a transaction and aborted
raw 99 e1                        # no such leaf
raw ad                           # no such IPBytes
raw 02 52 02 01                  # no such second byte
raw 02 c3 89                     # nor third
raw 02 82 02 82 02 83            # nearly a PSB
raw ff ff ff ff ff ff ff ff ff ff 02    # a CYC of more than ten bytes
psb
tip 0x401000
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  05                                              Bad packet!
.  00000011:  d9                                              Bad packet!
.  00000012:  01                                              TIP.PGD no ip
.  00000013:  99                                              Bad packet!
.  00000014:  03                                              CYC 0x0
.  00000015:  99                                              Bad packet!
.  00000016:  23                                              CYC 0x4
.  00000017:  99                                              Bad packet!
.  00000018:  e1                                              Bad packet!
.  00000019:  ad                                              Bad packet!
.  0000001a:  02                                              Bad packet!
.  0000001b:  52                                              TNT NTNNT (5)
.  0000001c:  02                                              Bad packet!
.  0000001d:  01                                              TIP.PGD no ip
.  0000001e:  02                                              Bad packet!
.  0000001f:  c3                                              CYC 0x18
.  00000020:  89                                              Bad packet!
.  00000021:  02                                              Bad packet!
.  00000022:  82                                              TNT NNNNNT (6)
.  00000023:  02                                              Bad packet!
.  00000024:  82                                              TNT NNNNNT (6)
.  00000025:  02 83                                           TraceSTOP
.  00000027:  ff                                              Bad packet!
.  00000028:  ff ff ff ff ff ff ff ff ff 02                   CYC 0x3fffffffffffffff
.  00000032:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000042:  6d 00 10 40 00 00 00                            TIP 0x401000

# Before the first PSB everything is tried, too.
--- trace
raw 34 12 00
psb
--- pt -D {trace}
.  00000000:  34                                              TNT TNTN (4)
.  00000001:  12 00                                           TNT NNT (3)
.  00000003:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB

# A packet cut off at the end is none.
--- trace
psb
tip 0x401000
raw 19 01 03
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  6d 00 10 40 00 00 00                            TIP 0x401000
.  00000017:  19                                              Bad packet!
.  00000018:  01                                              TIP.PGD no ip
.  00000019:  03                                              CYC 0x0

--- trace
psb
raw 02
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02                                              Bad packet!

# No PSB, no trace.
--- trace
raw 19 ab 90 78 56 34 12 00 02 82 02 82
--- pt -D {trace} 2>&1; echo $?
pt: trace: not a trace: no perf.data header and no PSB packet
1
--- pt -D missing 2>&1; echo $?
pt: missing: no such file
1
