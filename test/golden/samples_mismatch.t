# A branch that the trace does not fit is not executed, but counts where instructions do.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 90                nop
1001: 90                nop
1002: 90                nop
1003: 0f 84 f7 ff ff ff jz   0x1000
1009: 90                nop
100a: 90                nop
100b: 90                nop
100c: 90                nop
100d: 90                nop
100e: ff e0             jmp  *%rax
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tip 0x1009; tip.pgd; tip.pge 0x1009; tip 0x1000; tnt T; tnt N; tip.pgd
--- pt script -i {trace} {map} --itrace=i3ie -F ip
             1002
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1003 code 6: Trace doesn't match instruction
             100a
             100d
             100a
             100d
             1001
             1000
             1003
             100b
             100e
