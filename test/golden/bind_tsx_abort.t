# MODE.TSX with TXAbort: its FUP begins an asynchronous branch, to the handler or out of the trace.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; mode.tsx in; fup @start; mode.tsx abort; fup @a; tip @b; mode.tsx in; fup @b; mode.tsx abort; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=xbe -F ip,addr,flags
  x                                    0             1000
  tx abrt                           1002             1001
  tx abrt                            1001 =>             1002
  x                                    0             1002
  tr end  tx abrt                      0             1003
  tr end  tx abrt                    1003 =>                0
