# The end of a trace cuts a packet: the bytes of it that are there are no packets of their own.
# Read as such, f4 would be a TNT, and its branches would be made up.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
loop:	jnz loop
	jmp start
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TTN; raw 19 f4 6e
--- pt script -i {trace} {map} --itrace=be -F ip,addr
             1001 =>             1001
             1001 =>             1001
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1003 code 3: Bad packet
