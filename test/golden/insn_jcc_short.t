# Each of the 16 conditions takes a result: taken, and not taken.
# needs: CMD_SCRIPT
--- asm 0x1000
start:
c0:	jo	c1
	nop
c1:	jno	c2
	nop
c2:	jb	c3
	nop
c3:	jae	c4
	nop
c4:	je	c5
	nop
c5:	jne	c6
	nop
c6:	jbe	c7
	nop
c7:	ja	c8
	nop
c8:	js	c9
	nop
c9:	jns	c10
	nop
c10:	jp	c11
	nop
c11:	jnp	c12
	nop
c12:	jl	c13
	nop
c13:	jge	c14
	nop
c14:	jle	c15
	nop
c15:	jg	c16
	nop
c16:	jmp	start
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TTTTTTTTTTTTTTTTNNNNNNNNNNNNNNNN; fup @c16; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jcc                                1000 =>             1003
  jcc                                1003 =>             1006
  jcc                                1006 =>             1009
  jcc                                1009 =>             100c
  jcc                                100c =>             100f
  jcc                                100f =>             1012
  jcc                                1012 =>             1015
  jcc                                1015 =>             1018
  jcc                                1018 =>             101b
  jcc                                101b =>             101e
  jcc                                101e =>             1021
  jcc                                1021 =>             1024
  jcc                                1024 =>             1027
  jcc                                1027 =>             102a
  jcc                                102a =>             102d
  jcc                                102d =>             1030
  jmp                                1030 =>             1000
  tr end  async                      1030 =>                0
