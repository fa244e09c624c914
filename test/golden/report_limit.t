# pt report -g: a chain whose share is exactly the limit is shown.
# needs: CMD_REPORT PERF_DATA LIBELF
--- elf 0x401000 code
	.type _start, @function
_start:	call work
s1:	call other
s2:	hlt
	.size _start, . - _start
	.type work, @function
work:	call leaf
w1:	ret
	.size work, . - work
	.type other, @function
other:	call leaf
o1:	ret
	.size other, . - other
	.type leaf, @function
leaf:	ret
	.size leaf, . - leaf
--- data
event 1 0 identifier,ip,tid,time,period,callchain
at 7 7 0 0
comm prog
mmap 0x401000 0x1000 0x1000 /code
tool 9 misc=2 100 @leaf 7:7 1000 200 4 0xfffffffffffffe00 @leaf @w1 @s1
tool 9 misc=2 100 @leaf 7:7 1001 200 4 0xfffffffffffffe00 @leaf @o1 @s2
tool 9 misc=2 100 @leaf 7:7 1002 100 4 0xfffffffffffffe00 @leaf @w1 @s2
--- perf report -i {data} --symfs . --stdio --no-children -s comm -g graph,40,caller 2> err | grep '^ '
   100.00%  prog   
            |          
            |--60.00%--s2
            |          |          
            |           --40.00%--other
            |                     leaf
            |          
             --40.00%--s1
                       work
                       leaf
--- perf report -i {data} --symfs . --stdio --no-children -s comm -g graph,41,caller 2> err | grep '^ '
   100.00%  prog   
            |          
             --60.00%--s2

# perf calls the rest inlined.
--- pt report -i {data} --symfs . --stdio --no-children -s comm -g fractal,60,caller 2> err | grep '^ '
   100.00%  prog   
            |          
            |--60.00%--s2
            |          |          
            |          |--66.67%--other
            |          |          leaf
            |           --33.33%--[...]
             --40.00%--[...]
--- perf report -i {data} --symfs . --stdio --no-children -s comm -g flat,40 2> err | grep '^ '
   100.00%  prog   
           40.00%
                leaf
                other
                s2
           40.00%
                leaf
                work
                s1
--- perf report -i {data} --symfs . --stdio --no-children -s comm -g flat,41 2> err | grep '^ '
   100.00%  prog   
