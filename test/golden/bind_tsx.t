# MODE.TSX that is no abort: its FUP only names an instruction, and no TIP follows.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; mode.tsx in; fup @a; mode.tsx; fup @b; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=xbe -F ip,addr,flags
  x                                    0             1001
                                       0             1002
  tr end  async                      1003 =>                0
