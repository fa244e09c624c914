# JECXZ, too, and each may be not taken.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jecxz	end
a:	jrcxz	end
b:	loop	end
	jmp	start
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt NNN; tnt T; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jmp                                1007 =>             1000
  jcc                                1000 =>             1009
  tr end  async                      1009 =>                0
