# TRIG: bit 7 of its second byte says that a FUP follows, bit 6 that an instruction count of 16 bits
# does, bit 5 that there were several; the third byte has a bit a trigger.
# needs: CMD_DUMP
--- trace
psb
raw d9 80 05
raw d9 20 80
raw d9 60 01 34 12
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  d9 80 05                                        TRIG 0x5 IP:1 MULT:0
.  00000013:  d9 20 80                                        TRIG 0x80 IP:0 MULT:1
.  00000016:  d9 60 01 34 12                                  TRIG 0x1 IP:0 MULT:1 ICNT 0x1234

# The same in words.
--- trace
psb
trig 5 ip; trig 0x80 mult; trig 1 mult icnt 0x1234
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  d9 80 05                                        TRIG 0x5 IP:1 MULT:0
.  00000013:  d9 20 80                                        TRIG 0x80 IP:0 MULT:1
.  00000016:  d9 60 01 34 12                                  TRIG 0x1 IP:0 MULT:1 ICNT 0x1234
