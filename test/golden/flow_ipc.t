# Cycles are exact at a branch that was not taken, too, where that one is sampled; another
# leaves them to the next sample.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 90                nop
1001: 90                nop
1002: 74 00             je 0x1004
1004: 90                nop
1005: 74 00             je 0x1007
1007: 90                nop
1008: 74 00             je 0x100a
100a: 90                nop
100b: 90                nop
--- trace
psb; mode.exec 64; fup 0x1000; psbend; cyc 7; tnt N; cyc 5; tnt N; cyc 3; tnt N; fup 0x100b; tip.pgd
--- pt script -i {trace} {map} --itrace=i3i -F ip,ipc
             1002 	 IPC: 0.42 (3/7) 
             1007
