# PWRX: the deepest state, the last one, and why it ended: four bits each, from below.
# needs: CMD_DUMP
--- trace
psb
raw 02 a2 21 04 00 00 00
raw 02 a2 ff 0f 00 00 00
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 a2 21 04 00 00 00                            PWRX 0x421 Last CState:2 Deepest CState:1 Wake Reason 0x4
.  00000017:  02 a2 ff 0f 00 00 00                            PWRX 0xfff Last CState:15 Deepest CState:15 Wake Reason 0xf

# The same in words.
--- trace
psb
pwrx 2 1 4; pwrx 15 15 15
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 a2 21 04 00 00 00                            PWRX 0x421 Last CState:2 Deepest CState:1 Wake Reason 0x4
.  00000017:  02 a2 ff 0f 00 00 00                            PWRX 0xfff Last CState:15 Deepest CState:15 Wake Reason 0xf
