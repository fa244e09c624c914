# PWRE, EXSTOP and PWRX without an address are told at once, where the flow is.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; pwre 1 0 hw; exstop; pwrx 1 1 8; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=pbe -F ip,event | grep -v -e psb -e cbr
    pwre:              1000
  exstop:              1000
    pwrx:              1000
branches:              1003
