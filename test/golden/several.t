# Several files of one recording (pt record --switch-output), and a folder of them, are read as one;
# --time leaves out those that it does not need.
# needs: CMD_SCRIPT PERF_DATA SEVERAL CMD_REPORT CMD_INJECT PARALLEL
--- elf 0x401000 code
	.type loop, @function
loop:	nop
	jne loop
end:	hlt
	.size loop, . - loop
--- trace trace1
psb; tsc 1000; mode.exec 64; fup @loop; psbend
tnt TT; tsc 1400; tnt TT
--- trace trace2
psb; tsc 2000; mode.exec 64; fup @loop; psbend
tnt TN; tsc 2400; fup @end; tip.pgd
--- data one
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm code
mmap 0x401000 0x1000 0x1000 /code
at 7 7 0 990
record 12 7:7
at 7 7 0 1900
record 3 7:7 "first"
trace trace1 1000 off=0
feature 21 1000 1900
--- data two
event 8 0x2401 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier
info
at 7 7 0 0
comm code
mmap 0x401000 0x1000 0x1000 /code
at 7 7 0 1990
record 12 7:7
at 7 7 0 2500
record 3 7:7 "second"
trace trace2 2000 off=0x80
feature 21 2000 2500
--- data other
event 8 0x2401 ip,tid,time,cpu
info
--- pt script --symfs . --itrace=be -F comm,time,ip,addr --ns -i two -i one
            code     0.000001000:            401001 =>           401000
            code     0.000001000:            401001 =>           401000
            code     0.000001400:            401001 =>           401000
            code     0.000001400:            401001 =>           401000
           first     0.000002000:            401001 =>           401000
           first     0.000002400:            401003 =>                0
--- pt script --symfs . --itrace=be -F comm,time,ip,addr --ns -i two -i one --time 0.000002,
            code     0.000002000:            401001 =>           401000
            code     0.000002400:            401003 =>                0
--- pt script --symfs . --itrace=be -F comm,time,ip,addr --ns -i two -i one --show-task-events | grep PERF
            code     0.000000000: PERF_RECORD_COMM: code:7/7
            code     0.000000000: PERF_RECORD_COMM: code:7/7
           first     0.000001900: PERF_RECORD_COMM: first:7/7
          second     0.000002500: PERF_RECORD_COMM: second:7/7
--- pt script -j 2 --symfs . --itrace=b -F ip,addr -i one -i two
           401001 =>           401000
           401001 =>           401000
           401001 =>           401000
           401001 =>           401000
           401001 =>           401000
           401003 =>                0
--- pt script --itrace=b -i one -i other 2>&1
pt: one and other are not of one recording: their events differ
--- pt script --itrace=b -i one -i nofile 2>&1
pt: nofile: no such file
--- pt script $(mkdir -p parts; cp one two parts; cp one parts/.rest; echo > parts/notes) -i parts --symfs . --itrace=be -F ip | wc -l
6
--- pt script --header-only -i two -i one | grep 'time of'
# time of first sample : 0.000001
# time of last sample : 0.000002

# Traces are read where they are.
--- pt script -D -i two -i one | grep -a TNT
.  00000023:  0e                                              TNT TT (2)
.  0000002c:  0e 00 00 00                                     TNT TT (2)
.  00000023:  0c                                              TNT TN (2)

# The form for pipes, as a file and as a pipe.
--- pt script $("$PT" inject -i two -o - > piped) --symfs . --itrace=be -F comm,time,ip,addr --ns -i piped -i one
            code     0.000001000:            401001 =>           401000
            code     0.000001000:            401001 =>           401000
            code     0.000001400:            401001 =>           401000
            code     0.000001400:            401001 =>           401000
           first     0.000002000:            401001 =>           401000
           first     0.000002400:            401003 =>                0
--- pt inject -i one -o - | "$PT" script --symfs . --itrace=be -F ip,addr -i two -i -
           401001 =>           401000
           401001 =>           401000
           401001 =>           401000
           401001 =>           401000
           401001 =>           401000
           401003 =>                0
--- pt script --symfs . --itrace=be -F ip,addr -i two -i - < one
           401001 =>           401000
           401001 =>           401000
           401001 =>           401000
           401001 =>           401000
           401001 =>           401000
           401003 =>                0
