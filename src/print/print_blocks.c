/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * -F brstackinsn: the instructions between the branches of a branch stack, one on a line, up to the
 * sample.
 *
 *	function+12:
 *	00000000004011a0	insn: 55
 *	00000000004011a1	insn: 74 e0                   	# PRED
 */
#include "sample_line.h"

enum { BRANCH = 24, BLOCK_MAX = 16384 - INSN_MAX, SCAN = 128 };

struct blocks_printer {
	struct sample_printer *pr;
	const struct thread *t;
	const struct symbol *sym;	/* of the last line */
	u64 cycles;			/* of all branches so far */
	bool lengths;			/* brstackinsnlen */
	u32 len;			/* of 'code', which is at the start of the block */
	u8 code[BLOCK_MAX + INSN_MAX];
};

/* Read the code from 'start' up to the instruction at 'end', and what may belong to that. False if
 * that is no block, or its code is not known; '*crosses': it goes from the kernel to the program,
 * or back. */
static bool read_block(struct blocks_printer *b, u64 start, u64 end, bool *crosses)
{
	*crosses = start && end && start >> 63 != end >> 63;
	if (!start || !end || *crosses || end - start > BLOCK_MAX)
		return false;
	b->len = sample_read_code(b->pr, b->t, start, b->code, end - start + INSN_MAX);
	return b->len;
}

/* A line with the function, where it changes. */
static void print_function(struct blocks_printer *b, u64 ip)
{
	struct session *s = b->pr->session;
	const struct map *map = session_map_at(s, b->t, ip);
	const struct symbol *sym = session_symbol_at(s, map, ip);
	u64 at, off;
	char *p;

	if (!sym)
		return;
	at = map_addr(&s->images, map, ip);
	if (b->sym && at >= b->sym->start && at < b->sym->end)
		return;	/* a label inside the function is no change */
	b->sym = sym;
	off = at - sym->start;
	p = sample_put_name(put_char(out_room(b->pr->out, SAMPLE_LINE), '\t'), sym->name);
	if (off)
		p = put_dec(put_char(p, '+'), off);
	out_line(b->pr->out, put_char(p, ':'));
}

/* Start the line of the instruction at 'off' of the block. '*len' is its length, 0: unknown. */
static char *put_start(struct blocks_printer *b, u64 ip, u32 off, u8 *len, u8 *kind)
{
	struct bytes code = bytes_first((struct bytes){ b->code + off, b->len - off }, INSN_MAX);
	char *p = put_char(out_room(b->pr->out, SAMPLE_LINE), '\t'), *text;
	struct insn insn;
	u32 i;

	p = text = put_char(put_hex_0(p, ip, 16), '\t');
	*len = insn_decode(&insn, INSN_64, code) > 0 ? insn.len : 0;
	*kind = insn.kind;
	if (!*len)
		return put_char(p, '?');
	p = put_bytes(p, "insn: ", 6);
	for (i = 0; i < *len; i++)
		p = put_char(put_byte(p, code.at[i]), ' ');
	return p;
}

static void print_insn(struct blocks_printer *b, u64 ip, u32 off, u8 *len, u8 *kind)
{
	char *p = put_start(b, ip, off, len, kind);

	if (b->lengths)
		p = put_dec(put_str(p, "\tilen: "), *len);
	out_line(b->pr->out, p);
}

/* The last instruction of a block, with what the branch stack says about it. */
static void print_jump(struct blocks_printer *b, u64 ip, u32 off, u64 flags, u32 n)
{
	enum { WIDTH = 30, MISPREDICTED = 1, PREDICTED = 2, IN_TX = 4, ABORT = 8 };
	u32 cycles = flags >> 4 & 0xffff;
	u8 len, kind;
	char *p = put_start(b, ip, off, &len, &kind);
	int room = WIDTH - (len ? 6 + 3 * len : 1);

	p = put_char(put_fill(p, ' ', room), '\t');
	if (b->lengths)
		p = put_char(put_dec(put_str(p, "ilen: "), len), '\t');
	p = put_char(p, '#');
	p = put_str(p, flags & PREDICTED ? " PRED" : "");
	p = put_str(p, flags & MISPREDICTED ? " MISPRED" : "");
	p = put_str(p, flags & IN_TX ? " INTX" : "");
	p = put_str(p, flags & ABORT ? " ABORT" : "");
	if (cycles) {
		b->cycles += cycles;
		p = put_str(put_dec(put_char(p, ' '), cycles), " cycles [");
		p = put_char(put_dec(p, b->cycles), ']');
		if (n)
			p += fmt_str(p, 40, " %u.%02u IPC", n / cycles, n % cycles * 100 / cycles);
	}
	out_line(b->pr->out, p);
}

/* The instructions from 'start' up to the branch at 'end'. */
static void print_block(struct blocks_printer *b, u64 start, u64 end, u64 flags)
{
	u32 off, n = 0;
	u8 len = 0, kind;

	for (off = 0; off < b->len; off += len) {
		print_function(b, start + off);
		n++;
		if (start + off == end) {
			print_jump(b, end, off, flags, n);
			break;
		}
		print_insn(b, start + off, off, &len, &kind);
		if (!len)
			break;
	}
	if (off != end - start)
		out_str(b->pr->out, "\tmismatch of LBR data and executable\n");
}

/* From the newest branch to the sample; a branch may be missing between them. */
static void print_last(struct blocks_printer *b, u64 start, u64 ip)
{
	u64 end = ip < start ? start + SCAN : ip;
	bool read, crosses;
	u8 len, kind;
	u32 off;

	read = read_block(b, start, end, &crosses);
	print_function(b, start);
	if (!read) {
		if (read_block(b, ip, ip, &crosses))
			print_insn(b, ip, 0, &len, &kind);
		return;
	}
	for (off = 0; off <= end - start && off < b->len; off += len) {
		print_insn(b, start + off, off, &len, &kind);
		if (!len)
			return;
		if (samples_flags[kind] & FLAG_BRANCH && start + off != ip) {
			out_str(b->pr->out, "\t... not reaching sample ...\n");
			return;
		}
	}
}

char *print_blocks(char *p, struct sample_printer *pr, struct bytes branches,
		   const struct thread *t, u64 ip, u64 fields)
{
	static struct blocks_printer b;
	const u8 *at = branches.at;
	u32 n = branches.len / BRANCH, i;
	bool crosses;

	if (!n)
		return p;
	if (pr->max_blocks)
		n = MIN(n, pr->max_blocks + 1);
	out_line(pr->out, p);
	b.pr = pr;
	b.t = t;
	b.sym = NULL;
	b.cycles = 0;
	b.lengths = fields & FIELD_BRSTACKINSNLEN;
	/* The start of the oldest block is not known. */
	i = n - 1;
	if (read_block(&b, get64(at + i * BRANCH), get64(at + i * BRANCH), &crosses)) {
		print_function(&b, get64(at + i * BRANCH));
		print_jump(&b, get64(at + i * BRANCH), 0, get64(at + i * BRANCH + 16), 0);
	}
	while (i--) {
		u64 start = get64(at + (i + 1) * BRANCH + 8), end = get64(at + i * BRANCH);
		bool read = read_block(&b, start, end, &crosses);

		/* The branch into the kernel may have been filtered. */
		if (!read && crosses && i) {
			end = get64(at + --i * BRANCH);
			read = read_block(&b, start, end, &crosses);
		}
		if (read)
			print_block(&b, start, end, get64(at + i * BRANCH + 16));
	}
	if (get64(at) != ip && !(get64(at + 16) & 8))
		print_last(&b, get64(at + 8), ip);
	return out_room(pr->out, SAMPLE_LINE);
}
