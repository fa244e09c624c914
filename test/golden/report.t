# A profile: how often which place was executed, and from where it was called.
# needs: CMD_REPORT
--- code 0x1000
1000: e8 03 00 00 00    call 0x1008
1005: 90                nop
1006: 90                nop
1007: f4                hlt
1008: e8 01 00 00 00    call 0x100e
100d: c3                ret
100e: 90                nop
100f: c3                ret
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tnt TT; fup 0x1006; tip.pgd
--- pt report -i {trace} {map} --itrace=i1i -s dso,sym | grep .
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 6  of event 'instructions'
# Event count (approx.): 6
#
# Overhead  Shared Object     Symbol                
# ........  ................  ......................
#
    16.67%  code              [.] 0000000000000000
    16.67%  code              [.] 0x0000000000000005
    16.67%  code              [.] 0x0000000000000008
    16.67%  code              [.] 0x000000000000000d
    16.67%  code              [.] 0x000000000000000e
    16.67%  code              [.] 0x000000000000000f
--- pt report -i {trace} {map} --itrace=i1ig -s dso -g caller --no-children | grep .
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 6  of event 'instructions'
# Event count (approx.): 6
#
# Overhead  Shared Object   
# ........  ................
#
   100.00%  code            
            |          
            |--83.33%--0x1005
            |          |          
            |          |--50.00%--0x100d
            |          |          |          
            |          |          |--16.67%--0x100f
            |          |          |          
            |          |           --16.67%--0x100e
            |          |          
            |           --16.67%--0x1008
            |          
             --16.67%--0x1000
--- pt report -i {trace} {map} --itrace=i2ig -s sym -n -q | head -n 12 | grep .
   100.00%     0.00%             0  [.] 0x0000000000001005
            |          
            |--33.33%--0x100d
            |          0x100f
            |          
             --33.33%--0x1008
    33.33%    33.33%             1  [.] 0x000000000000000f
            |
            ---0x100d
               0x100f
--- pt report -i {trace} {map} --itrace=i1ig -s dso -t ';' -q -g folded,count --no-children | grep .
 100.00%;code         
1 0x100f;0x100d;0x1005
1 0x100e;0x100d;0x1005
1 0x100d;0x1005
1 0x1008;0x1005
1 0x1005
1 0x1000
--- pt report -i {trace} {map} --itrace=b -s pid,cpu -F sample,period | grep .
# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 0
#
# Samples: 5  of event 'branches'
# Event count (approx.): 5
#
#      Samples        Period      Pid:Command  CPU
# ............  ............  ...............  ...
#
             5             5       -1::-1      -001
