# A file's name of 50 characters or more is 49 of them and a blank in a list of calls.
# needs: CMD_SCRIPT
--- code 0x1000 a-name-that-is-longer-than-a-column-of-a-list-of-calls-is-wide
1000: e8 01 00 00 00    call 0x1006
1005: f4                hlt
1006: ff e0             jmp *%rax
--- trace
psb; mode.exec 64; fup 0x1000; psbend; tip 0x1005; fup 0x1005; tip.pgd
--- pt script -i {trace} {map} --call-trace | sed -nE 's/.*\((.{49})(.*)\).*/[\2]/p'
[ ]
[ ]
