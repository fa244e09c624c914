/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The counts of a branch in a call chain: " (predicted:50.0%)" at its target, " (cycles:3)" at its
 * source; and those of the types of all branches.
 */
#include <pt/out.h>
#include <pt/real.h>
#include "report_keys.h"

enum { CONDITIONAL = 1 };

/* The types of branches, by their numbers. */
static const char types[][10] = {
	"N/A", "COND", "UNCOND", "IND", "CALL", "IND_CALL", "RET", "SYSCALL", "SYSRET",
	"COND_CALL", "COND_RET", "ERET", "IRQ", "SERROR", "NO_TX",
};
static const char new_types[][11] = {
	"FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1", "ARCH_2", "ARCH_3", "ARCH_4", "ARCH_5",
};

/* Between words, and before the first. */
static void put_gap(struct out *out, u32 *n)
{
	out_str(out, (*n)++ ? " " : " (");
}

static void put_word(struct out *out, u32 *n, bool is, const char *word)
{
	if (!is)
		return;
	put_gap(out, n);
	out_str(out, word);
}

static void put_types(struct out *out, u32 *n, const struct branch_types *t)
{
	u32 i;

	put_word(out, n, t->forward, "COND_FWD");
	put_word(out, n, t->backward, "COND_BWD");
	for (i = 0; i < N_ELEM(types); i++)
		put_word(out, n, i != CONDITIONAL && t->types[i], types[i]);
	for (i = 0; i < N_ELEM(new_types); i++)
		put_word(out, n, t->new_types[i], new_types[i]);
	put_word(out, n, t->cross_page, "CROSS_4K");
	put_word(out, n, t->cross_2m, "CROSS_2M");
}

static void put_share(struct out *out, u32 *n, const char *name, u64 part, u64 all)
{
	put_gap(out, n);
	out_fmt(out, "%s:", name);
	out_real(out, (float)(part * 100.0 / all), 0, 1);
	out_char(out, '%');
}

void report_counts(struct out *out, const struct chain_counts *c)
{
	u32 n = 0;

	if (!c) {
		out_str(out, " (calltrace)");
		return;
	}
	if (c->target) {
		if (c->types)
			put_types(out, &n, c->types);
		if (c->predicted < c->n)
			put_share(out, &n, "predicted", c->predicted, c->n);
		if (c->aborted && 1000 * c->aborted >= c->n)
			put_share(out, &n, "abort", c->aborted, c->n);
	} else {
		if (c->cycles >= c->n) {
			put_gap(out, &n);
			out_fmt(out, "cycles:%llu", c->cycles / c->n);
		}
		if (c->n_again && c->loops >= c->n_again) {
			put_gap(out, &n);
			out_fmt(out, "iter:%llu avg_cycles:%llu", c->loops / c->n_again,
				c->loop_cycles / c->loops);
		}
	}
	if (n)
		out_char(out, ')');
}

static void print_type(struct out *out, const char *name, u64 n, u64 all)
{
	if (!n)
		return;
	out_newline(out);
	out_fill(out, ' ', 8 - (int)strlen(name));
	out_fmt(out, "%s: ", name);
	out_real(out, 100.0 * n / all, 5, 1);
	out_char(out, '%');
}

void print_branch_types(struct out *out, const struct branch_types *t)
{
	u32 i;

	if (!t->n)
		return;
	out_str(out, "\n#\n# Branch Statistics:\n#");
	print_type(out, "COND_FWD", t->forward, t->n);
	print_type(out, "COND_BWD", t->backward, t->n);
	print_type(out, "CROSS_4K", t->cross_page, t->n);
	print_type(out, "CROSS_2M", t->cross_2m, t->n);
	for (i = 0; i < N_ELEM(types); i++)
		print_type(out, types[i], t->types[i], t->n);
	for (i = 0; i < N_ELEM(new_types); i++)
		print_type(out, new_types[i], t->new_types[i], t->n);
	out_newline(out);
}
