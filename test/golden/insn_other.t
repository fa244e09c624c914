# Instructions that are no branches take nothing from the trace.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
	mov	eax, 1
	cpuid
	rdtsc
	lea	rbx, [rip]
	mov	rax, cr0
	syscall_like: cli
	sti
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  tr end  async                      1016 =>                0
