# Each kind of packet that cannot be in a PSB+ ends it, and is read as usual.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	nop
a:	nop
c:	jmp	rax
end:	hlt
--- trace
psb; mode.exec 64; fup @a; psbend; psb; fup @a; tip @end; tip.pge @a; psb; fup @a; ptw 3; tip.pge @a; psb; fup @a; exstop; tip.pge @a
psb; fup @a; mwait 1 1; exstop ip; fup @a; tip.pge @a; psb; fup @a; pwre 1 0; tip.pge @a; psb; fup @a; pwrx 1 1 1; tip.pge @a; psb; fup @a; bbp 4; tip.pge @a; psb; fup @a; cfe 10 0; tip.pge @a; psb; fup @a; tip.pge @a; psb; fup @a; evd 0 1; tip.pge @a; fup @a; tip.pgd
--- pt script -i {trace} {map} --itrace=wpIbe -F event,ip,addr
     psb:                0             1001
     cbr:                0             1001
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 6: Trace doesn't match instruction
branches:                 0 =>             1004
branches:                 0 =>             1001
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 6: Trace doesn't match instruction
 ptwrite:                0                0
branches:                 0 =>             1001
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 6: Trace doesn't match instruction
  exstop:                0                0
branches:                 0 =>             1001
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 6: Trace doesn't match instruction
branches:                 0 =>             1001
   mwait:                0             1001
  exstop:                0             1001
branches:                 0 =>             1001
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 6: Trace doesn't match instruction
    pwre:                0                0
branches:                 0 =>             1001
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 6: Trace doesn't match instruction
    pwrx:                0                0
branches:                 0 =>             1001
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 6: Trace doesn't match instruction
branches:                 0 =>             1001
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 6: Trace doesn't match instruction
     evt:                0                0
branches:                 0 =>             1001
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 6: Trace doesn't match instruction
branches:                 0 =>             1001
 instruction trace error type 1 time 0 cpu -1 pid -1 tid -1 ip 0x1001 code 6: Trace doesn't match instruction
branches:                 0 =>             1001
branches:              1001 =>                0
