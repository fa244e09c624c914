# pt inject --vm-time-correlation: the TSC of a guest becomes that of the host, by the offset of its
# VMCS. MTC is on: TMA packets tell what the host's TSC was. perf 6.1 writes the same bytes. If nothing
# has to be changed, that is no failure.
# needs: CMD_SCRIPT PERF_DATA GUEST_DATA CMD_DUMP CMD_INJECT
--- trace
psb; tsc 100000; tma 1000 0; mode.exec 64; pip 0x1000; vmcs 0x5000; fup 0x401000; psbend
tnt T
pip 0x5000 nr; tip 0x501000
tsc 5100880; tma 1010 0
tnt T
fup 0x501006; pip 0x1000; tip 0x401008
tsc 101320; tma 1015 0
fup 0x401009; tip 0x401005
vmcs 0x6000
pip 0x5000 nr; tip 0x501001
tsc 9101764; tma 1020 4
tnt T
fup 0x501006; pip 0x1000; tip 0x401008
tsc 102200; tma 1025 0
psb; tsc 102640; tma 1030 0; mode.exec 64; pip 0x1000; vmcs 0x5000; fup 0x401009; psbend
tip 0x401005
pip 0x5000 nr; tip 0x501001
psb; tsc 5103080; tma 1035 0; mode.exec 64; pip 0x5000 nr; vmcs 0x5000; fup 0x501001; psbend
tnt T
fup 0x501006; pip 0x1000; tip 0x401008
tsc 103520; tma 1040 0
fup 0x401009; tip.pgd
--- data
event 8 0x2601 ip,tid,time,cpu,identifier
event 1 9 ip,tid,time,cpu,identifier flags=18,26
info
at 7 7 0 0
record 3 7:7 "CPU 3/KVM"
mmap 0x401000 0x1000 0x1000 /code
tool 82
at 7 7 0 90000
record 12 7:7
trace trace 90000
--- pt inject -i {data} --vm-time-correlation=dry-run
VMCS: 0x5  TSC Offset 0x4c4b40
VMCS: 0x6  TSC Offset 0x895440
--- pt inject -i {data} --vm-time-correlation 2>&1
VMCS: 0x5  TSC Offset 0x4c4b40
VMCS: 0x6  TSC Offset 0x895440
pt: data: nothing was changed; give the offsets above, as in --vm-time-correlation="OFFSET:VMCS,VMCS"
--- pt inject -i {data} --vm-time-correlation="5000000:5" 2>&1 | tail -n 1
pt: data: nothing was changed; give the offsets above, as in --vm-time-correlation="OFFSET:VMCS,VMCS"
--- pt inject -i {data} --vm-time-correlation="wrong" 2>&1
pt: --vm-time-correlation: not 'dry-run', or a list of OFFSET:VMCS,VMCS: 'wrong'
--- pt inject -i {data} --vm-time-correlation="5000000:5 0x895440:6" 2>&1
pt: data: 3 times of guests are those of the host now
VMCS: 0x5  TSC Offset 0x4c4b40
VMCS: 0x6  TSC Offset 0x895440
--- pt -D {data} | grep -o 'TSC 0x.*'
TSC 0x186a0
TSC 0x18a10
TSC 0x18bc8
TSC 0x18d84
TSC 0x18f38
TSC 0x190f0
TSC 0x192a8
TSC 0x19460
--- pt inject -i {data} --vm-time-correlation="5000000:5 0x895440:6" 2>&1
pt: data: 0 times of guests are those of the host now
VMCS: 0x5  TSC Offset 0x4c4b40
VMCS: 0x6  TSC Offset 0x895440
--- pt inject -i {data} --vm-time-correlation=dry-run 2>&1; echo $?
pt: data: all times are those of the host: nothing has to be changed
0
--- pt inject -i {data} --vm-time-correlation 2>&1; echo $?
pt: data: all times are those of the host: nothing has to be changed
0
--- perf inject -i {data} --vm-time-correlation=dry-run > dry; echo $?; cat dry
0
