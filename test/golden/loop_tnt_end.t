# Where the trace ends after a result, nothing more is printed.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	a
a:	jmp	b
b:	call	c
c:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt T
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jcc                                1000 =>             1002
