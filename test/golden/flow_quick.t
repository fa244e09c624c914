# Quick: addresses in packets are all there is, and code is not needed.
# needs: CMD_SCRIPT
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tnt TNT; tip 0x2000; fup 0x3000; tip 0x4000; tip; tip.pgd 0x5000
tip.pge 0x6000; fup 0x6001; tip.pgd; psb; psbend; tip.pge 0x7000; ovf; fup 0x8000; ptw 5 ip; fup 0x8001
psb; fup 0x9000; psbend
--- pt script -i {trace} --itrace=ibewq -F ip,addr,flags,event
instructions:                                        0             1000
instructions:                                        0             2000
instructions:   hw int                            4000             3000
    branches:   hw int                             3000 =>             4000
instructions:                                        0             4000
    branches:   tr strt tr end                        0 =>             5000
    branches:   tr strt                               0 =>             6000
instructions:                                        0             6000
instructions:   tr end  async                        0             6001
    branches:   tr end  async                      6001 =>                0
    branches:   tr strt                               0 =>             7000
instructions:                                        0             7000
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x7000 code 7: Overflow packet
    branches:   tr strt                               0 =>             8000
instructions:                                        0             8000
instructions:                                        0             8001
     ptwrite:                                        0             8001
instructions:                                        0             9000
--- pt script -i {trace} --itrace=iqq -F ip
             1000
             9000
