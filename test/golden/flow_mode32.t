# MODE.Exec tells how long instructions are: 40 is an instruction in 32-bit code.
# needs: CMD_SCRIPT
--- code 0x1000
1000: 40                inc  %eax
1001: 40                inc  %eax
1002: 75 fc             jne  0x1000
1004: 66 e9 00 10       jmp  0x2008, of 16 bits
--- trace
psb; mode.exec 32; fup 0x1000; psbend; tnt TN; fup 0x1004; tip.pgd
--- pt script -i {trace} {map} --itrace=be -F ip,addr,flags
  jcc                                1002 =>             1000
  tr end  async                      1004 =>                0
