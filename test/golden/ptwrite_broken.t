# An emulated PTWRITE that ends before its 64 results.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	.byte	0xeb, 0x10, 0x0f, 0x0b
	.ascii	"perf,ptwrite  "
loop:	jne	loop
end:	jmp	rax
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT; tnt N; tip @loop; tnt T; fup @loop; tip.pgd
--- pt script -i {trace} {map} --itrace=wbe -F event,ip,addr | uniq -c
      1 branches:              1000 =>             1012
      1  instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1012 code 11: Broken emulated ptwrite
     40 branches:              1012 =>             1012
      1 branches:              1014 =>             1012
      1 branches:              1012 =>             1012
      1 branches:              1012 =>                0
