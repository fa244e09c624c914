# A FUP that no packet explains is followed by a TIP or a TIP.PGD; anything else does not match.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	end
	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @start; tnt T; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1000 code 6: Trace doesn't match instruction
  tr strt                               0 =>             1003
  tr end  async                      1003 =>                0
