# p: power events, the frequency where it changes, and PSBs.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	mwait
b:	nop
end:	hlt
--- trace
psb; cbr 20; mode.exec 64; fup @start; psbend; mwait 0x20 1; pwre 3 1 hw; exstop ip; fup @a; pwrx 4 3 2; cbr 10; cbr 10; psb; cbr 10; mode.exec 64; fup @b; psbend; cbr 20; fup @b; tip.pgd
--- pt script -i {trace} {map} --itrace=p -F event,ip,synth --nom-freq 20
   psb:  psb offs: 0                                   1000
   cbr:  cbr: 20 freq: 2000 MHz (100%)                 1000
 mwait:  hints: 0x20 extensions: 0x1                   1001
  pwre:  hw: 1 cstate: 3 sub-cstate: 1                 1001
exstop:  IP: 1                                         1001
  pwrx:  deepest cstate: 3 last cstate: 4 wake reason: 0x2              1001
   cbr:  cbr: 10 freq: 1000 MHz ( 50%)                 1001
   psb:  psb offs: 0x45                                1004
   cbr:  cbr: 20 freq: 2000 MHz (100%)                 1004
