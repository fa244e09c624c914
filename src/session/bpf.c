/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The code of BPF programs. The kernel reports the address of each function of a program (KSYMBOL).
 * The feature BPF_PROG_INFO contains the code: a list of the kernel's struct bpf_prog_info, each
 * followed by the arrays that it points to.
 */
#include <linux/bpf.h>
#include <stddef.h>

#include <pt/out.h>

#include "session.h"

enum {
	FEATURE = 25, HEAD = 16, TAG = 8,
	/* Which arrays are there: bits of a number in the head. */
	INSNS = 1 << 0, SYMBOLS = 1 << 3, LENGTHS = 1 << 4, TAGS = 1 << 8,
};

/* A program: its arrays, empty where they are missing. */
struct program {
	struct bpf_prog_info info;
	struct bytes insns, addrs, lens, tags;
};

static struct bytes part(struct bytes all, u64 from, u64 len)
{
	struct bytes b = bytes_skip(all, MIN(from, all.len));

	return len <= b.len ? bytes_first(b, len) : (struct bytes){ 0 };
}

/* The program at the front of '*all'. False if there is none. */
static bool next_program(struct bytes *all, struct program *p)
{
	u32 info_len = bytes_take32(all), len = bytes_take32(all);
	u64 arrays = bytes_take64(all);
	struct bytes info = bytes_first(*all, info_len), data;
	const struct bpf_prog_info *i = &p->info;

	*all = bytes_skip(*all, info_len);
	data = bytes_first(*all, len);
	if (!info_len || info.len < info_len || data.len < len)
		return false;
	*all = bytes_skip(*all, len);
	*p = (struct program){ .info.id = 0 };
	memcpy(&p->info, info.at, MIN(info.len, sizeof(p->info)));
	if (arrays & INSNS)
		p->insns = part(data, i->jited_prog_insns, i->jited_prog_len);
	if (arrays & SYMBOLS)
		p->addrs = part(data, i->jited_ksyms, 8 * (u64)i->nr_jited_ksyms);
	if (arrays & LENGTHS)
		p->lens = part(data, i->jited_func_lens, 4 * (u64)i->nr_jited_func_lens);
	if (arrays & TAGS)
		p->tags = part(data, i->prog_tags, TAG * (u64)i->nr_prog_tags);
	return true;
}

/* Is the function called 'name', "bpf_prog_TAG..."? Programs come and go at the same address. */
static bool has_name(const struct program *p, u32 i, const char *name)
{
	const u8 *tag = p->tags.len >= TAG * (i + 1ull) ? p->tags.at + TAG * i : p->info.tag;
	char text[2 * TAG], *at = text;
	u32 n;

	for (n = 0; n < TAG; n++)
		at = put_byte(at, tag[n]);
	return !strncmp(name, "bpf_prog_", 9) && !strncmp(name + 9, text, sizeof(text));
}

/* The code of the function at 'addr'; empty if this program has no function there. */
static struct bytes code_at(const struct program *p, u64 addr, const char *name)
{
	u64 n = p->addrs.len / 8, off = 0, i;

	for (i = 0; i < n; i++) {
		/* A program of one function may have no list of lengths. */
		u64 len = p->lens.len >= 4 * (i + 1) ? get32(p->lens.at + 4 * i) : p->insns.len;

		if (get64(p->addrs.at + 8 * i) == addr && has_name(p, i, name))
			return part(p->insns, off, len);
		off += len;
	}
	return (struct bytes){ 0 };
}

void bpf_loaded(struct session *s, const struct perf_ksymbol *symbol)
{
	struct bytes all, code;
	struct program p;

	if (symbol->flags & 1 || strncmp(symbol->name, "bpf_prog_", 9))
		return;
	if (!s->bpf.len)
		s->bpf = perf_feature(&s->file, FEATURE);
	all = bytes_skip(s->bpf, 4);
	while (next_program(&all, &p)) {
		code = code_at(&p, symbol->addr, symbol->name);
		if (code.len) {
			images_text_poke(&s->images, symbol->addr,
					 bytes_first(code, symbol->len));
			return;
		}
	}
}
