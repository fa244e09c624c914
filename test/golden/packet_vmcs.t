# VMCS: bits 51 to 12 of its address.
# needs: CMD_DUMP
--- trace
psb
raw 02 c8 00 00 00 00 00
raw 02 c8 12 bc 0a 00 00
raw 02 c8 ff ff ff ff ff
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 c8 00 00 00 00 00                            VMCS 0x0
.  00000017:  02 c8 12 bc 0a 00 00                            VMCS 0xabc12
.  0000001e:  02 c8 ff ff ff ff ff                            VMCS 0xffffffffff

# The same in words.
--- trace
psb
vmcs 0; vmcs 0xabc12000; vmcs 0xffffffffff000
--- pt -D {trace}
.  00000000:  02 82 02 82 02 82 02 82 02 82 02 82 02 82 02 82 PSB
.  00000010:  02 c8 00 00 00 00 00                            VMCS 0x0
.  00000017:  02 c8 12 bc 0a 00 00                            VMCS 0xabc12
.  0000001e:  02 c8 ff ff ff ff ff                            VMCS 0xffffffffff
