# Guests: their code is that of the process that runs them, or their kernel is given.
# needs: CMD_SCRIPT CMD_REPORT PERF_DATA GUESTS BRANCH_STACKS LIBELF PARALLEL
--- elf 0x401000 code
	.type _start, @function
_start:	call work
a:	vmlaunch
b:	nop
c:	hlt
	.size _start, . - _start
	.type work, @function
work:	nop
w1:	nop
w2:	ret
	.size work, . - work
	.type inguest, @function
inguest: nop
g1:	call work
g2:	vmcall
g3:	nop
--- elf 0xffffffff81000000 kern
	.type _text, @function
_text:	nop
_stext:	call gfun
k1:	cpuid
k2:	nop
	.size _text, . - _text
	.type gfun, @function
gfun:	nop
	ret
	.size gfun, . - gfun
--- trace trace1
psb; tsc 1000; mode.exec 64; pip 0x1000; fup @_start; psbend
tnt T
pip 0x5000 nr; tip @inguest
tnt T
tsc 2000
fup @g2; pip 0x1000; tip @b
tsc 3000
fup @c; tip.pgd
--- data data1
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm code
mmap 0x401000 0x1000 0x1000 /code
at 7 7 0 990
record 12 7:7
trace trace1 1000
--- trace trace2
psb; tsc 1000; mode.exec 64; pip 0x1000; fup @_start; psbend
tnt T
pip 0x5000 nr; tip @_text
tnt T
tsc 4000; fup @k1; pip 0x1000; tip @b
tsc 4050; fup @c; tip @a
pip 0x5000 nr; tip @k1
tsc 4060; psb; tsc 4060; mode.exec 64; pip 0x5000 nr; fup @k1; psbend
fup @k2; pip 0x1000; tip @b; fup @c; tip.pgd
--- data data2
event 8 0x2401 ip,tid,time,cpu,identifier
event 0 0 ip,tid,time,cpu,identifier,period period=77
event 1 9 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm code
mmap 0x401000 0x1000 0x1000 /code
mmap 0xffffffff81000000 0x1000000 0xffffffff81000000 "[guest.kernel.kallsyms]_text" pid=0 misc=4
at 7 7 0 990
record 12 7:7
trace trace2 1000
tool 9 misc=4 101 0xffffffff81000009 7:7 1001 0 77
tool 9 misc=2 101 0x401000 7:7 1003 0 77
tool 9 misc=5 101 0x401000 7:7 1002 0 77
--- perf script -i data1 --symfs . --guest-code --itrace=be
            code     7 [000]     0.000001:          1          branches:HG:            401000 _start+0x0 (/code) =>           40100a work+0x0 (/code)
            code     7 [000]     0.000001:          1          branches:HG:            40100c w2+0x0 (/code) =>           401005 a+0x0 (/code)
            code     7 [000]     0.000001:          1          branches:HG:            401005 a+0x0 (/code) =>                0 [unknown] ([unknown])
       [guest/7]     7 [000]     0.000001:          1          branches:HG:                 0 [unknown] ([unknown]) =>           40100d inguest+0x0 (/code)
       [guest/7]     7 [000]     0.000001:          1          branches:HG:            40100e g1+0x0 (/code) =>           40100a work+0x0 (/code)
       [guest/7]     7 [000]     0.000001:          1          branches:HG:            40100c w2+0x0 (/code) =>           401013 g2+0x0 (/code)
       [guest/7]     7 [000]     0.000002:          1          branches:HG:            401013 g2+0x0 (/code) =>                0 [unknown] ([unknown])
            code     7 [000]     0.000002:          1          branches:HG:                 0 [unknown] ([unknown]) =>           401008 b+0x0 (/code)
            code     7 [000]     0.000003:          1          branches:HG:            401009 c+0x0 (/code) =>                0 [unknown] ([unknown])
--- perf script -i data1 --symfs . --guest-code --itrace=i0nse -F comm,ip,sym
            code            401000 _start
            code            40100a work
            code            40100b w1
            code            40100c w2
            code            401005 a
       [guest/7]            40100d inguest
       [guest/7]            40100e g1
       [guest/7]            40100a work
       [guest/7]            40100b w1
       [guest/7]            40100c w2
            code            401008 b
--- perf script -i data1 --symfs . --guest-code --itrace=cr -F comm,callindent,ip
            code     work                                   401000
            code     w2                                     40100c
            code                                            401005
       [guest/7] inguest                                         0
       [guest/7] work                                       40100e
       [guest/7] w2                                         40100c
       [guest/7]                                            401013
            code         b                                       0
            code         c                                  401009
--- perf script -i data2 --symfs . --guestvmlinux kern --itrace=be
            code     7 [000]     0.000001:          1          branches:HG:            401000 _start+0x0 (/code) =>           40100a work+0x0 (/code)
            code     7 [000]     0.000001:          1          branches:HG:            40100c w2+0x0 (/code) =>           401005 a+0x0 (/code)
            code     7 [000]     0.000001:          1          branches:HG:            401005 a+0x0 (/code) =>                0 [unknown] ([unknown])
              :7     7 [000]     0.000001:          1          branches:HG:                 0 [unknown] ([unknown]) => ffffffff81000000 _text+0x0 ([guest.kernel.kallsyms])
              :7     7 [000]     0.000001:          1          branches:HG:  ffffffff81000001 _stext+0x0 ([guest.kernel.kallsyms]) => ffffffff81000009 gfun+0x0 ([guest.kernel.kallsyms])
              :7     7 [000]     0.000001:          1          branches:HG:  ffffffff8100000a gfun+0x1 ([guest.kernel.kallsyms]) => ffffffff81000006 k1+0x0 ([guest.kernel.kallsyms])
              :7     7 [000]     0.000001:         77            cycles:HG:  ffffffff81000009 gfun+0x0 ([guest.kernel.kallsyms])
              :7     7 [000]     0.000001:         77            cycles:HG:            401000 [unknown] ([unknown])
            code     7 [000]     0.000001:         77            cycles:HG:            401000 _start+0x0 (/code)
              :7     7 [000]     0.000004:          1          branches:HG:  ffffffff81000006 k1+0x0 ([guest.kernel.kallsyms]) =>                0 [unknown] ([unknown])
            code     7 [000]     0.000004:          1          branches:HG:                 0 [unknown] ([unknown]) =>           401008 b+0x0 (/code)
            code     7 [000]     0.000004:          1          branches:HG:            401009 c+0x0 (/code) =>           401005 a+0x0 (/code)
            code     7 [000]     0.000004:          1          branches:HG:            401005 a+0x0 (/code) =>                0 [unknown] ([unknown])
              :7     7 [000]     0.000004:          1          branches:HG:                 0 [unknown] ([unknown]) => ffffffff81000006 k1+0x0 ([guest.kernel.kallsyms])
              :7     7 [000]     0.000004:          1          branches:HG:  ffffffff81000008 k2+0x0 ([guest.kernel.kallsyms]) =>                0 [unknown] ([unknown])
            code     7 [000]     0.000004:          1          branches:HG:                 0 [unknown] ([unknown]) =>           401008 b+0x0 (/code)
            code     7 [000]     0.000004:          1          branches:HG:            401009 c+0x0 (/code) =>                0 [unknown] ([unknown])
--- perf script -i data2 --symfs . --guestvmlinux kern --itrace=ig -F comm,ip,sym --itrace=i0ns | grep .
code 
	            1000 _start
code 
	            100a work
	            1005 a
code 
	            100b w1
	            1005 a
code 
	            100c w2
	            1005 a
code 
	            1005 a
:7 
	ffffffff81000000 _text
	          401008 [unknown]
:7 
	ffffffff81000001 _stext
	          401008 [unknown]
:7 
	ffffffff81000009 gfun
	ffffffff81000006 k1
	          401008 [unknown]
:7 
	ffffffff8100000a gfun
	ffffffff81000006 k1
	          401008 [unknown]
              :7  ffffffff81000009 gfun
              :7            401000 [unknown]
            code            401000 _start
code 
	            1008 b
	ffffffff81000006 [unknown]
	            1008 b
code 
	            1005 a
	            1009 c
	ffffffff81000006 [unknown]
	            1008 b
:7 
	ffffffff81000006 k1
	          401008 [unknown]
	          401009 [unknown]
	ffffffff81000006 k1
	          401008 [unknown]
code 
	            1008 b
	ffffffff81000008 [unknown]
	            1008 b
	            1009 c
	ffffffff81000006 [unknown]
	            1008 b
--- perf script -i data2 --symfs . --guest-code --no-itrace
       [guest/7]     7 [000]     0.000001:         77            cycles:HG:  ffffffff81000009 [unknown] ([unknown])
       [guest/7]     7 [000]     0.000001:         77            cycles:HG:            401000 _start+0x0 (/code)
            code     7 [000]     0.000001:         77            cycles:HG:            401000 _start+0x0 (/code)
--- perf script -i data2 --symfs . --no-itrace
            code     7 [000]     0.000001:         77            cycles:HG:            401000 _start+0x0 (/code)
--- pt script -i data1 --symfs . --guest-code --itrace=be -F flags,ip,addr
  call                             401000 =>           40100a
  return                           40100c =>           401005
  vmentry                          401005 =>                0
  vmentry                               0 =>           40100d
  call                             40100e =>           40100a
  return                           40100c =>           401013
  vmexit                           401013 =>                0
  vmexit                                0 =>           401008
  tr end  async                    401009 =>                0
--- pt script -i data2 --symfs . --guestvmlinux kern --itrace=i0nsgb -j 2 -F comm,ip,sym
code 
	            1000 _start

            code            401000 _start
code 
	            100a work
	            1005 a

code 
	            100b w1
	            1005 a

code 
	            100c w2
	            1005 a

            code            40100c w2
code 
	            1005 a

            code            401005 a
              :7                 0 [unknown]
:7 
	ffffffff81000000 _text
	          401008 [unknown]

:7 
	ffffffff81000001 _stext
	          401008 [unknown]

              :7  ffffffff81000001 _stext
:7 
	ffffffff81000009 gfun
	ffffffff81000006 k1
	          401008 [unknown]

:7 
	ffffffff8100000a gfun
	ffffffff81000006 k1
	          401008 [unknown]

              :7  ffffffff8100000a gfun
              :7  ffffffff81000009 gfun
              :7            401000 [unknown]
            code            401000 _start
              :7  ffffffff81000006 k1
            code                 0 [unknown]
code 
	            1008 b
	ffffffff81000006 [unknown]
	            1008 b

            code            401009 c
code 
	            1005 a
	            1009 c
	ffffffff81000006 [unknown]
	            1008 b

            code            401005 a
              :7                 0 [unknown]
:7 
	ffffffff81000006 k1
	          401008 [unknown]
	          401009 [unknown]
	ffffffff81000006 k1
	          401008 [unknown]

              :7  ffffffff81000008 k2
            code                 0 [unknown]
code 
	            1008 b
	ffffffff81000008 [unknown]
	            1008 b
	            1009 c
	ffffffff81000006 [unknown]
	            1008 b

            code            401009 c
--- pt report --stdio -i data2 --symfs . --guestvmlinux kern --itrace=i1i -s sym 2> /dev/null | grep '\[[gu]\]'
    33.33%  [g] gfun
    33.33%  [u] 0x0000000000401000
    15.38%  [g] gfun
     7.69%  [g] _stext
     7.69%  [g] _text
     7.69%  [g] k1
--- pt report -i data1 --symfs . --guest-code --guest --itrace=i1i -g none 2> err | grep %
    20.00%  [guest/7]  code           [u] g1
    20.00%  [guest/7]  code           [u] inguest
    20.00%  [guest/7]  code           [u] w1
    20.00%  [guest/7]  code           [u] w2
    20.00%  [guest/7]  code           [u] work

# perf kvm --guest report has the same lines; with --host it counts both.
--- pt report -i data1 --symfs . --guest-code --guest --host --itrace=i1i -g none 2> err | grep -c %
11
--- pt report -i data1 --symfs . --guest-code --guest --itrace=b -s sym 2> err | grep -c '\[\.\]'
0
--- perf script -i data1 --symfs . --guest-code --itrace=i0nsl -F comm,ip,brstacksym
            code            401000
            code            40100a_start+0x0/work+0x0/-/-/-/0/ 
            code            40100b_start+0x0/work+0x0/-/-/-/0/ 
            code            40100c_start+0x0/work+0x0/-/-/-/0/ 
            code            401005w2+0x0/a+0x0/-/-/-/0/ _start+0x0/work+0x0/-/-/-/0/ 
       [guest/7]            40100da+0x0/inguest+0x0/-/-/-/0/ w2+0x0/a+0x0/-/-/-/0/ _start+0x0/work+0x0/-/-/-/0/ 
       [guest/7]            40100ea+0x0/inguest+0x0/-/-/-/0/ w2+0x0/a+0x0/-/-/-/0/ _start+0x0/work+0x0/-/-/-/0/ 
       [guest/7]            40100ag1+0x0/work+0x0/-/-/-/0/ a+0x0/inguest+0x0/-/-/-/0/ w2+0x0/a+0x0/-/-/-/0/ _start+0x0/work+0x0/-/-/-/0/ 
       [guest/7]            40100bg1+0x0/work+0x0/-/-/-/0/ a+0x0/inguest+0x0/-/-/-/0/ w2+0x0/a+0x0/-/-/-/0/ _start+0x0/work+0x0/-/-/-/0/ 
       [guest/7]            40100cg1+0x0/work+0x0/-/-/-/0/ a+0x0/inguest+0x0/-/-/-/0/ w2+0x0/a+0x0/-/-/-/0/ _start+0x0/work+0x0/-/-/-/0/ 
            code            401008g2+0x0/b+0x0/-/-/-/0/ w2+0x0/g2+0x0/-/-/-/0/ g1+0x0/work+0x0/-/-/-/0/ a+0x0/inguest+0x0/-/-/-/0/ w2+0x0/a+0x0/-/-/-/0/ _start+0x0/work+0x0/-/-/-/0/ 
