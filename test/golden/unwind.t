# Call chains from copies of stacks: by .eh_frame of functions without frame pointers, through an
# interrupted function, and by RBP where there is no information.
# needs: CMD_SCRIPT PERF_DATA UNWIND CMD_REPORT
--- elf 0x401000 code
	.cfi_sections .eh_frame, .debug_frame
	.type main, @function
main:	.cfi_startproc
	push rbx
	.cfi_adjust_cfa_offset 8
	.cfi_offset rbx, -16
	sub rsp, 16
	.cfi_adjust_cfa_offset 16
	call middle
m1:	add rsp, 16
	.cfi_remember_state
	.cfi_adjust_cfa_offset -16
	pop rbx
m2:	.cfi_adjust_cfa_offset -8
	ret
	.cfi_restore_state
	.cfi_endproc
	.size main, . - main
	.type middle, @function
middle:	.cfi_startproc
	.cfi_def_cfa_offset 24
	.cfi_escape 0x0f, 5, 0x77, 16, 0x38, 0x22, 0x96	# CFA: breg7 16, lit8, plus, nop
	nop
	call leaf
b1:	ret
	.cfi_endproc
	.size middle, . - middle
	.type leaf, @function
leaf:	.cfi_startproc
	nop
l1:	nop
	.cfi_endproc
	.size leaf, . - leaf
	.type bare, @function
bare:	nop
r1:	nop
	.size bare, . - bare
	.type back, @function
back:	.cfi_startproc simple
	.cfi_signal_frame
	.cfi_def_cfa rsp, 8
	.cfi_offset rip, 0
	.cfi_val_offset rsp, 8
	nop
s1:	nop
	.cfi_endproc
	.size back, . - back
	.type stuck, @function
stuck:	.cfi_startproc simple
	.cfi_def_cfa rbp, 16
	.cfi_offset rip, -8
	nop
k1:	nop
	.cfi_endproc
	.size stuck, . - stuck
--- data
event 1 0 ip,tid,callchain,regs_user,stack_user user=0x1c0
at 7 7 0 0
comm code
mmap 0x401000 0x1000 0x1000 /code
# Of 32 bits, and without a stack.
tool 9 misc=2 @l1 7:7 0 1 0 0x7000 @l1 0
# leaf, called by middle, called by main, called by what is not known.
tool 9 misc=2 @l1 7:7 0 2 0 0x7000 @l1 88 @b1 1 2 @m1 3 4 5 0x400000 0 0 0 88
# In the kernel; what is at m2 has popped RBX, and its caller is not known.
tool 9 misc=1 0xffffffff81000010 7:7 2 0xffffffffffffff80 0xffffffff81000010 2 0 0x7000 @m2 16 0x400000 0 16
# bare has a frame: main called it.
tool 9 misc=2 @r1 7:7 0 2 0x7008 0x7000 @r1 80 1 0x7030 @m1 2 3 4 0x400000 0 0 0 80
# bare was interrupted in main, at m1 itself, by a signal.
tool 9 misc=2 @s1 7:7 0 2 0 0x7000 @s1 72 1 @m1 1 2 3 0x400000 0 0 0 72
# The caller of stuck is stuck itself, with the same frame: that is the end.
tool 9 misc=2 @k1 7:7 0 2 0x7000 0x7000 @k1 32 1 @k1 2 3 32
--- pt script -i {data} --symfs . | grep .
code     7          0 cpu-clock:HG: 
code     7          0 cpu-clock:HG: 
	            1018 leaf+0x1 (/code)
	            1015 middle+0x5 (/code)
	            1009 main+0x9 (/code)
	          3fffff [unknown] ([unknown])
code     7          0 cpu-clock:HG: 
	ffffffff81000010 [unknown] ([unknown])
	            100f m2+0x0 (/code)
	          3fffff [unknown] ([unknown])
code     7          0 cpu-clock:HG: 
	            101a bare+0x1 (/code)
	            1009 main+0x9 (/code)
	          3fffff [unknown] ([unknown])
code     7          0 cpu-clock:HG: 
	            101c back+0x1 (/code)
	            100a m1+0x0 (/code)
	          3fffff [unknown] ([unknown])
code     7          0 cpu-clock:HG: 
	            101e stuck+0x1 (/code)
	            101d stuck+0x0 (/code)
--- perf script -i {data} --symfs . --max-stack=0 -F comm,tid,ip
code     7 

code     7            401018
code     7  ffffffff81000010
code     7            40101a
code     7            40101c
code     7            40101e
