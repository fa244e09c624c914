# A bare trace has times where its clock is known: by TSC with --nom-freq, by MTC with the ratio.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 75 00             jne  0x1002
1002: 75 fc             jne  0x1000
1004: e8 07 00 00 00    call 0x1010
1009: 90                nop
--- code 0x1010 callee
1010: 90                nop
1011: c3                ret
--- trace
psb; tsc 26000; tma 0x10 0; cbr 26; mode.exec 64; fup 0x1000; psbend; tnt N; mtc 3; tnt T; mtc 5; tnt N; psb; tsc 52000000; tma 0x20 0; mode.exec 64; fup 0x1002; psbend; tnt N; fup 0x1004; tip.pgd
--- pt script -i {trace} {map} --itrace=be --ns -F time,ip,addr --nom-freq 26 --tsc-ratio 26/1 --mtc 3
    0.000010080:              1002 =>             1000
    0.020000000:              1004 =>                0
--- pt script -i {trace} {map} --itrace=be -F time,ip,addr --nom-freq 26
    0.000010:              1002 =>             1000
    0.020000:              1004 =>                0
--- pt script -i {trace} {map} --itrace=be -F ip,addr --tsc-ratio 26/1
             1002 =>             1000
             1004 =>                0
--- pt script -i {trace} {map} --itrace=be --ns -F time,ip,addr --nom-freq 26 --tsc-ratio 26/1 --mtc 3 --time 0.00001,0.000020
    0.000010080:              1002 =>             1000

# TSC has 56 bits; whatever they are, they are the time. Without one it is 0.
--- trace
psb; tsc 0xffffffffffff00; mode.exec 64; fup 0x1000; psbend; tnt N; tsc 0xffffffffffffff; tnt N; fup 0x1004; tip.pgd
--- pt script -i {trace} {map} --itrace=be --ns -F time,ip,addr --nom-freq 10
72057594.037927935:              1004 =>                0
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tnt N; fup 0x1002; tip.pgd
--- pt script -i {trace} {map} --itrace=be --ns -F time,ip,addr --nom-freq 10
    0.000000000:              1002 =>                0

# An address filter: a branch out of it ends tracing, though the TIP.PGD says nothing more.
--- trace
psb; mode.exec 64; fup 0x1004; psbend; tip.pgd; tip.pge 0x1009; fup 0x1009; tip.pgd
--- pt script -i {trace} {map} --itrace=i0nsbe -F ip,addr,flags
  call                              1010             1004
  call                               1004 =>             1010
                                       0             1010
  tr end  return                       0             1011
  tr end  return                     1011 =>                0
  tr strt                               0 =>             1009
  tr end  async                      1009 =>                0
--- pt script -i {trace} {map} --itrace=i0nsbe -F ip,addr,flags --addr-filter "filter 0x1000/0x10"
  tr end  call                      1010             1004
  tr end  call                       1004 =>             1010
  tr strt                               0 =>             1009
  tr end  async                      1009 =>                0

# Event trace: the interrupt flag, where it changes and at each branch. What is no change is no
# event.
--- trace
psb; mode.exec 64 if; fup 0x1000; psbend; mode.exec 64; fup 0x1000; mode.exec 64; fup 0x1000; tnt T; mode.exec 64 if; fup 0x1002; tnt N; fup 0x1004; tip.pgd
--- pt script -i {trace} {map} --itrace=bIe -F ip,addr,flags,event,synth --event-trace
   iflag:   t                      IFLAG: 1->0 non branch                          0             1000
branches:   jcc               (D)              1000 =>             1002
   iflag:   Dt                     IFLAG: 0->1 non branch                          0             1002
branches:   tr end  async                      1004 =>                0
--- pt script -i {trace} {map} --itrace=bIe -F ip,addr,flags,event,synth
branches:   jcc                                1000 =>             1002
branches:   tr end  async                      1004 =>                0
