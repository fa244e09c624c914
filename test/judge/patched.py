# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: patched.py SEED FOLDER TOOLS INSTRUCTIONS
#
# Assemble the trace of a kernel that changes its code while it runs, as Linux does it: an int3, an
# interrupt of the CPU, the new bytes (TEXT_POKE), another interrupt. Places of 5 bytes are NOPs,
# jumps, calls (static keys and calls, ftrace), or jumps to slots outside of the kernel that come
# and go (kprobes). There are retpolines, return thunks, interrupts, and PSBs.
#
# FOLDER then has the kernel 'kern', the recording 'data' and, in 'truth', the address of each
# instruction that was executed. TOOLS is the folder of ptasm and dataasm.
import os
import random
import subprocess
import sys

seed, folder, tools, length = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
R = random.Random(seed)
BASE, SLOTS, N = 0xffffffff81000000, 0xffffffffc0000000, 8
NOP5 = bytes([0x0f, 0x1f, 0x44, 0, 0])
os.chdir(folder)


def run(command):
    return subprocess.run(command, shell=True, check=True, capture_output=True, text=True).stdout


# The kernel: N functions of instructions (kind, argument, label). A function calls later ones only.
def function(f, labels):
    body = []
    for i, label in enumerate(labels[:-1]):
        kind = R.choice('op op op jcc jcc jmp call icall site site retpoline'.split())
        last = f == N - 1
        if last and kind in ('call', 'icall', 'retpoline'):
            kind = 'op'
        if f == 0 and i == 0:   # no endless loop without packets
            kind = 'jcc'
        argument = None
        if kind == 'jcc':
            argument = labels[1] if f == 0 and i == 0 else R.choice(labels)
        elif kind in ('jmp', 'site'):
            argument = R.choice(labels[i + 1:])
        elif kind in ('call', 'retpoline'):
            argument = R.randint(f + 1, N - 1)
        body.append((kind, argument, label))
    body.append(('jmp' if f == 0 else R.choice(['ret', 'ret', 'thunk']), labels[0], labels[-1]))
    return body


functions = [function(f, ['L%d_%d' % (f, i) for i in range(R.randint(6, 16))]) for f in range(N)]
text = ['.type _text, @function', '_text: nop', '_stext: nop']
for f, body in enumerate(functions):
    text += ['.type f%d, @function' % f, 'f%d:' % f]
    for kind, argument, label in body:
        text.append('%s: %s' % (label, {
            'op': R.choice(['nop', 'mov eax, ebx', 'lea rax, [rax+rbx*4+8]']),
            'jcc': 'jne %s' % argument, 'jmp': 'jmp %s' % argument, 'call': 'call f%s' % argument,
            'icall': 'call [rax]', 'site': '.byte ' + ','.join(map(str, NOP5)), 'ret': 'ret',
            'thunk': 'jmp ret_thunk', 'retpoline': 'call retpoline'}[kind]))
    text.append('.size f%d, . - f%d' % (f, f))
text += ['.type ret_thunk, @function', 'ret_thunk: ret', 'int3', '.size ret_thunk, . - ret_thunk',
         '.type retpoline, @function', 'retpoline: call rp2', 'rp1: pause', 'jmp rp1',
         'rp2: mov [rsp], rax', 'rp3: ret', '.size retpoline, . - retpoline',
         '.type handler, @function', 'handler: nop', 'iret: iretq', '.size handler, . - handler',
         '.type _etext, @function', '_etext: nop']
with open('kern.s', 'w') as out:
    out.write('\n'.join(text) + '\n')
run('as --64 -msyntax=intel -mnaked-reg -o kern.o kern.s')
run('ld -e 0 -Ttext=%#x -z max-page-size=4096 -o kern kern.o 2> /dev/null' % BASE)
at = {name: int(value, 16) for value, _, name in map(str.split, run('nm kern').splitlines())}
names = ['_text', '_stext', '_etext', 'ret_thunk', 'retpoline', 'handler']
run('strip %s kern' % ' '.join('-K ' + n for n in names + ['f%d' % f for f in range(N)]))

here = {}       # by address: kind, argument, function, address of the next instruction
for f, body in enumerate(functions):
    for (kind, argument, label), after in zip(body, body[1:] + [None]):
        here[at[label]] = kind, argument, f, after and at[after[2]]
sites = [a for a in here if here[a][0] == 'site']

# What is written: packets, records, and the truth.
packets, records, truth = [], [], []
bits = ''
now = 1000
fresh = False   # the last instruction made a packet: it is known where the CPU is


def packet(words):
    global bits, fresh
    if bits:
        packets.append('tnt ' + bits)
        bits = ''
    packets.append(words)
    fresh |= words.startswith(('tip', 'psb'))


def branch(taken):
    global bits, fresh
    bits += 'NT'[taken]
    fresh = True
    if len(bits) == 6:
        packets.append('tnt ' + bits)
        bits = ''


def pass_time(least, most):
    global now
    now += R.randint(least, most)
    packet('tsc %d' % now)


def interrupt(ip, back):
    packet('fup %#x' % ip)
    packet('tip %#x' % at['handler'])
    truth.extend([at['handler'], at['iret']])
    packet('tip %#x' % back)


def psb(ip):
    packet('psb; tsc %d; mode.exec 64; fup %#x; psbend' % (now, ip))


def record(kind, words, rest=b''):
    rest += bytes(-len(rest) % 8)
    words += ''.join(' %#x' % int.from_bytes(rest[i:i + 8], 'little')
                     for i in range(0, len(rest), 8))
    records.append('at 7 7 0 %d\nrecord %d misc=1 %s\n' % (now, kind, words))


def poke(addr, old, new):
    sizes = len(old).to_bytes(2, 'little') + len(new).to_bytes(2, 'little')
    record(20, '%#x' % addr, sizes + old + new)


# Changes. state: of each site 'nop', 'jmp' or 'call', and the target.
state = {site: ('nop', 0) for site in sites}
changing = {}   # sites with an int3: the new state, and for how many instructions
slots = {}      # by address: instructions (address, kind), where it goes on, name, length
made = 0


def jump(opcode, addr, target):
    return bytes([opcode]) + (target - addr - 5 & 0xffffffff).to_bytes(4, 'little')


def code_of(site, how):
    return NOP5 if how[0] == 'nop' else jump(0xe9 if how[0] == 'jmp' else 0xe8, site, how[1])


def make_slot(site):
    global made, now
    addr = SLOTS + 64 * R.randint(0, 2)
    if addr in slots:
        return None
    code, insns = b'', []
    for kind in R.choices(['op', 'jcc'], k=R.randint(0, 3)):
        insns.append((addr + len(code), kind))
        code += b'\x90' if kind == 'op' else b'\x75\x00'
    insns.append((addr + len(code), 'end'))
    code += jump(0xe9, addr + len(code), here[site][3])
    made += 1
    slots[addr] = insns, here[site][3], 'slot_%d' % made, len(code)
    record(17, '%#x %#x "slot_%d"' % (addr, len(code) | 2 << 32, made))
    now += 1
    poke(addr, b'', code)
    now += 1
    return addr


def drop_slots():
    for addr in list(slots):
        used = list(state.values()) + [how for how, _ in changing.values()]
        if ('jmp', addr) not in used:
            record(17, '%#x %#x "%s"' % (addr, slots[addr][3] | 2 << 32 | 1 << 48, slots[addr][2]))
            del slots[addr]


def change(ip):
    global now
    site = R.choice(sites)
    if site in changing:
        return
    kind, label, f, _ = here[site]
    choices = [('nop', 0), ('jmp', at[label])]
    if f < N - 1:
        choices.append(('call', at['f%d' % R.randint(f + 1, N - 1)]))
    pass_time(50, 300)
    interrupt(ip, ip)
    now += R.randint(20, 100)
    drop_slots()
    slot = make_slot(site) if R.random() < .5 else None
    how = ('jmp', slot) if slot else R.choice([c for c in choices if c != state[site]])
    changing[site] = how, R.randint(0, 60)
    pass_time(10, 20)
    interrupt(ip, ip)


def finish_changes(ip):
    global now
    for site, (how, left) in list(changing.items()):
        changing[site] = how, left - 1
        if left > 0 or not fresh:
            continue
        pass_time(50, 300)
        interrupt(ip, ip)
        now += 30
        poke(site, code_of(site, state[site]), code_of(site, how))
        state[site] = how
        del changing[site]
        pass_time(40, 50)
        interrupt(ip, ip)


# The CPU.
stack, known = [], []   # return addresses; those that a decoder knows


def call(back, target):
    stack.append(back)
    known.append(back)
    del known[:-64]
    return target


def ret():
    back = stack.pop()
    if known and known.pop() == back and R.random() < .8:
        branch(True)
    else:
        packet('tip %#x' % back)
    return back


def to_function(f):
    packet('tip %#x' % at['f%d' % f])
    return at['f%d' % f]


def in_slot(ip):
    insns, target, _, _ = next(s for s in slots.values() if ip in dict(s[0]))
    i = [a for a, _ in insns].index(ip)
    if insns[i][1] == 'jcc':
        branch(R.random() < .5)
    return target if insns[i][1] == 'end' else insns[i + 1][0]


def step(ip):
    kind, argument, f, after = here.get(ip, ('ret' if ip == at['ret_thunk'] else 'slot', 0, 0, 0))
    if kind == 'slot':
        return in_slot(ip)
    if kind == 'site':
        kind, argument = state[ip]
        return {'nop': after, 'jmp': argument}.get(kind) or call(after, argument)
    if kind == 'op':
        return after
    if kind == 'jcc':
        taken = R.random() < .4
        branch(taken)
        return at[argument] if taken else after
    if kind == 'jmp':
        return at[argument]
    if kind == 'ret':
        return ret()
    if kind == 'thunk':
        return at['ret_thunk']
    call(after, 0)
    if kind == 'call':
        return at['f%d' % argument]
    if kind == 'icall':
        return to_function(R.randint(f + 1, N - 1))
    truth.extend([at['retpoline'], at['rp2'], at['rp3']])
    return to_function(argument)


def emulated(ip):
    """The handler of int3 does what the old code does."""
    kind, target = state[ip]
    if kind == 'call':
        stack.append(here[ip][3])   # no call is seen
    return target or here[ip][3]


ip = at[functions[0][0][2]]
psb(ip)
while len(truth) < length:
    finish_changes(ip)
    chance = R.random()
    if chance < .02:
        pass_time(50, 300)
    elif chance < .08 and fresh and ip in here:
        change(ip)
    elif chance < .085:
        known.clear()
        psb(ip)
    elif chance < .1 and ip in here:
        interrupt(ip, ip)
    if ip in changing:
        to = emulated(ip)
        interrupt(ip, to)
        ip = to
        continue
    truth.append(ip)
    fresh = False
    ip = step(ip)
pass_time(100, 100)
packet('fup %#x' % ip)
packet('tip.pgd')

with open('trace.in', 'w') as out:
    out.write('\n'.join(packets) + '\n')
with open('truth', 'w') as out:
    out.write(''.join('%x\n' % a for a in truth))
with open('data.in', 'w') as out:
    out.write('event 8 0x2401 ip,tid,time,cpu,identifier\n'
              'event 1 9 ip,tid,time,cpu,identifier flags=18,29,33\ninfo\n'
              'record 1 misc=1 0xffffffff:0 %#x 0x1000000 %#x "[kernel.kallsyms]_text"\n'
              'at 7 7 0 0\ncomm code\nat 7 7 0 990\nrecord 12 7:7\n' % (BASE, BASE))
    out.write(''.join(records) + 'trace trace 1000\n')
run(tools + '/ptasm < trace.in > trace')
run(tools + '/dataasm < data.in > data')
