# Call chains: where an instruction was called from, the innermost first. Addresses are
# those in the file.
# needs: CMD_SCRIPT
--- code 0x1000
1000: e8 03 00 00 00    call 0x1008
1005: 90                nop
1006: 90                nop
1007: f4                hlt
1008: e8 01 00 00 00    call 0x100e
100d: c3                ret
100e: 90                nop
100f: c3                ret
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tnt TT; fup 0x1006; tip.pgd
--- pt script -i {trace} {map} --itrace=i3ig -F event,ip | grep .
instructions: 
	               e
	               d
	               5
instructions: 
	               5
--- pt script -i {trace} {map} --itrace=i3ig1 -F event,ip | grep .
instructions: 
	               e
instructions: 
	               5
