# Code that is changed while it runs: each change is decoded from its time on, also where other code
# calls it, branches to it and is called by it. The links of the other code do not lead to old code.
# needs: CMD_SCRIPT CMD_REPORT PERF_DATA LIBELF
--- elf 0x401000 code
	nop
loop:	jne	. + 2
	call	. + 0xfeffd
	jne	. + 0xff018
back:	jmp	rax
--- elf 0x500000 v1
v1:
	je	. + 2
	ret
	.org	0x20
	jmp	. - 0xff012
	.org	0x40
	jne	. - 0xff03f
--- elf 0x500000 v2
v2:
	nop
	je	. + 2
	ret
	.org	0x20
	nop
	jmp	. - 0xff013
	.org	0x40
	nop
	jne	. - 0xff040
--- elf 0x500000 v3
v3:
	nop
	nop
	je	. + 2
	ret
	.org	0x20
	nop
	nop
	jmp	. - 0xff014
	.org	0x40
	nop
	nop
	jne	. - 0xff041
--- trace
psb; tsc 1000; mode.exec 64; fup @loop; psbend
tnt T; tnt NTT; tip 0x500040; tnt T
tnt T; tnt NTT; tip 0x500040; tnt T
tsc 2000
tnt T; tnt NTT; tip 0x500040; tnt T
tnt T; tnt NTT; tip 0x500040; tnt T
tsc 3000
tnt T; tnt NTT; tip 0x500040; tnt T
tnt T; tnt NTT; tip 0x500040; tnt T
tsc 4000
tnt T; tnt NTT; tip 0x500040; tnt T
tnt T; tnt NTT; tip 0x500040; tnt T
tsc 5000
fup @loop; tip.pgd
--- data
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm prog
mmap 0x401000 0x1000 0x1000 /code
mmap 0x500000 0x1000 0x1000 /v1
at 7 7 0 100
record 12 7:7
at 7 7 0 1900
mmap 0x500000 0x1000 0x1000 /v2
at 7 7 0 2900
mmap 0x500000 0x1000 0x1000 /v3
at 7 7 0 3900
mmap 0x500000 0x1000 0x1000 /v2
at 7 7 0 5900
record 14
trace trace 1000
--- pt script -i {data} --symfs . --itrace=be -F ip,addr,dso
           401001 (/code) =>           401003 (/code)
           401003 (/code) =>           500000 (/v1)
           500002 (/v1) =>           401008 (/code)
           401008 (/code) =>           500020 (/v1)
           500020 (/v1) =>           40100e (/code)
           40100e (/code) =>           500040 (/v1)
           500040 (/v1) =>           401001 (/code)
           401001 (/code) =>           401003 (/code)
           401003 (/code) =>           500000 (/v1)
           500002 (/v1) =>           401008 (/code)
           401008 (/code) =>           500020 (/v1)
           500020 (/v1) =>           40100e (/code)
           40100e (/code) =>           500040 (/v1)
           500040 (/v1) =>           401001 (/code)
           401001 (/code) =>           401003 (/code)
           401003 (/code) =>           500000 (/v2)
           500003 (/v2) =>           401008 (/code)
           401008 (/code) =>           500020 (/v2)
           500021 (/v2) =>           40100e (/code)
           40100e (/code) =>           500040 (/v2)
           500041 (/v2) =>           401001 (/code)
           401001 (/code) =>           401003 (/code)
           401003 (/code) =>           500000 (/v2)
           500003 (/v2) =>           401008 (/code)
           401008 (/code) =>           500020 (/v2)
           500021 (/v2) =>           40100e (/code)
           40100e (/code) =>           500040 (/v2)
           500041 (/v2) =>           401001 (/code)
           401001 (/code) =>           401003 (/code)
           401003 (/code) =>           500000 (/v3)
           500004 (/v3) =>           401008 (/code)
           401008 (/code) =>           500020 (/v3)
           500022 (/v3) =>           40100e (/code)
           40100e (/code) =>           500040 (/v3)
           500042 (/v3) =>           401001 (/code)
           401001 (/code) =>           401003 (/code)
           401003 (/code) =>           500000 (/v3)
           500004 (/v3) =>           401008 (/code)
           401008 (/code) =>           500020 (/v3)
           500022 (/v3) =>           40100e (/code)
           40100e (/code) =>           500040 (/v3)
           500042 (/v3) =>           401001 (/code)
           401001 (/code) =>           401003 (/code)
           401003 (/code) =>           500000 (/v2)
           500003 (/v2) =>           401008 (/code)
           401008 (/code) =>           500020 (/v2)
           500021 (/v2) =>           40100e (/code)
           40100e (/code) =>           500040 (/v2)
           500041 (/v2) =>           401001 (/code)
           401001 (/code) =>           401003 (/code)
           401003 (/code) =>           500000 (/v2)
           500003 (/v2) =>           401008 (/code)
           401008 (/code) =>           500020 (/v2)
           500021 (/v2) =>           40100e (/code)
           40100e (/code) =>           500040 (/v2)
           500041 (/v2) =>           401001 (/code)
           401001 (/code) =>                0 ([unknown])
--- pt script -i {data} --symfs . --insn-trace -F ip,dso
           401001 (/code)
           401003 (/code)
           500000 (/v1)
           500002 (/v1)
           401008 (/code)
           500020 (/v1)
           40100e (/code)
           500040 (/v1)
           401001 (/code)
           401003 (/code)
           500000 (/v1)
           500002 (/v1)
           401008 (/code)
           500020 (/v1)
           40100e (/code)
           500040 (/v1)
           401001 (/code)
           401003 (/code)
           500000 (/v2)
           500001 (/v2)
           500003 (/v2)
           401008 (/code)
           500020 (/v2)
           500021 (/v2)
           40100e (/code)
           500040 (/v2)
           500041 (/v2)
           401001 (/code)
           401003 (/code)
           500000 (/v2)
           500001 (/v2)
           500003 (/v2)
           401008 (/code)
           500020 (/v2)
           500021 (/v2)
           40100e (/code)
           500040 (/v2)
           500041 (/v2)
           401001 (/code)
           401003 (/code)
           500000 (/v3)
           500001 (/v3)
           500002 (/v3)
           500004 (/v3)
           401008 (/code)
           500020 (/v3)
           500021 (/v3)
           500022 (/v3)
           40100e (/code)
           500040 (/v3)
           500041 (/v3)
           500042 (/v3)
           401001 (/code)
           401003 (/code)
           500000 (/v3)
           500001 (/v3)
           500002 (/v3)
           500004 (/v3)
           401008 (/code)
           500020 (/v3)
           500021 (/v3)
           500022 (/v3)
           40100e (/code)
           500040 (/v3)
           500041 (/v3)
           500042 (/v3)
           401001 (/code)
           401003 (/code)
           500000 (/v2)
           500001 (/v2)
           500003 (/v2)
           401008 (/code)
           500020 (/v2)
           500021 (/v2)
           40100e (/code)
           500040 (/v2)
           500041 (/v2)
           401001 (/code)
           401003 (/code)
           500000 (/v2)
           500001 (/v2)
           500003 (/v2)
           401008 (/code)
           500020 (/v2)
           500021 (/v2)
           40100e (/code)
           500040 (/v2)
           500041 (/v2)
--- pt report -i {data} --symfs . --itrace=b --no-children -g none -s sym,dso --stdio | grep %
    43.86%  [.] loop  code         
    21.05%  [.] v2    v2           
    14.04%  [.] back  code         
    10.53%  [.] v1    v1           
    10.53%  [.] v3    v3           
--- pt report -i {data} --symfs . --itrace=i1i --no-children -g none -s sym,dso --stdio | grep %
    31.82%  [.] v2    v2           
    27.27%  [.] loop  code         
    22.73%  [.] v3    v3           
     9.09%  [.] back  code         
     9.09%  [.] v1    v1           
