# A system call where the kernel is traced, too: addresses of 64 bits, and of 48 that are sign-
# extended.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
sys:	syscall
back:	nop
end:	hlt
--- asm 0xffffffff81000000 kernel
entry:	nop
	call	f
ret:	sysretq
f:	ret
--- trace
psb; mode.exec 64; fup @start; psbend; tip @entry; tnt T; tip/64 @back; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  syscall                            1001 => ffffffff81000000
  call                   ffffffff81000001 => ffffffff81000009
  return                 ffffffff81000009 => ffffffff81000006
  sysret                 ffffffff81000006 =>             1003
  tr end  async                      1004 =>                0
