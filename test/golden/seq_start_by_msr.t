# Tracing starts while it is off in the PSB+: TSC, TMA, CBR, MODE.Exec, TIP.PGE.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
sys:	syscall
back:	nop
end:	hlt
--- trace
psb; tsc 1; tma 1 1; cbr 10; psbend; tsc 2; tma 2 2; cbr 10; mode.exec 64; tip.pge @start; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr strt                               0 =>             1000
  tr end  syscall                    1001 =>                0
