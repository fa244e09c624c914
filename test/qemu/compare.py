#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""compare.py [--front] TRUTH BRANCHES...: is each decoder's list of branches what really ran?

TRUTH is the module's log, 32 bytes a branch; each file BRANCHES is what
'script --itrace=b -F tid,ip,addr' printed. Prints a line for each file: "ok", or where it first
differs in each thread. With --front BRANCHES may end early, after a thousand."""

import re
import struct
import sys
from collections import defaultdict

NOT_TAKEN = 20
LINE = re.compile(r'\s*(\d+)\s+.*?([0-9a-f]+)\s+(?:\S.*)?=>\s+([0-9a-f]+)')


def read_truth(path):
    log = open(path, 'rb').read()
    records = list(struct.iter_unpack('<QQQIHH', log[:len(log) // 32 * 32]))
    records.sort(key=lambda r: r[2])    # by time; of one time, as they were logged
    ran = defaultdict(list)
    for ip, to, tsc, tid, cpu, kind in records:
        if kind != NOT_TAKEN:
            ran[tid].append((ip, to))
    return ran


def read_branches(text):
    threads = defaultdict(list)
    for line in text.splitlines():
        word = line.split()
        if len(word) != 4 or word[2] != '=>':
            m = LINE.match(line)
            if not m:
                continue
            word = m[1], m[2], '=>', m[3]
        threads[word[0]].append((int(word[1], 16), int(word[3], 16)))
    return {int(tid): branches for tid, branches in threads.items()}


def differences(ran, decoded, front):
    for tid in sorted(set(ran) | set(decoded)):
        w, g = ran.get(tid, []), decoded.get(tid, [])
        if w == g or (front and len(g) > 1000 and w[:len(g)] == g):
            continue
        at = next((i for i, (a, b) in enumerate(zip(w, g)) if a != b), min(len(w), len(g)))
        yield f'thread {tid}: {len(w)} ran, {len(g)} were decoded; they differ at {at}:'
        for i in range(max(0, at - 2), at + 4):
            yield ' '.join(['  ', str(i)] + ['%x=>%x' % x[i] if i < len(x) else '-'
                                             for x in (w, g)])


args = sys.argv[1:]
front = args[0] == '--front'
truth, *files = args[1:] if front else args
ran = read_truth(truth)
known = {}      # by text: decoders mostly print the same
for path in files:
    text = open(path, errors='replace').read()
    if text not in known:
        found = list(differences(ran, read_branches(text), front))
        known[text] = ' | '.join(found) if ran else 'nothing was logged'
    print(known[text] or 'ok')
