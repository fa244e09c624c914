# MWAIT is told at the FUP that follows, with what came meanwhile: PWRE and EXSTOP share that FUP.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	mwait
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; mwait 0x20 1; pwre 3 0; exstop ip; fup @a; pwrx 3 3 1; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=pbe -F ip,event | grep -v -e psb -e cbr
   mwait:              1001
    pwre:              1001
  exstop:              1001
    pwrx:              1001
branches:              1004
