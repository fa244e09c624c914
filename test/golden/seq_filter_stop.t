# Only a tracestop: what is outside of it is traced, and the walk ends where it begins.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jmp	a
	hlt
a:	jmp	stop
	hlt
	nop
stop:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags --addr-filter 'tracestop 0x1007/0x10'
  jmp                                1000 =>             1003
  tr end                             1003 =>             1007
