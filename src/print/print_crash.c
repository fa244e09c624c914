/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The page of pt crash.
 *
 *	SIGSEGV in ways/7182: address 0x0 is not mapped
 *	  movl (%rdi), %eax      rdi 0x0
 *	#0 walk+0x8 (ways) ways.c:25
 *	#1 list+0x40 ways.c:34
 *	The last calls and branches, the innermost last:
 *	  main+0x128 calls list
 *	    list+0x3b calls walk
 *	      walk+0x8 SIGSEGV
 *
 * What is on it fits a terminal: there may be nothing but a serial console.
 */
#include <signal.h>

#include <pt/config/DISASM.h>
#include <pt/config/SRCLINE.h>
#include <pt/disasm.h>
#include <pt/print_crash.h>
#include <pt/term.h>
#include <pt/text.h>
#include "sample_line.h"

static const char registers[][4] = {
	"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
};

enum {
	PLACE = 2 * SAMPLE_NAME + 200,
	HEAD = 3,		/* lines that are not of calls or branches: the signal, the code, */
	ENDS = 3,		/* and the titles; the prompt */
	FRAMES_LEAST = 4, BRANCHES_LEAST = 6,
	RED_ZONE = 64 << 10,	/* how far from the stack's end a stack overflow accesses it */
};

static void end_line(struct out *out, struct crash_page *c, char *p)
{
	c->n_lines++;
	out_line(out, p);
}

/* Places */

/* "walk+0x8 (ways)"; 'back': it is where a call returns to, which may be the start of another
 * function. */
static char *put_spot(char *p, struct crash_page *c, const struct thread *t, u64 ip, bool back)
{
	const struct map *map = session_map_at(c->session, t, ip - back);
	const struct symbol *sym = session_symbol_at(c->session, map, ip - back);

	if (sym) {
		p = put_str(sample_put_name(p, sym->name), "+0x");
		p = put_hex(p, map_addr(&c->session->images, map, ip - back) + back - sym->start);
	} else {
		p = put_hex(put_str(p, "0x"), ip);
	}
	if (!map || map->dso != c->dso) {
		p = put_str(p, " (");
		p = map ? sample_put_name(p, map->dso->short_name) : put_str(p, "nothing is there");
		p = put_char(p, ')');
	}
	c->dso = map ? map->dso : NULL;
	return p;
}

/* "walk+0x8 (ways) ways.c:25" */
static char *put_place(char *p, struct crash_page *c, const struct thread *t, u64 ip, bool back)
{
	struct sample_printer pr = { .session = c->session };

	p = put_spot(p, c, t, ip, back);
	return CONFIG_SRCLINE ? sample_put_srcline(p, &pr, t, ip - back, " ") : p;
}

/* At a function's first instruction: only its name. */
static char *put_target(char *p, struct crash_page *c, const struct thread *t, u64 ip)
{
	const struct map *map = session_map_at(c->session, t, ip);
	const struct symbol *sym = session_symbol_at(c->session, map, ip);

	if (!sym || map_addr(&c->session->images, map, ip) != sym->start)
		return put_spot(p, c, t, ip, false);
	p = sample_put_name(p, sym->name);
	if (map->dso != c->dso)
		p = put_char(sample_put_name(put_str(p, " ("), map->dso->short_name), ')');
	c->dso = map->dso;
	return p;
}

static struct bytes code_at(struct crash_page *c, const struct thread *t, u64 ip)
{
	struct space *space = (struct space *)session_space_at(c->session, t, ip);
	struct bytes none = { (const u8 *)"", 0 };

	return space ? bytes_first(space_bytes(&c->session->images, space, ip), INSN_MAX) : none;
}

/* The last branch that has both ends, or a gap. */
static const struct history_branch *last_branch(const struct crash_page *c)
{
	enum { LOOK = 8 };
	const struct history_branch *b;
	u32 i;

	for (i = 0; i < LOOK && (b = history_branch(c->t, i)); i++)
		if (!(b->flags & (FLAG_BEGIN | FLAG_END)))
			return b;
	return history_branch(c->t, 0);
}

/* Where it died, as far as that is known. */
static u64 place_of(struct crash_page *c)
{
	const struct history_branch *b = c->t ? last_branch(c) : NULL;
	const struct perf_death *d = c->death;

	/* It went to an address without code, which processors and recorders report differently. */
	if (b && b->flags && !code_at(c, c->t->thread, b->to).len &&
	    !(d && d->what & DEATH_IP && code_at(c, c->t->thread, d->ip).len))
		return b->to;
	if (d && d->what & DEATH_IP)
		return d->ip;
	if (c->t && c->t->end_ip)
		return c->t->end_ip;
	return !b ? 0 : b->flags ? b->to : b->from;
}

/* The signal */

static char *put_head(char *p, struct crash_page *c, const struct thread *t)
{
	const char *name = c->death ? crash_signal(c->death->signo) : NULL;

	if (name)
		p = put_str(p, name);
	else if (c->death)
		p = put_int(put_str(p, "signal "), c->death->signo);
	else
		p = put_str(p, "the end");
	if (!t)
		return p;
	p = put_char(sample_put_name(put_str(p, c->death ? " in " : " of "), t->comm), '/');
	return put_int(p, t->tid);
}

static void print_head(struct out *out, struct crash_page *c, const struct thread *t)
{
	char *p = put_head(out_room(out, PLACE), c, t);

	if (c->death)
		p = crash_put_why(put_str(p, ": "), c->death);
	end_line(out, c, p);
}

/* The cause, if the trace shows it. */
static char *put_cause(char *p, struct crash_page *c, const struct thread *t, u64 ip)
{
	const struct perf_death *d = c->death;
	const struct history_branch *b = last_branch(c);
	struct bytes code = code_at(c, t, ip);
	struct insn insn;

	if (b && b->flags && b->to == ip && !code.len) {
		p = put_str(p, b->flags & FLAG_RETURN ? "Overwritten return address: " :
			    !ip ? "A null pointer was called: " : "A bad pointer was called: ");
		c->dso = NULL;
		p = put_spot(p, c, t, b->from, false);
		return put_hex(put_str(p, b->flags & FLAG_RETURN ? " returned to 0x" :
				       " went to 0x"), ip);
	}
	if (!d || !(d->what & DEATH_IP) || d->signo != SIGSEGV)
		return NULL;
	if (d->code == SI_KERNEL && insn_decode(&insn, INSN_64, code) > 0) {
		if (insn.kind == INSN_JUMP_INDIRECT || insn.kind == INSN_CALL_INDIRECT)
			return put_str(p, "A bad pointer was called");
		if (insn.kind != INSN_RET)
			return NULL;
		p = put_hex(put_str(p, "Overwritten return address: 0x"), d->addr);
		return put_str(p, " is not a valid address");
	}
	if (d->what & DEATH_ADDR && d->regs[4] - d->addr + RED_ZONE / 2 < RED_ZONE &&
	    d->code == SEGV_MAPERR) {
		p = put_hex(put_str(p, "The stack is full at 0x"), d->regs[4]);
		return put_str(p, ": endless recursion? (or see ulimit -s)");
	}
	return NULL;
}

/* The name of a register of 1 << 'log' bytes: "al", "si", "esi", "r8d", "rax". */
static void name_register(char to[8], u32 i, u32 log)
{
	static const char ends[][2] = { "b", "w", "d", "" };
	const char *legacy = registers[i] + 1;

	if (i >= 8)
		fmt_str(to, 8, "%s%s", registers[i], ends[log]);
	else if (log >= 2)
		fmt_str(to, 8, "%c%s", log == 3 ? 'r' : 'e', legacy);
	else
		fmt_str(to, 8, log ? "%s" : i < 4 ? "%.1sl" : "%sl", legacy);
}

/* The registers that the instruction names: those of addresses, and of a division all. */
static char *put_named(char *p, const struct perf_death *d, const char *operands)
{
	u32 least = d->signo == SIGFPE ? 0 : 3, i, log;
	char name[8];
	const char *at;

	for (i = 0; i < 16; i++) {
		for (log = least; log <= 3; log++) {
			name_register(name, i, log);
			for (at = operands; (at = text_after(at, "%")); )
				if (!strncmp(at, name, strlen(name)) &&
				    strchr(" ,)", at[strlen(name)]))
					break;
			if (!at)
				continue;
			p = put_hex(put_str(put_str(put_str(p, "  "), name), " 0x"),
				    d->regs[i] & ~0ULL >> (64 - (8 << log)));
			break;
		}
	}
	return p;
}

static void print_code(struct out *out, struct crash_page *c, const struct thread *t, u64 ip)
{
	struct bytes code = code_at(c, t, ip);
	char *p = out_room(out, PLACE);
	struct insn insn;
	struct disasm d;
	u32 i;

	if (insn_decode(&insn, INSN_64, code) <= 0)
		return;
	p = put_char(p, ' ');
	for (i = 0; i < insn.len; i++)
		p = put_byte(put_char(p, ' '), code.at[i]);
	if (CONFIG_DISASM && disasm(&d, bytes_first(code, insn.len), ip, false)) {
		p = put_char(put_str(put_str(p, "  "), d.name), ' ');
		p = put_str(p, d.operands);
		if (c->death && c->death->what & DEATH_IP)
			p = put_named(put_char(p, ' '), c->death, d.operands);
	}
	end_line(out, c, p);
}

static void print_registers(struct out *out, struct crash_page *c)
{
	char *p = NULL;
	u32 i;

	for (i = 0; i < 16; i++) {
		p = i % 3 ? p : put_char(out_room(out, PLACE), ' ');
		p = put_str_w(put_char(p, ' '), registers[i], -3);
		p = put_hex_0(put_char(p, ' '), c->death->regs[i], 16);
		if (i % 3 == 2 || i == 15)
			end_line(out, c, p);
		else
			p = put_char(p, ' ');
	}
}

/* Calls */

struct frame { u64 ip; bool handler, back; };

/* Frame 'i' of the stack, the innermost is 0. */
struct walk { const struct history_thread *t; u32 depth, signals; };

static bool next_frame(struct walk *w, struct frame *f)
{
	const struct history_signal *s = w->signals ? &w->t->signals[w->signals - 1] : NULL;

	if (s && s->depth >= w->depth) {
		w->signals--;
		*f = (struct frame){ s->ip, true, false };
		return true;
	}
	if (!w->depth)
		return false;
	*f = (struct frame){ w->t->calls->back[--w->depth], false, true };
	return true;
}

static void print_frame(struct out *out, struct crash_page *c, const struct frame *f, u32 i,
			u32 times)
{
	char *p = put_char(put_dec(put_char(out_room(out, 2 * PLACE), '#'), i), ' ');

	if (times > 1)
		p = put_str(put_dec(p, times), " times ");
	p = put_place(p, c, c->t->thread, f->ip, f->back);
	if (f->handler)
		p = put_str(p, ", interrupted by a signal");
	end_line(out, c, p);
}

/* Of a deep stack the middle is left out. */
static void print_frames(struct out *out, struct crash_page *c, u64 ip, u32 most)
{
	struct walk w = { c->t, c->t->calls->n, c->t->n_signals };
	u32 all = 1 + w.depth + w.signals, i = 0, lines = 0, times;
	u32 tail = most / 4, skip;
	struct frame f = { .ip = ip }, next;
	bool more = true;

	c->dso = NULL;
	while (more) {
		for (times = 1; (more = next_frame(&w, &next)) && next.ip == f.ip; times++)
			;
		print_frame(out, c, &f, i, times);
		i += times;
		f = next;
		if (++lines + tail < most || all - i <= tail + 1 || !more)
			continue;
		skip = all - i - tail;
		for (times = 1; times < skip; times++)
			next_frame(&w, &next);
		more = next_frame(&w, &f);
		end_line(out, c, put_str(put_dec(put_str(out_room(out, PLACE), "   ... "), skip),
					 " more"));
		i += skip;
		most = ~0u;
	}
	if (c->t->gap)
		end_line(out, c, put_str(out_room(out, PLACE), "   (there was a gap in the trace: "
					 "outer calls may have returned)"));
}

/* How many lines they would take. */
static u32 count_frames(const struct crash_page *c, u64 ip)
{
	struct walk w = { c->t, c->t->calls->n, c->t->n_signals };
	u32 n = 1 + c->t->gap;
	struct frame f;

	for (; next_frame(&w, &f) && n < c->frames; ip = f.ip)
		n += f.ip != ip;
	return n;
}

/* Branches */

static char *put_branch(char *p, struct crash_page *c, const struct history_branch *b)
{
	const struct thread *t = c->t->thread;
	const u32 flags = b->flags;

	if (!flags) {
		p = put_str(put_str(p, "gap: "), flow_gap_text(b->to));
		return b->from ? put_place(put_str(p, " at "), c, t, b->from, false) : p;
	}
	if (flags & FLAG_BEGIN)
		return put_target(put_str(p, "goes on at "), c, t, b->to);
	p = put_place(p, c, t, b->from, false);
	if (flags & FLAG_END)
		return put_str(p, flags & FLAG_ASYNC ? " is interrupted" :
			       flags & FLAG_INT ? " software interrupt" : " system call");
	p = put_str(p, flags & FLAG_CALL ? " calls " : flags & FLAG_RETURN ? " returns to " :
		    " -> ");
	return put_target(p, c, t, b->to);
}

static char *put_indent(char *p, const struct out *out, u32 depth)
{
	u32 most = term_fits(out) ? out->width / 3 : 40;

	return put_fill(p, ' ', 2 + MIN(2 * depth, most));
}

static void print_row(struct out *out, struct crash_page *c, const struct crash_row *row, u32 depth)
{
	char *p = out_room(out, 3 * PLACE);

	p = put_branch(put_indent(p, out, depth), c, &row->b);
	if (row->times && row->block == 1)
		p = put_str(put_dec(put_str(p, "  ("), row->times + 1), " times)");
	else if (row->times)
		p = put_str(put_dec(put_str(put_dec(put_str(p, "  (these "), row->block),
					    ": "), row->times + 1), " times");
	if (row->times && row->block > 1)
		p = put_str(p, row->deeper ? ", nested)" : ")");
	end_line(out, c, p);
}

static u32 least_depth(const struct crash_row *rows, u32 n, u32 depth)
{
	u32 i;

	for (i = 0; i < n; i++)
		depth = MIN(depth, rows[i].b.depth);
	return depth;
}

/* The place of death has a row of its own. */
static bool is_end(const struct crash_row *row)
{
	return row->b.flags & FLAG_END && row->b.flags & FLAG_ASYNC;
}

/* Is 'ip' in the part of the runtime linker that is called at the first call of a function? */
static bool is_linker(const struct crash_page *c, u64 ip)
{
	const struct thread *t = c->t->thread;
	const struct symbol *sym;

	sym = session_symbol_at(c->session, session_map_at(c->session, t, ip), ip);
	return sym && text_after(sym->name, "_dl_runtime_resolve");
}

/* Leave out what the runtime linker did to find a function, a thousand branches: the jump to it
 * becomes one to the function. Returns how many rows are left. */
static u32 drop_linker(const struct crash_page *c, struct crash_row *rows, u32 n)
{
	u32 i, k = 0, last;

	for (i = 0; i < n; i++) {
		rows[k++] = rows[i];
		if (rows[i].b.flags & FLAG_RETURN || !is_linker(c, rows[i].b.to))
			continue;
		last = i;
		while (++last < n && (rows[last].b.depth != rows[i].b.depth ||
				      rows[last].b.flags & FLAG_CALL ||
				      !is_linker(c, rows[last].b.from)))
			;
		if (last == n)
			continue;
		rows[k - 1].b.to = rows[last].b.to;
		i = last;
	}
	return k;
}

static void print_branches(struct out *out, struct crash_page *c, u64 ip, u32 most)
{
	struct crash_row *rows = NEW(&c->session->arena, struct crash_row, HISTORY_BRANCHES);
	u32 n = crash_rows(c->t, rows), i, least, shift = 0;
	const char *name = c->death ? crash_signal(c->death->signo) : NULL;
	char *p;

	n = drop_linker(c, rows, n);
	if (n && is_end(&rows[n - 1]))
		n--;
	i = n > most ? n - most : 0;
	p = put_str(out_room(out, PLACE), "The last calls and branches, the innermost last");
	if (i)
		p = put_str(put_dec(put_str(put_dec(put_str(p, " ("), most), " of "), n),
			    ": -n N)");
	end_line(out, c, put_char(p, ':'));
	least = least_depth(rows + i, n - i, c->t->calls->n);
	for (c->dso = NULL; i < n; i++) {
		/* Calls inside of those that are not shown have returned. */
		if (rows[i].b.depth - least < shift)
			shift = rows[i].b.depth - least;
		print_row(out, c, &rows[i], rows[i].b.depth - least - shift);
		if ((i32)rows[i].deeper > 0)
			shift += rows[i].deeper * rows[i].times;
	}
	shift = MIN(shift, c->t->calls->n - least);
	p = put_indent(out_room(out, PLACE), out, c->t->calls->n - least - shift);
	p = put_target(p, c, c->t->thread, ip);
	end_line(out, c, put_str(put_char(p, ' '), name ? name : "is the last that is known"));
}

void print_crash(struct out *out, struct crash_page *c)
{
	const struct thread *t = c->t ? c->t->thread : NULL;
	u32 frames = c->frames, branches = c->branches, left, has;
	u64 ip = place_of(c);
	char *p;

	c->n_lines = 0;
	print_head(out, c, t);
	if (!t) {
		end_line(out, c, put_str(out_room(out, PLACE), "There is no trace of it."));
		return;
	}
	p = put_cause(out_room(out, PLACE), c, t, ip);
	if (p)
		end_line(out, c, p);
	if (c->death && !(c->death->what & DEATH_SENT))
		print_code(out, c, t, ip);
	if (c->registers && c->death && c->death->what & DEATH_IP)
		print_registers(out, c);
	has = count_frames(c, ip);
	if (c->rows) {
		left = MAX(c->rows, c->n_lines + ENDS + FRAMES_LEAST + BRANCHES_LEAST) -
		       c->n_lines - ENDS;
		frames = MIN(frames, MIN(has, MAX(left / 2, (u32)FRAMES_LEAST)));
		branches = MIN(branches, left - frames);
	}
	print_frames(out, c, ip, MAX(frames, (u32)FRAMES_LEAST));
	print_branches(out, c, ip, branches);
}

char *crash_put_line(char *p, struct crash_page *c, const struct thread *t)
{
	p = put_head(p, c, t);
	if (c->death->what & DEATH_IP && t)
		p = put_place(put_str(p, " at "), c, t, c->death->ip, false);
	return crash_put_why(put_str(p, ": "), c->death);
}
