# A whole trace: calls, returns as results, CYC and MTC, the end by a system call; times and IPC.
# needs: CMD_SCRIPT PERF_DATA LIBELF
--- elf 0x401000
	mov	ecx, 3
loop:	call	f
	dec	ecx
	jne	loop
	lea	rax, [rip + g]
	call	rax
	mov	eax, 60
	xor	edi, edi
	syscall
f:	ret
g:	nop
	nop
	ret
--- trace
psb; tsc 0x1234567890ab; tma 0x1000 0x10; cbr 30; psbend; mode.exec 64; tip.pge 0x401000; cyc 100; tnt TTTTTN; cyc 7; tip/16 @g; mtc 3; cyc 1000; tnt T; tip.pgd
--- data
event 8 0xe603 ip,tid,time,cpu,identifier
info shift=10 mult=512 zero=1000000000 ctc_n=80 ctc_d=1 cyc=2 max=20
at 7 7 0 0
comm prog
record 12 7:7
mmap 0x401000 0x1000 0x1000 /code
trace trace 0x123456789000
--- perf script -i {data} --symfs . --itrace=be --ns -F time,ip,addr,flags,ipc 2> err
10008.999170645:   tr strt                               0 =>           401000
10008.999170645:   call                             401005 =>           401020
10008.999170678:   return                           401020 =>           40100a 	 IPC: 0.03 (3/100) 
10008.999170678:   jcc                              40100c =>           401005
10008.999170678:   call                             401005 =>           401020
10008.999170678:   return                           401020 =>           40100a
10008.999170678:   jcc                              40100c =>           401005
10008.999170678:   call                             401005 =>           401020
10008.999170678:   return                           401020 =>           40100a
10008.999170681:   call                             401015 =>           401021 	 IPC: 1.71 (12/7) 
10008.999171597:   return                           401023 =>           401017 	 IPC: 0.00 (3/1000) 
10008.999171597:   tr end  syscall                  40101e =>                0
