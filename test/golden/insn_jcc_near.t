# The same of the long forms.
# needs: CMD_SCRIPT
--- asm 0x1000
start:
c0:	{disp32} jo	c1
	nop
c1:	{disp32} jno	c2
	nop
c2:	{disp32} jb	c3
	nop
c3:	{disp32} jae	c4
	nop
c4:	{disp32} je	c5
	nop
c5:	{disp32} jne	c6
	nop
c6:	{disp32} jbe	c7
	nop
c7:	{disp32} ja	c8
	nop
c8:	{disp32} js	c9
	nop
c9:	{disp32} jns	c10
	nop
c10:	{disp32} jp	c11
	nop
c11:	{disp32} jnp	c12
	nop
c12:	{disp32} jl	c13
	nop
c13:	{disp32} jge	c14
	nop
c14:	{disp32} jle	c15
	nop
c15:	{disp32} jg	c16
	nop
c16:	jmp	start
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TTTTTTTTTTTTTTTT; tnt NNNNNNNNNNNNNNNN; fup @c16; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jcc                                1000 =>             1007
  jcc                                1007 =>             100e
  jcc                                100e =>             1015
  jcc                                1015 =>             101c
  jcc                                101c =>             1023
  jcc                                1023 =>             102a
  jcc                                102a =>             1031
  jcc                                1031 =>             1038
  jcc                                1038 =>             103f
  jcc                                103f =>             1046
  jcc                                1046 =>             104d
  jcc                                104d =>             1054
  jcc                                1054 =>             105b
  jcc                                105b =>             1062
  jcc                                1062 =>             1069
  jcc                                1069 =>             1070
  jmp                                1070 =>             1000
  tr end  async                      1070 =>                0
