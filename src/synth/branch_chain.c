/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A branch stack and a call chain to one chain: target and source of each branch, then the callers.
 *
 * A loop would fill the chain. Therefore branches that repeat those directly before them are left
 * out, and counted at the branch that follows them. To give the same chains as perf, this looks for
 * a repetition where perf does: the last seven bits of a product of the address find the branch
 * that is compared, and only the first branch of such a value is known.
 */
#include <pt/branch_chain.h>

enum { SLOTS = 127, NO_SLOT = 255 };

struct branch { u64 from, to, flags; };

/* Branches that were left out before this one: how often, and the cycles of the last time. */
struct loops { u32 n; u64 cycles; };

static u64 cycles_of(u64 flags)
{
	return flags >> 4 & 0xffff;
}

static u32 slot_of(u64 from)
{
	return (from * 0x61c8864680b583eb >> 57) % SLOTS;
}

/* The number of branches from 'first' to 'i' if those from 'i' on repeat them, as far as there are
 * any; 0: they do not. */
static u32 repeated(const struct branch *b, u32 n, u32 first, u32 i)
{
	u32 k;

	for (k = 0; first + k < i && i + k < n; k++)
		if (b[first + k].from != b[i + k].from)
			return 0;
	return k;
}

/* Returns the number of branches that are left. */
static u32 drop_loops(struct branch *b, struct loops *loops, u32 n)
{
	u8 first[SLOTS], *slot;
	u32 i, k, len, rest;

	memset(first, NO_SLOT, sizeof(first));
	for (i = 0; i < n; i++) {
		slot = &first[slot_of(b[i].from)];
		if (*slot == NO_SLOT) {
			*slot = i;
			continue;
		}
		if (b[*slot].from != b[i].from)
			continue;
		len = repeated(b, n, *slot, i);
		rest = n - i - len;
		if (len && rest) {
			loops[i + len].n++;
			loops[i + len].cycles = 0;
			for (k = 0; k < len; k++)
				loops[i + len].cycles += cycles_of(b[i + k].flags);
			memmove(loops + i, loops + i + len, rest * sizeof(*loops));
			memmove(b + i, b + i + len, rest * sizeof(*b));
		}
		n -= len;
	}
	return n;
}

static bool is_marker(u64 ip)
{
	return ip >= ~0ULL - 4094;
}

static u64 caller_at(struct bytes callers, u32 i)
{
	return get64(callers.at + 8 * i);
}

/* The number of callers, the innermost first, that branches show too: a call is the instruction
 * before the return address, at most eight bytes long. */
static u32 shown(struct bytes callers, u64 from, u32 i)
{
	u64 back;

	if (callers.len / 8 <= i)
		return i;
	back = caller_at(callers, i);
	return i + (is_marker(back) || (from < back && from >= back - 8));
}

static void add(struct branch_chain *c, u64 ip, const struct frame_branch *at)
{
	c->ips[c->n] = ip;
	c->at[c->n++] = *at;
}

static void add_branches(struct branch_chain *c, const struct branch *b,
			 const struct loops *loops, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		struct frame_branch target = { .branch = true, .flags = b[i].flags,
					       .from = b[i].from };
		struct frame_branch source = { .branch = true, .flags = b[i].flags,
					       .loops = loops[i].n, .cycles = loops[i].cycles };

		add(c, b[i].to, &target);
		add(c, b[i].from, &source);
	}
}

void branch_chain(struct branch_chain *c, struct bytes branches, struct bytes callers, bool caller,
		  u32 most)
{
	const struct frame_branch call = { .branch = false };
	struct branch b[BRANCH_CHAIN_BRANCHES];
	struct loops loops[BRANCH_CHAIN_BRANCHES] = { 0 };
	u32 all = MIN(branches.len / BRANCH_SIZE, (size_t)BRANCH_CHAIN_BRANCHES), i;
	u32 n = MIN(all, most), n_callers = callers.len / 8, last = n_callers, first = 0;

	c->n = 0;
	for (i = 0; i < n; i++) {
		const u8 *at = branches.at + BRANCH_SIZE * (caller ? all - 1 - i : i);

		b[i] = (struct branch){ get64(at), get64(at + 8), get64(at + 16) };
		if (!caller)
			first = shown(callers, b[i].from, first);
	}
	n = drop_loops(b, loops, n);
	add_branches(c, b, loops, n);
	/* As in perf: for each branch a caller less. */
	last -= MIN(n, last);
	for (i = first; i < last && most; i++) {
		u64 ip = caller_at(callers, caller ? n_callers - 1 - i : i);

		if (is_marker(ip))
			continue;
		if (c->n == BRANCH_CHAIN_MAX)
			return;
		most--;
		add(c, ip, &call);
	}
}

static bool crosses(u64 from, u64 to, u64 size)
{
	return from / size != to / size;
}

void branch_types_add(struct branch_types *t, u64 from, u64 to, u64 flags)
{
	enum { CONDITIONAL = 1, EXTENDED = 15, PAGE = 4096, LARGE_PAGE = 2 << 20 };
	u32 type = flags >> 20 & 15;

	if (!type || !from)
		return;
	t->n++;
	if (type == EXTENDED)
		t->new_types[flags >> 26 & 15]++;
	else
		t->types[type]++;
	if (type == CONDITIONAL && to > from)
		t->forward++;
	else if (type == CONDITIONAL)
		t->backward++;
	if (crosses(from, to, LARGE_PAGE))
		t->cross_2m++;
	else if (crosses(from, to, PAGE))
		t->cross_page++;
}
