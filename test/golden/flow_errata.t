# Errata, by the processor's model. BDM64: what was logged of the branch before an abort is wrong.
# needs: CMD_SCRIPT
--- code 0x1000
1000: c7 f8 0a 00 00 00 xbegin 0x1010
1006: 75 03             jne  0x100b
1008: 90                nop
1009: 90                nop
100a: f4                hlt
100b: 90                nop
100c: 75 00             jne  0x100e
100e: 90                nop
100f: 90                nop
1010: 90                nop
1011: 90                nop
--- trace
psb; mode.exec 64; fup 0x1000; psbend; mode.tsx in; fup 0x1000; tnt T; mode.tsx abort; fup 0x1009; tip 0x1010; fup 0x1011; tip.pgd
--- pt script -i {trace} {map} --itrace=i0nsbxe -F ip,addr,flags --cpu-model 6/0x3d
  x                                    0             1000
  x                                    0             1000
  jcc               (x)             100b             1006
  jcc               (x)              1006 =>             100b
  tx abrt                           1010             1009
  tx abrt                            1009 =>             1010
                                       0             1010
  tr end  async                      1011 =>                0

# Where the FUP is reached nothing is wrong.
--- trace
psb; mode.exec 64; fup 0x1000; psbend; mode.tsx in; fup 0x1000; tnt N; mode.tsx abort; fup 0x1009; tip 0x1010; fup 0x1011; tip.pgd
--- pt script -i {trace} {map} --itrace=i0nsbxe -F ip,addr,flags --cpu-model 6/0x3d
  x                                    0             1000
  x                                    0             1000
  jcc               (x)                0             1006
  x                                    0             1008
  tx abrt                           1010             1009
  tx abrt                            1009 =>             1010
                                       0             1010
  tr end  async                      1011 =>                0

# APL12: an overflow that ends while tracing is off is followed by a FUP that means nothing; it
# means something if what follows shows that tracing is on.
--- trace
psb; mode.exec 64; fup 0x1010; psbend; ovf; fup 0x1008; mtc 1; tip.pge 0x1010; fup 0x1011; tip.pgd; ovf; fup 0x1008; psb; psbend; tip.pge 0x1010; fup 0x1011; tip.pgd
tip.pge 0x1010; ovf; fup 0x1010; fup 0x1011; tip.pgd; tip.pge 0x1010; ovf; fup 0x1010; psb; mode.exec 64; fup 0x1010; psbend; fup 0x1011; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags --cpu-model 6/0x5c
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1010 code 7: Overflow packet
  tr strt                               0 =>             1010
  tr end  async                      1011 =>                0
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1011 code 7: Overflow packet
  tr strt                               0 =>             1010
  tr end  async                      1011 =>                0
  tr strt                               0 =>             1010
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1010 code 7: Overflow packet
  tr strt                               0 =>             1010
  tr end  async                      1011 =>                0
  tr strt                               0 =>             1010
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1010 code 7: Overflow packet
  tr strt                               0 =>             1010
  tr end  async                      1011 =>                0

# SKD022: VMLAUNCH and VMRESUME that end tracing have a FUP before their TIP.PGD: no interrupt.
--- code 0x2000 vm
2000: 90                nop
2001: 0f 01 c2          vmlaunch
2004: 90                nop
2005: 0f 01 c3          vmresume
2008: 90                nop
--- trace
psb; mode.exec 64; fup 0x2000; psbend; fup 0x2001; tip.pgd; tip.pge 0x2004; fup 0x2005; pip 0x5000 nr; tip.pgd; pip 0x1000; tip.pge 0x2004; fup 0x2004; tip.pgd; tip.pge 0x2000; fup 0x2001; tip 0x2004; fup 0x2008; tip.pgd
--- pt script -i {trace} {map} --itrace=i0nsbe -F ip,addr,flags --cpu-model 6/0x9e
                                       0             2000
  tr end  vmentry                      0             2001
  tr end  vmentry                    2001 =>                0
  tr strt                               0 =>             2004
                                       0             2004
  tr end  vmentry                      0             2005
  tr end  vmentry                    2005 =>                0
  tr strt                               0 =>             2004
  tr end  async                      2004 =>                0
  tr strt                               0 =>             2000
                                       0             2000
  hw int                             2001 =>             2004
                                       0             2004
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x2005 code 6: Trace doesn't match instruction
  tr strt                               0 =>             2008
  tr end  async                      2008 =>                0
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags --cpu-model 0x12/1 --max-samples 1
  tr end  vmentry                    2001 =>                0
