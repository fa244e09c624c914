# BDM64: a FUP of an abort that is reached within 256 instructions is where the branch led to; one
# that is farther away is reached by chance, and the branch was wrong.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	x
	.skip	300, 0x90
x:	nop
	nop
	nop
end:	hlt
--- trace
psb; mode.exec 64; mode.tsx in; fup @start; psbend; tnt T; mode.tsx abort; fup @end; tip @x; fup @x; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags --cpu-model 6/0x3d
  jcc               (x)              1000 =>             1132
  tx abrt                            1135 =>             1132
  tr end  async                      1132 =>                0
--- pt script -i {trace} {map} --itrace=i1i -F ip --cpu-model 6/0x3d
             1000
             1132
             1133
             1134

# Farther away: its instructions are not printed.
--- trace
psb; mode.exec 64; mode.tsx in; fup @start; psbend; tnt N; mode.tsx abort; fup @end; tip @x; fup @x; tip.pgd
--- pt script -i {trace} {map} --itrace=i1i -F ip --cpu-model 6/0x3d
             1000
