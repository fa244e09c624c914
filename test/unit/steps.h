/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A signal at each instruction of translated blocks: the program's registers and the branches that
 * the agent would find there must be those of one place of the native run. Both runs go by single
 * steps. The file that includes this has the areas, compares, setup(), make() and
 * N_REGS.
 */
#ifndef PT_TEST_STEPS_H
#define PT_TEST_STEPS_H

#include <signal.h>
#include <ucontext.h>

/* A function that blocks call, and the end of those that do not end with a conditional branch. */
enum { FUNCTION = 0x200, END = 0x300 };

/* A run by single steps: natively, 'path' becomes what the program's registers were at each of its
 * instructions; translated, each address of the cache must lead to one of these states. */
static struct steps {
	struct translate made[2];	/* the block and the function */
	u32 n_made;
	u64 path[64], regs[64][16];
	u32 branches[64];	/* before each place of the path */
	u32 n, at;
	u8 *start;		/* of the ring */
	u8 told[64];		/* the records of this step and of all before */
	u32 n_told, wrong, n_steps;
} steps;

static bool in_area(u64 ip, const u8 *area)
{
	return ip - (u64)area < AREA;
}

/* Does the instruction make a record? */
static bool is_branch(u64 ip)
{
	const u8 *code = (const u8 *)ip;

	return (code[0] & 0xf0) == 0x70 || (code[0] == 0x0f && (code[1] & 0xf0) == 0x80) ||
	       code[0] == 0xe2 || code[0] == 0xe3 || code[0] == 0xc3 ||
	       (code[0] == 0xff && code[1] >= 0xc0);
}

static void step_native(u64 ip, const u64 *regs)
{
	u32 n = steps.n++;

	if (n < 63) {
		steps.path[n] = ip;
		memcpy(steps.regs[n], regs, sizeof(steps.regs[n]));
		steps.branches[n + 1] = steps.branches[n] + is_branch(ip);
	}
}

/* Translate again, as cache_find() in src/agent/cache.c does it. */
static struct translate find_state(u64 ip)
{
	static u8 hot[TRANSLATE_HOT], cold[TRANSLATE_COLD];
	u64 hot_at = (u64)cache + TRANSLATE_ENTER, cold_at = (u64)cache + AREA;
	struct translate t = setup((u64)program);
	u32 i;

	t.find = ip;
	if (ip < hot_at) {
		t.hot = (struct translate_code){ (u64)cache, hot };
		translate_enter(&t, 0);
		return t;
	}
	for (i = 0; i < steps.n_made && !t.found; i++) {
		t = setup((u64)program + (i ? FUNCTION : 0));
		t.find = ip;
		t.max = steps.made[i].n;
		t.hot = (struct translate_code){ hot_at, hot };
		t.cold = (struct translate_code){ cold_at, cold + sizeof(cold) };
		translate_block(&t);
		hot_at = steps.made[i].hot.at;
		cold_at = steps.made[i].cold.at;
	}
	return t;
}

/* An exit after code is not aligned. */
static u64 ip_of(const void *exit)
{
	return get64((const u8 *)exit + offsetof(struct translate_exit, ip));
}

static u32 count_records(const u8 *at, u32 n)
{
	u32 i, count = 0;

	for (i = 0; i < n; count++)
		i += at[i] == REC_INDIRECT ? 8 : 1;
	return count;
}

/* The program's registers and the records that a signal here would find: see mend_cache() in
 * src/agent/signals.c. */
static void step_translated(u64 ip, u64 *r)
{
	struct translate find = find_state(ip);
	struct translate_state *s = &find.state;
	u64 pointer, *saved, differs = 0;
	bool returns = s->ip == TRANSLATE_RCX || s->ip == TRANSLATE_RDX;
	u8 now[80];
	u32 n, i;

	if (!find.found) {
		steps.wrong++;
		return;
	}
	if (s->ip == TRANSLATE_EXIT)
		s->ip = ip_of(translate_left(ip, gs->spill[3]));
	if (s->swapped == 2)
		s->ip = ip_of((void *)r[11]);
	pointer = s->swapped ? gs->ring : r[11];
	n = pointer + s->pending - (u64)steps.start;
	if (n > sizeof(steps.told) - 16) {
		steps.wrong++;
		return;
	}
	memcpy(now, steps.start, n + 1);
	memset(now + n - s->zeros, REC_NOT_TAKEN, s->zeros);
	if (s->late)
		now[n++] = s->late - 1;
	if (returns) {
		now[n] = REC_INDIRECT;
		set64(now + n + 1, r[s->ip == TRANSLATE_RCX ? 1 : 2]);
		n += 8;
		s->ip = TRANSLATE_LAST;
	}
	if (s->ip == TRANSLATE_LAST)
		s->ip = get64(now + n - 7);
	saved = s->scratch ? (u64 *)(pointer + s->scratch) : gs->spill;
	if (s->swapped != 1)
		r[11] = gs->r11;
	if (s->spilled)
		r[s->spilled - 1] = saved[0];
	if (s->second)
		r[s->second - 1] = saved[1];
	if (TRANSLATE_NARROW && s->held)
		r[s->held - 1] = r[13];
	r[4] -= s->sp;
	while (steps.at < steps.n && steps.path[steps.at] != s->ip)
		steps.at++;
	for (i = 0; i < N_REGS; i++)
		differs |= (steps.regs[steps.at][i] ^ r[i]) << (TRANSLATE_NARROW ? 32 : 0);
	steps.wrong += n < steps.n_told || memcmp(now, steps.told, steps.n_told) ||
		       steps.at == steps.n || steps.branches[steps.at] != count_records(now, n) ||
		       differs;
	steps.n_steps++;
	if (returns)		/* this may become a record of one byte */
		return;
	memcpy(steps.told, now, n);
	steps.n_told = n;
}

static void step(int sig, siginfo_t *info, void *context)
{
	static const u8 order[16] = {
		REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
		REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
	};
	greg_t *g = ((ucontext_t *)context)->uc_mcontext.gregs;
	u64 ip = g[REG_RIP], r[16];
	u32 i;

	for (i = 0; i < 16; i++)
		r[i] = g[order[i]];
	if (ip == (u64)test_back || ip == (u64)test_back_native)
		g[REG_EFL] &= ~0x100;
	else if (!steps.n_made && in_area(ip, program))
		step_native(ip, r);
	else if (steps.n_made && in_area(ip, cache))
		step_translated(ip, r);
}

/* lea to(%rip), reg; or mov $to, reg */
static u8 *lea(u8 *code, u8 reg, u32 to)
{
	if (TRANSLATE_NARROW) {
		code[0] = 0xb8 | reg;
		set32(code + 1, (u64)program + to);
		return code + 5;
	}
	memcpy(code, (u8[]){ 0x48, 0x8d, 5 | reg << 3 }, 3);
	set32(code + 3, program + to - (code + 7));
	return code + 7;
}

/* A block with up to four branches: over an instruction, where the translated block ends; to the
 * next one (which is translated as a loop is); to END; by rcx; or a call. And at its end a return
 * or an indirect one. Returns its end. */
static u8 *make_branches(u8 *code)
{
	static const u8 rcx[] = { 0xe3, 0, 0xe2, 0 };
	u32 n = 1 + rnd() % 3;
	u8 *end;

	while (n--) {
		end = make(code, rnd() % 3);
		code = end;
		switch (rnd() % 5) {
		case 0:				/* over 'mov %ax, %bx' */
			memcpy(end - 1, (u8[]){ 3, 0x66, 0x89, 0xc3 }, 4);
			code = end + 3;
			break;
		case 1:
			end[-1] = 0;
			break;
		case 2:
			memcpy(end - 2, rcx + (rnd() & 2), 2);
			break;
		case 3:
			code = end + 4;
			end[-1] = end[-2] + 0x10;
			end[-2] = 0x0f;
			set32(end, program + END - code);
			break;
		default:
			code = end + 3;
			end[-2] = 0xe8;
			set32(end - 1, program + FUNCTION - code);
		}
	}
	end = make(code, rnd() % 3);
	n = rnd() % 4;
	if (n == 0)
		return end;
	code = lea(end - 2, n == 1 ? 0 : 1, END);
	memcpy(code, (u8[][2]){ { 0x50, 0xc3 }, { 0xff, 0xe1 }, { 0xff, 0xd1 } }[n - 1], 2);
	return code + 2;
}

static u32 count(const u8 *code, const u8 *end)
{
	struct insn insn;
	u32 n = 0;

	for (; code < end; n++)
		code += insn_decode(&insn, TRANSLATE_MODE, (struct bytes){ code, 32 });
	return n;
}

/* The code that all blocks share, the table, and the stack of calls. */
static void open_shared(void)
{
	struct translate t = setup(0);
	struct translate_shared at;
	u32 i;

	t.hot = (struct translate_code){ (u64)cache, cache };
	at = translate_enter(&t, (u64)test_back);
	for (i = 0; i < TABLE_SIZE / 8; i++)
		((u64 *)TABLE)[i] = (u64)cache + at.miss;
	for (i = 0; i < N_ELEM(gs->calls); i++)
		gs->calls[i] = (u64)cache + at.no_call;
}

/* Translate the block and the function, and link the block's calls to the function. */
static void translate_both(u32 n, u32 n_function)
{
	struct translate *t = steps.made;
	struct translate_exit *exits[TRANSLATE_EXITS];
	u32 i;

	t[0] = setup((u64)program);
	t[0].max = n;
	t[0].exits = exits;
	OK(translate_block(&t[0]));
	t[0].hot.to += -t[0].hot.at & 15;
	t[0].hot.at += -t[0].hot.at & 15;
	t[1] = setup((u64)program + FUNCTION);
	t[1].max = n_function;
	t[1].hot = t[0].hot;
	t[1].cold = t[0].cold;
	OK(translate_block(&t[1]));
	for (i = 0; i < t[0].n_exits; i++)
		if (ip_of(exits[i]) == (u64)program + FUNCTION)
			translate_link(exits[i], t[1].entry);
	steps.n_made = 2;
}

static void step_blocks(bool opened)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
	struct sigaction act = { .sa_sigaction = step, .sa_flags = SA_SIGINFO | SA_ONSTACK }, was;
	static u8 before[AREA], before_gs[GS_AREA - GS_DATA], stack[1 << 16];
	stack_t own = { .ss_sp = stack, .ss_size = sizeof(stack) };
	stack_t none = { .ss_flags = SS_DISABLE };
	u64 ring[64];
	u32 i, n_steps = 0;
	u8 *end, *ret;

	if (!opened ||
	    mmap((void *)TABLE, TABLE_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0) != (void *)TABLE)
		SKIP("no memory at the addresses wanted");
	sigaltstack(&own, NULL);
	sigaction(SIGTRAP, &act, &was);
	for (i = 0; i < ROUNDS / 10 && !test_bad; i++) {
		compares = i & 1;
		end = make_branches(program);
		ret = make(program + FUNCTION, 0) - 2;
		*ret = 0xc3;
		end_original(program + END);
		end_original(end);
		set_registers();
		gs->in[16] |= 0x100;
		steps = (struct steps){ .start = (u8 *)ring };
		memcpy(before, program, AREA);
		memcpy(before_gs, (u8 *)gs + GS_DATA, sizeof(before_gs));
		gs->far = (u64)program | 0x23ull << 32;
		test_run((u64)(TRANSLATE_NARROW ? test_native : program), gs->in[11]);
		memcpy(program, before, AREA);
		memcpy((u8 *)gs + GS_DATA, before_gs, sizeof(before_gs));
		open_shared();
		translate_both(count(program, end), 1);
		gs->ring = (u64)ring;
		gs->limit = (u64)ring + 64;
		gs->below = -gs->limit;
		gs->r11 = gs->in[11];
		test_run(i & 1 ? steps.made[0].entry : steps.made[0].checked, (u64)ring);
		if (steps.wrong)
			TEST_FAIL("round %u: %u steps of %u are wrong", i, steps.wrong,
				  steps.n_steps);
		n_steps += steps.n_steps;
	}
	OK(n_steps > ROUNDS);
	compares = false;
	sigaction(SIGTRAP, &was, NULL);
	sigaltstack(&none, NULL);
	munmap((void *)TABLE, TABLE_SIZE);
	close_areas();
}

#endif
