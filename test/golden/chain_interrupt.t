# An interrupt is a call that goes on where it was; its IRET is a return.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
end:	hlt
h:	nop
i:	iretq
--- trace
psb; mode.exec 64; fup @start; psbend; fup @a; tip @h; tip @a; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=b -F ip,addr,callindent
                1003                         1001 =>             1003
                1004                         1004 =>             1001
            1002                             1002 =>                0
