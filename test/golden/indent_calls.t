# --call-trace's column: each call is four columns deeper.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	call	f
back:	nop
end:	hlt
f:	call	g
fb:	ret
g:	nop
x:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TT; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=c -F callindent,ip
                1007                         1000
                    100d                     1007
            1006                             1006
