# pt annotate: the function with the largest sum of periods is first, not that with most samples.
# needs: CMD_ANNOTATE CMD_SCRIPT PERF_DATA LIBELF
--- elf 0x401000 code
	.type few, @function
few:	nop
	ret
	.size few, . - few
	.type many, @function
many:	nop
	ret
	.size many, . - many
--- data
event 1 0 identifier,ip,tid,time,period
at 7 7 0 0
comm prog
mmap 0x401000 0x1000 0x1000 /code
tool 9 misc=2 100 0x401000 7:7 1000 100
tool 9 misc=2 100 0x401002 7:7 1001 30
tool 9 misc=2 100 0x401003 7:7 1002 30
tool 9 misc=2 100 0x401002 7:7 1003 30
--- pt annotate -i {data} --symfs . 2> err | grep " of cpu"
few in /code: 1 sample of cpu-clock:HG, 52.63 % of all
many in /code: 3 samples of cpu-clock:HG, 47.37 % of all
