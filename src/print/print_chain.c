/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Call chains of samples, one function on a line.
 */
#include <pt/config/SCRIPT_MORE.h>
#include <pt/config/UNWIND.h>
#include "sample_fields.h"
#include "sample_line.h"

#define CONTEXT_MAX (~0ULL - 4094)	/* from here on no addresses */

/* Print one line. False: it is the last one. */
static bool print_frame(struct sample_printer *pr, const struct thread *t, u64 ip, u32 fields)
{
	const struct map *map = session_map_at(pr->session, t, ip);
	const struct symbol *sym;
	char *p;

	if (pr->no_frames)
		return false;
	if (is_brief(pr)) {
		print_short_frame(pr, t, ip);
	} else {
		p = put_char(out_room(pr->out, SAMPLE_LINE), '\t');
		/* For user code perf prints the address in the file. */
		p = put_hex_w(p, map && !(ip >> 63) ?
			      map_addr(&pr->session->images, map, ip) : ip, 16);
		p = sample_put_place(p, pr, t, ip, fields);
		out_line(pr->out, sample_put_line_of(p, pr, t, ip, fields));
	}
	if (!CONFIG_SCRIPT_MORE || !pr->stops || !map)
		return true;
	sym = session_symbol_at(pr->session, map, ip);
	return !sym || !symbol_in_list(sym, pr->stops);
}

void print_chain_made(struct sample_printer *pr, const struct thread *t, i32 cpu, u64 ip,
		      bool late, u32 fields)
{
	const struct calls *calls = t ? calls_if_any(t, cpu) : NULL;
	u64 chain[ITRACE_CHAIN_MAX];
	u32 n = late ? calls_chain_late(calls, ip, pr->late_chain_size, chain) :
		       calls_chain(calls, ip, pr->chain_size, chain), i;

	if (pr->max_stack)
		n = MIN(n, pr->max_stack);
	for (i = 0; i < n && print_frame(pr, t, chain[i], fields); i++)
		;
}

void print_chain(struct sample_printer *pr, const struct perf_sample *s, const struct thread *t,
		 u32 fields)
{
	/* A chain that was made of a copy of the stack is limited already. */
	u32 left = pr->max_stack && !(CONFIG_UNWIND && s->stack_user.len) ? pr->max_stack : ~0u;
	struct bytes chain = s->callchain;

	for (; chain.len >= 8 && left; chain = bytes_skip(chain, 8))
		if (get64(chain.at) < CONTEXT_MAX && left-- &&
		    !print_frame(pr, t, get64(chain.at), fields))
			break;
}
