# A bare trace of a guest, as its PIPs say: its code is what --map says.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 0f 01 c2          vmlaunch
1003: 90                nop
1004: f4                hlt
1005: 90                nop
1006: 90                nop
1007: 90                nop
--- trace
psb; mode.exec 64; pip 0x5000 nr; fup 0x1006; psbend; fup 0x1007; tip.pgd
pip 0x1000; tip.pge 0x1000; pip 0x5000 nr; tip 0x1006; fup 0x1007; pip 0x1000; tip 0x1003; fup 0x1004; tip.pgd
--- pt script -i {trace} {map} --itrace=i0nsbe -F ip,addr,flags
                                       0             1006
  tr end  async                      1007 =>                0
  tr strt                               0 =>             1000
  vmentry                           1006             1000
  vmentry                            1000 =>                0
  vmentry                               0 =>             1006
                                       0             1006
  vmexit                             1007 =>                0
  vmexit                                0 =>             1003
                                       0             1003
  tr end  async                      1004 =>                0
