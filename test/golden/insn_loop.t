# LOOP, LOOPE, LOOPNE and JRCXZ take a result.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	loop	start
a:	loope	a
b:	loopne	b
c:	jrcxz	end
	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TN; tnt TN; tnt TN; tnt T; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jcc                                1000 =>             1000
  jcc                                1002 =>             1002
  jcc                                1004 =>             1004
  jcc                                1006 =>             1009
  tr end  async                      1009 =>                0
