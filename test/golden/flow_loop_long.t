# Direct branches that never end, more of them than a run has.
# needs: CMD_SCRIPT
--- code 0x1000
1000: e9 14 00 00 00    jmp  0x1019
1005: e9 14 00 00 00    jmp  0x101e
100a: e9 14 00 00 00    jmp  0x1023
100f: e9 14 00 00 00    jmp  0x1028
1014: e9 14 00 00 00    jmp  0x102d
1019: e9 14 00 00 00    jmp  0x1032
101e: e9 14 00 00 00    jmp  0x1037
1023: e9 14 00 00 00    jmp  0x103c
1028: e9 14 00 00 00    jmp  0x1041
102d: e9 14 00 00 00    jmp  0x1046
1032: e9 14 00 00 00    jmp  0x104b
1037: e9 c4 ff ff ff    jmp  0x1000
103c: e9 c4 ff ff ff    jmp  0x1005
1041: e9 c4 ff ff ff    jmp  0x100a
1046: e9 c4 ff ff ff    jmp  0x100f
104b: e9 c4 ff ff ff    jmp  0x1014
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tnt T
--- pt script -i {trace} {map} --itrace=i16ie -F ip
             1037
             1037
             1037
             1037
             1037
             1037
             1037
             1037
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x100a code 10: Never-ending loop (refer perf config intel-pt.max-loops)
