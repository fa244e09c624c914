# T and z: neither perf 6.1 nor pt has them.
# needs: CMD_SCRIPT
--- trace
psb; psbend
--- pt script -i {trace} --itrace=bT 2>&1
pt: --itrace=bT: unknown letter 'T', or a wrong number after it; see --help=itrace (see pt script --help)
--- pt script -i {trace} --itrace=z 2>&1
pt: --itrace=z: unknown letter 'z', or a wrong number after it; see --help=itrace (see pt script --help)
