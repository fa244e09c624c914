# PWRE: bit 7 says that hardware asked for it, bits 11 to 8 are the substate, 15 to 12 the state.
# needs: CMD_DUMP
--- trace
psb
raw 02 22 00 10
raw 02 22 80 f3
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 22 00 10                                     PWRE 0x1000 HW:0 CState:1 Sub-CState:0
.  00000014:  02 22 80 f3                                     PWRE 0xf380 HW:1 CState:15 Sub-CState:3

# The same in words.
--- trace
psb
pwre 1 0; pwre 15 3 hw
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 22 00 10                                     PWRE 0x1000 HW:0 CState:1 Sub-CState:0
.  00000014:  02 22 80 f3                                     PWRE 0xf380 HW:1 CState:15 Sub-CState:3
