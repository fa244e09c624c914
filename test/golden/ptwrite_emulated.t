# A jump over 16 bytes of UD2 and a text: the 64 results that follow are a value, highest bit first.
# It is told where the first of their branches begins, and has no address of its own.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	.byte	0xeb, 0x10, 0x0f, 0x0b
	.ascii	"perf,ptwrite  "
loop:	jne	loop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; tnt TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT; tnt TTTTTTTTTTTTTTTTTTTTTTTN; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=w -F synth,ip
 IP: 0 payload: 0xfffffffffffffffe               1012
