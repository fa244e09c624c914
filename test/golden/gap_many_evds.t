# More than 64 EVDs before one CFE are an internal error; decoding goes on at the next PSB.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
b:	nop
end:	hlt
--- trace
psb; mode.exec 64; fup @start; psbend
evd 0 0; evd 0 1; evd 0 2; evd 0 3; evd 0 4; evd 0 5; evd 0 6; evd 0 7; evd 0 8; evd 0 9; evd 0 10; evd 0 11; evd 0 12; evd 0 13; evd 0 14; evd 0 15
evd 0 0; evd 0 1; evd 0 2; evd 0 3; evd 0 4; evd 0 5; evd 0 6; evd 0 7; evd 0 8; evd 0 9; evd 0 10; evd 0 11; evd 0 12; evd 0 13; evd 0 14; evd 0 15
evd 0 0; evd 0 1; evd 0 2; evd 0 3; evd 0 4; evd 0 5; evd 0 6; evd 0 7; evd 0 8; evd 0 9; evd 0 10; evd 0 11; evd 0 12; evd 0 13; evd 0 14; evd 0 15
evd 0 0; evd 0 1; evd 0 2; evd 0 3; evd 0 4; evd 0 5; evd 0 6; evd 0 7; evd 0 8; evd 0 9; evd 0 10; evd 0 11; evd 0 12; evd 0 13; evd 0 14; evd 0 15
cfe 1 14; fup @a; tip @b; evd 0 99; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=Ibe -F event,ip,addr
     evt:             1002             1001
branches:              1001 =>             1002
branches:              1003 =>                0
--- trace
psb; mode.exec 64; fup @start; psbend
evd 0 0; evd 0 1; evd 0 2; evd 0 3; evd 0 4; evd 0 5; evd 0 6; evd 0 7; evd 0 8; evd 0 9; evd 0 10; evd 0 11; evd 0 12; evd 0 13; evd 0 14; evd 0 15
evd 0 0; evd 0 1; evd 0 2; evd 0 3; evd 0 4; evd 0 5; evd 0 6; evd 0 7; evd 0 8; evd 0 9; evd 0 10; evd 0 11; evd 0 12; evd 0 13; evd 0 14; evd 0 15
evd 0 0; evd 0 1; evd 0 2; evd 0 3; evd 0 4; evd 0 5; evd 0 6; evd 0 7; evd 0 8; evd 0 9; evd 0 10; evd 0 11; evd 0 12; evd 0 13; evd 0 14; evd 0 15
evd 0 0; evd 0 1; evd 0 2; evd 0 3; evd 0 4; evd 0 5; evd 0 6; evd 0 7; evd 0 8; evd 0 9; evd 0 10; evd 0 11; evd 0 12; evd 0 13; evd 0 14; evd 0 15
evd 0 99; cfe 1 14; fup @a; tip @b; psb; mode.exec 64; fup @b; psbend; fup @end; tip.pgd
--- pt script -i {trace} {map} --itrace=Ibe -F event,ip,addr
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1000 code 2: Internal error
     evt:             1002             1001
branches:              1001 =>             1002
branches:              1003 =>                0
