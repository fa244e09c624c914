/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Columns for optional contents of recorded samples: registers, source of data, page sizes,
 * branch stacks, the time of day.
 */
#include <pt/date.h>
#include <pt/text.h>
#include "sample_fields.h"
#include "sample_line.h"

static bool is_graphic(u8 c)
{
	return c >= ' ' && c < 0x7f;
}

static const char *word(const char *words, u32 n)
{
	const char *s = text_nth(words, n);

	return s ? s : "unknown";
}

/* The name of a register: vector registers have two numbers each. */
static char *put_register(char *p, u32 i)
{
	enum { XMM_0 = 32 };
	char name[16];

	if (i < XMM_0)
		return put_str_w(p, word(perf_registers, i), 5);
	fmt_str(name, sizeof(name), "XMM%u", (i - XMM_0) / 2);
	return put_str_w(p, name, 5);
}

static char *put_registers(char *p, struct bytes regs, u64 abi, u64 mask)
{
	u32 i;

	if (!regs.len)
		return p;
	p = put_dec(put_str(p, " ABI:"), abi);
	p = put_char(p, ' ');
	for (i = 0; mask >> i && regs.len; i++) {
		if (!(mask >> i & 1))
			continue;
		p = put_register(p, i);
		p = put_hex(put_str(p, ":0x"), bytes_take64(&regs));
		p = put_char(p, ' ');
	}
	return p;
}

/* Source of data: bit fields, each with a word for each bit. A digit stands for a bit without a
 * word. */

/* Print the words of the bits that are set, with " or " between them. 'words' are NUL-terminated
 * strings, one after the other. */
static char *put_bits(char *p, const char *words, u64 bits)
{
	const char *or = "";

	for (; *words; words += strlen(words) + 1, bits >>= 1)
		if (bits & 1) {
			p = put_str(put_str(p, or), words);
			or = " or ";
		}
	return p;
}

static char *put_hit(char *p, char *start, bool hit, bool miss)
{
	if (p == start)
		p = put_str(p, "N/A");
	if (hit)
		p = put_str(p, " hit");
	return miss ? put_str(p, " miss") : p;
}

static char *put_level(char *p, u64 v)
{
	static const char old[] = "N/A\0HIT\0MISS\0L1\0LFB/MAB\0L2\0L3\0Local RAM\0"
		"Remote RAM (1 hop)\0Remote RAM (2 hops)\0Remote Cache (1 hop)\0"
		"Remote Cache (2 hops)\0I/O\0Uncached\0";
	static const char hops[] =
		"core, same node\0node, same socket\0socket, same board\0board\0";
	static const char numbers[] = "CXL\0I/O\0Any cache\0LFB/MAB\0RAM\0PMEM\0N/A\0";
	u32 level = v >> 5 & 0x3fff, number = v >> 33 & 15, hop = v >> 43 & 7;
	char *start = p;
	bool named = !hop && level & ~6u;

	if (v >> 37 & 1)
		p = put_str(p, "Remote ");
	if (hop)
		p = put_char(put_str(p, word(hops, hop - 1)), ' ');
	else
		p = put_bits(p, old, level & ~6u);
	if (number && named)
		p = put_str(p, " or ");
	if (number > 8)
		p = put_str(p, word(numbers, number - 9));
	else if (number)
		p = put_dec(put_char(p, 'L'), number);
	return put_hit(p, start, level & 2, level & 4);
}

static char *put_source(char *p, u64 v)
{
	static const char ops[] = "N/A\0LOAD\0STORE\0PFETCH\0EXEC\0";
	u32 op = v & 31, snoop = v >> 19 & 31, tlb = v >> 26 & 127, lock = v >> 24 & 3;
	u32 more = v >> 38 & 3, block = v >> 40 & 7;
	char *start;

	p = put_str(p, "|OP ");
	p = op ? put_bits(p, ops, op & -op) : put_str(p, "No");
	p = put_level(put_str(p, "|LVL "), v);
	start = p = put_str(p, "|SNP ");
	p = put_bits(p, "N/A\0None\0Hit\0Miss\0HitM\0", snoop);
	if (more)
		p = put_bits(p > start ? put_str(p, " or ") : p, "Fwd\0Peer\0", more);
	p = put_hit(p, start, false, false);
	start = p = put_str(p, "|TLB ");
	p = put_hit(put_bits(p, "N/A\0HIT\0MISS\0L1\0L2\0Walker\0Fault\0", tlb & ~6u), start,
		    tlb & 2, tlb & 4);
	p = put_str(p, lock & 1 ? "|LCK N/A" : lock & 2 ? "|LCK Yes" : "|LCK No");
	p = put_str(p, "|BLK ");
	if (!block || block & 1)
		return put_str(p, " N/A");
	if (block & 2)
		p = put_str(p, " Data");
	return block & 4 ? put_str(p, " Addr") : p;
}

char *sample_put_costs(char *p, struct sample_printer *pr, const struct perf_sample *s, u64 fields)
{
	enum { SOURCE_MAX = 99 };	/* perf prints no more */
	enum { NOTHING_KNOWN = 0x5080021 };	/* each part of it says N/A */
	bool known = s->fields >> PERF_S_DATA_SRC & 1 || !s->event || s->in_trace;
	u64 source = known ? s->data_src : NOTHING_KNOWN;
	bool parts = s->fields >> PERF_S_WEIGHT_STRUCT & 1;
	char *start = p;

	if (fields & FIELD_DATA_SRC) {
		p = put_hex_w(p, source, 16);
		p = put_source(put_char(p, ' '), source);
		p = MIN(p, start + SOURCE_MAX);
		pr->source_width = MAX(pr->source_width, p - start);
		p = put_fill(p, ' ', pr->source_width - (p - start));
	}
	if (fields & FIELD_WEIGHT)
		p = put_dec_w(p, parts ? (u32)s->weight : s->weight, 16);
	if (fields & FIELD_INS_LAT)
		p = put_dec_w(p, parts ? (u16)(s->weight >> 32) : 0, 16);
	if (fields & FIELD_RETIRE_LAT)
		p = put_dec_w(p, parts ? s->weight >> 48 : 0, 16);
	return p;
}

/* Branches. */

static char *put_branch_flags(char *p, u64 flags)
{
	static const char kinds[] =
		"COND\0UNCOND\0IND\0CALL\0IND_CALL\0RET\0SYSCALL\0SYSRET\0COND_CALL\0"
		"COND_RET\0ERET\0IRQ\0SERROR\0NO_TX\0"
		"FAULT_ALGN\0FAULT_DATA\0FAULT_INST\0";	/* not of x86 */
	u32 kind = flags >> 20 & 15;

	if (kind == 15)
		kind += flags >> 26 & 15;

	p = put_char(put_char(p, '/'), flags & 2 ? 'P' : flags & 1 ? 'M' : '-');
	p = put_char(put_char(p, '/'), flags & 4 ? 'X' : '-');
	p = put_char(put_char(p, '/'), flags & 8 ? 'A' : '-');
	p = put_dec(put_char(p, '/'), flags >> 4 & 0xffff);
	p = put_str(put_char(p, '/'), kind ? word(kinds, kind - 1) : "");
	return put_char(p, ' ');
}

static char *put_end(char *p, struct sample_printer *pr, const struct thread *t, u64 ip, u64 fields)
{
	const struct map *map = session_map_at(pr->session, t, ip);
	bool off = fields & FIELD_BRSTACKOFF && map && map->pgoff != map->start;

	if (fields & FIELD_BRSTACKSYM)
		p = sample_put_symbol(p, pr, map, ip);
	else
		p = put_hex(put_str(p, "0x"), off ? ip - map->start + map->pgoff : ip);
	if (fields & FIELD_DSO) {
		p = sample_put_dso_at(put_char(p, '('), pr, map, ip, fields);
		p = put_char(p, ')');
	}
	return p;
}

char *sample_put_branches(char *p, struct sample_printer *pr, struct bytes b,
			  const struct thread *t, u64 fields)
{
	if (fields & FIELD_BRSTACK)
		fields &= ~(FIELD_BRSTACKSYM | FIELD_BRSTACKOFF);
	for (; b.len >= 24; b = bytes_skip(b, 24)) {
		out_done(pr->out, p);
		p = out_room(pr->out, SAMPLE_LINE);
		if (!(fields & FIELD_BRSTACKSYM))
			p = put_char(p, ' ');
		p = put_end(p, pr, t, get64(b.at), fields);
		p = put_end(put_char(p, '/'), pr, t, get64(b.at + 8), fields);
		p = put_branch_flags(p, get64(b.at + 16));
	}
	return p;
}

char *sample_put_state(char *p, struct sample_printer *pr, const struct perf_sample *s,
		       const struct thread *t, u64 fields)
{
	const struct perf_attr *attr = &s->event->attr;

	if (fields & FIELD_IREGS)
		p = put_registers(p, s->regs_intr, s->abi_intr, attr->regs_intr);
	if (fields & FIELD_UREGS)
		p = put_registers(p, s->regs_user, s->abi_user, attr->regs_user);
	if (fields & (FIELD_BRSTACK | FIELD_BRSTACKSYM | FIELD_BRSTACKOFF))
		p = sample_put_branches(p, pr, s->branches, t, fields);
	return p;
}

char *sample_put_bpf(char *p, struct sample_printer *pr, const struct perf_sample *s)
{
	enum { SOFTWARE = 1, BPF_OUTPUT = 10, ROW = 8, WIDTH = 17 };
	const struct perf_attr *attr = &s->event->attr;
	const char *title = "BPF output:";
	struct bytes b = s->raw;
	size_t i, at, len;

	if (attr->type != SOFTWARE || attr->config != BPF_OUTPUT || !b.len)
		return p;
	len = strnlen((const char *)b.at, b.len);
	p = put_char(p, '\n');
	for (at = 0; at < b.len; at += ROW, title = "") {
		out_done(pr->out, p);
		p = put_str_w(out_room(pr->out, SAMPLE_LINE), title, WIDTH);
		p = put_char(put_hex_0(put_char(p, ' '), at, 4), ':');
		for (i = at; i < at + ROW; i++)
			p = i < b.len ? put_byte(put_char(p, ' '), b.at[i]) : put_str(p, "   ");
		p = put_str(p, "  ");
		for (i = at; i < at + ROW; i++)
			p = put_char(p, i >= b.len ? ' ' : is_graphic(b.at[i]) ? b.at[i] : '.');
		p = put_char(p, '\n');
	}
	/* Text, and nothing but NULs after it? */
	for (i = 0; i < b.len && (i < len ? is_graphic(b.at[i]) : !b.at[i]); i++)
		;
	if (i < b.len || len == b.len)
		return p;
	p = put_str(put_str_w(p, "BPF string:", WIDTH), " \"");
	out_done(pr->out, p);
	out_bytes(pr->out, b.at, len);
	return put_str(out_room(pr->out, SAMPLE_LINE), "\"\n");
}

static char *put_page(char *p, u64 size)
{
	static const char units[] = "BKMG";
	u32 i = 0;

	p = put_char(p, ' ');
	if (!size)
		return put_str(p, "N/A");
	for (; units[i + 1] && size >> 10 > 1; i++)	/* 1G is 1024M to perf */
		size >>= 10;
	return put_char(put_dec(p, size), units[i]);
}

struct sample_cgroup { struct sample_cgroup *next; u64 id; const char *path; };

void print_sample_cgroup(struct sample_printer *pr, const struct perf_record *rec)
{
	struct arena *arena = &pr->session->arena;
	struct sample_cgroup *g = NEW(arena, struct sample_cgroup, 1);
	struct bytes b = bytes_skip(rec->raw, 8);

	g->id = bytes_take64(&b);
	g->path = memchr(b.at, 0, b.len) ? arena_str(arena, (const char *)b.at) : "";
	g->next = pr->cgroups;
	pr->cgroups = g;
}

static char *put_cgroup(char *p, const struct sample_printer *pr, const struct perf_sample *s)
{
	const struct sample_cgroup *g = pr->cgroups;

	while (g && g->id != s->cgroup)
		g = g->next;
	return sample_put_name(put_char(p, ' '), g ? g->path : "unknown");
}

char *sample_put_pages(char *p, const struct sample_printer *pr, const struct perf_sample *s,
		       u64 fields)
{
	if (fields & FIELD_DATA_PAGE_SIZE)
		p = put_page(p, s->data_page_size);
	if (fields & FIELD_CODE_PAGE_SIZE)
		p = put_page(p, s->code_page_size);
	return fields & FIELD_CGROUP ? put_cgroup(p, pr, s) : p;
}

bool print_sample_clock(struct sample_printer *pr)
{
	enum { CLOCK_DATA = 29 };
	struct bytes b = perf_feature(&pr->session->file, CLOCK_DATA);
	u32 version = bytes_take32(&b);

	bytes_take32(&b);
	pr->clock.day = bytes_take64(&b);
	pr->clock.ns = bytes_take64(&b);
	return version == 1;
}

char *sample_put_day(char *p, const struct sample_printer *pr, u64 time)
{
	u64 ns = pr->clock.day + (time - pr->clock.ns);
	struct tm t = date_local(ns / 1000000000);
	u32 rest = ns % 1000000000;

	p += fmt_str(p, SAMPLE_LINE, "%d-%02d-%02d %02d:%02d:%02d.%0*u ", t.tm_year + 1900,
		     t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec, pr->ns ? 9 : 6,
		     pr->ns ? rest : rest / 1000);
	return p;
}
