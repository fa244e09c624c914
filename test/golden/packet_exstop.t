# EXSTOP: bit 7 of its second byte says that a FUP follows.
# needs: CMD_DUMP
--- trace
psb
raw 02 62
raw 02 e2
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 62                                           EXSTOP IP:0
.  00000012:  02 e2                                           EXSTOP IP:1

# The same in words.
--- trace
psb
exstop; exstop ip
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 62                                           EXSTOP IP:0
.  00000012:  02 e2                                           EXSTOP IP:1
