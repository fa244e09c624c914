# A: without CYC, cycles are counted at each MTC, by the frequency. The time while tracing is off is
# left out. If it begins again in the middle of an interrupt, it was never off.
# needs: CMD_SCRIPT
--- asm 0x1000
start:	jne	start
	syscall
end:	hlt
--- trace
psb; tsc 2000; tma 0 0; cbr 20; mode.exec 64; psbend; tip.pge @start; tnt T; mtc 1; tnt T; mtc 2; tnt TN; tip.pgd; mtc 4; tip.pge @start; tnt T; mtc 6; tnt T; mtc 7; tnt T
--- pt script -i {trace} {map} --itrace=bA --ns -F time,ip,addr,ipc --nom-freq 20 --tsc-ratio 80/1 --mtc 3
    0.000001000:                 0 =>             1000
    0.000001000:              1000 =>             1000
    0.000001320:              1000 =>             1000 	 IPC: 0.00 (2/640) 
    0.000001640:              1000 =>             1000 	 IPC: 0.00 (1/640) 
    0.000001640:              1002 =>                0
    0.000002280:                 0 =>             1000
    0.000002280:              1000 =>             1000
    0.000002920:              1000 =>             1000 	 IPC: 0.00 (4/1280) 
    0.000003240:              1000 =>             1000 	 IPC: 0.00 (1/640) 
--- trace
psb; tsc 2000; tma 0 0; cbr 20; mode.exec 64; psbend; tip.pge @start; tnt T; mtc 1; tnt T; mtc 2; tnt T; fup @start; mtc 4; tip.pge @start; tnt T; mtc 6; tnt T; mtc 7; tnt T
--- pt script -i {trace} {map} --itrace=bA --ns -F time,ip,addr,ipc --nom-freq 20 --tsc-ratio 80/1 --mtc 3
    0.000001000:                 0 =>             1000
    0.000001000:              1000 =>             1000
    0.000001320:              1000 =>             1000 	 IPC: 0.00 (2/640) 
    0.000001640:              1000 =>             1000 	 IPC: 0.00 (1/640) 
    0.000002280:                 0 =>             1000
    0.000002280:              1000 =>             1000
    0.000002920:              1000 =>             1000 	 IPC: 0.00 (2/1280) 
    0.000003240:              1000 =>             1000 	 IPC: 0.00 (1/640) 
