#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""compare.py [--front] TRUTH BRANCHES: is a decoder's list of branches what really ran?

TRUTH is the module's log, 32 bytes a branch; BRANCHES what
'script --itrace=b -F tid,ip,addr' printed. Says where they first differ, a
thread a line, and ends with 1 if one does. With --front BRANCHES may end early,
after a thousand."""

import re
import struct
import sys
from collections import defaultdict

NOT_TAKEN = 20

front = sys.argv[1] == '--front'
if front:
    del sys.argv[1]
wanted = defaultdict(list)
log = open(sys.argv[1], 'rb').read()
records = [struct.unpack_from('<QQQIHH', log, at) for at in range(0, len(log) - 31, 32)]
records.sort(key=lambda r: r[2])    # by time; of one time, as they were logged
for ip, to, tsc, tid, cpu, kind in records:
    if kind != NOT_TAKEN:
        wanted[tid].append((ip, to))

got = defaultdict(list)
for line in open(sys.argv[2], errors='replace'):
    m = re.match(r'\s*(\d+)\s+.*?([0-9a-f]+)\s+(?:\S.*)?=>\s+([0-9a-f]+)', line)
    if m:
        got[int(m[1])].append((int(m[2], 16), int(m[3], 16)))

if not wanted:
    sys.exit('nothing was logged')
bad = False
for tid in sorted(set(wanted) | set(got)):
    w, g = wanted[tid], got[tid]
    if w == g or (front and len(g) > 1000 and w[:len(g)] == g):
        continue
    bad = True
    at = next((i for i, (a, b) in enumerate(zip(w, g)) if a != b), min(len(w), len(g)))
    print(f'thread {tid}: {len(w)} ran, {len(g)} were decoded; they differ at {at}:')
    for i in range(max(0, at - 2), at + 4):
        print('  ', i, *['%x=>%x' % x[i] if i < len(x) else '-' for x in (w, g)])
sys.exit(bad)
