/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * /proc/kallsyms, or a copy of it, to the symbols of the kernel and its modules.
 *
 * A line is "ffffffff81000000 T _text", for modules followed by "\t[name]". The file is read once,
 * line by line through a buffer, because /proc generates it on each read; only names are kept. It
 * has no sizes: a symbol ends where the next one starts.
 */
#include <errno.h>
#include <unistd.h>

#include <pt/config/SAMPLE_COLUMNS.h>
#include "image.h"
#include "kernel.h"
#include "symtab.h"

enum {
	BUFFER = 64 << 10, NAMES = 64 << 10, NAME_MAX_LEN = 512,
	USUAL = 256 << 10,	/* symbols in a kernel; unused entries take no memory */
};

struct reader {
	int fd;
	char *buf;
	size_t at, end;
	bool eof;
	int err;
};

/* The next line, without its end; false at the end of the file. A line that is longer than the
 * buffer is returned in parts. */
static bool next_line(struct reader *r, char **line, size_t *len)
{
	char *stop = memchr(r->buf + r->at, '\n', r->end - r->at);

	while (!stop && !r->eof && (r->at || r->end < BUFFER)) {
		size_t left = r->end - r->at;
		ssize_t n;

		memmove(r->buf, r->buf + r->at, left);
		n = read(r->fd, r->buf + left, BUFFER - left);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			r->err = -errno;
		r->eof = n <= 0;
		r->at = 0;
		r->end = left + MAX(n, 0);
		stop = memchr(r->buf + left, '\n', r->end - left);
	}
	*line = r->buf + r->at;
	*len = (stop ? stop : r->buf + r->end) - *line;
	r->at += *len + !!stop;
	return *len || stop;
}

/* The hexadecimal number at 's'; returns where it stops. */
static const char *read_hex(const char *s, const char *end, u64 *v)
{
	u64 n = 0;

	for (; s < end; s++) {
		unsigned int digit = (u8)*s - '0', letter = (u8)(*s | 0x20) - 'a';

		if (digit > 9) {
			if (letter > 5)
				break;
			digit = letter + 10;
		}
		n = n << 4 | digit;
	}
	*v = n;
	return s;
}

struct line {
	u64 addr;
	char type;
	const char *name;
	size_t len;		/* of name */
	bool in_module;
};

static bool parse(struct line *l, const char *s, size_t len)
{
	const char *end = s + len, *p = read_hex(s, end, &l->addr), *tab;

	if (p == s || end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return false;
	l->type = p[1];
	l->name = p + 3;
	len = MIN(end - l->name, NAME_MAX_LEN);
	tab = memchr(l->name, '\t', len);
	l->in_module = memchr(l->name, '[', len);
	l->len = tab ? (size_t)(tab - l->name) : len;
	return true;
}

/* Functions and data. */
static bool is_wanted(const struct line *l)
{
	char type = l->type & ~0x20;

	return (type == 'T' || type == 'W' || type == 'D' || type == 'B') && *l->name != '$';
}

static enum symbol_bind bind_of(char type)
{
	return type == 'W' ? BIND_WEAK : type >= 'A' && type <= 'Z' ? BIND_GLOBAL : BIND_LOCAL;
}

/* Names that are kept, one after the other. */
struct names {
	struct arena *arena;
	char *at, *end;
};

static const char *keep(struct names *n, const char *name, size_t len)
{
	char *to = n->at;

	if ((size_t)(n->end - to) < len + 1) {
		n->at = to = NEW(n->arena, char, NAMES);
		n->end = to + NAMES;
	}
	memcpy(to, name, len);
	n->at += len + 1;
	return to;
}

static bool is_reference(const struct line *l, const char *name)
{
	char type = l->type & ~0x20;

	return name && (type == 'T' || type == 'W') && l->len == strlen(name) &&
	       !memcmp(l->name, name, l->len);
}

u64 kallsyms_address(int fd, const char *name)
{
	struct arena scratch = { 0 };
	struct reader r = { .fd = fd, .buf = NEW(&scratch, char, BUFFER) };
	struct line l;
	u64 addr = 0;
	char *line;
	size_t len;

	while (!addr && next_line(&r, &line, &len))
		if (parse(&l, line, len) && is_reference(&l, name))
			addr = l.addr;
	arena_free(&scratch);
	return addr;
}

int kallsyms_load(struct kallsyms *k, int fd)
{
	struct reader r = { .fd = fd, .buf = NEW(&k->table.scratch, char, BUFFER) };
	struct names names = { .arena = &k->table.scratch };
	u64 any = 0;
	struct line l;
	char *line;
	size_t len;

	symtab_reserve(&k->table, USUAL);
	while (next_line(&r, &line, &len)) {
		if (!parse(&l, line, len) || !is_wanted(&l))
			continue;
		if (!k->has_reference && is_reference(&l, k->reference)) {
			k->has_reference = true;
			k->delta = l.addr - k->reference_addr;
		}
		any |= l.addr;
		symtab_add(&k->table, l.addr, 0, keep(&names, l.name, l.len), l.len,
			   bind_of(l.type));
		k->table.at[k->table.n - 1].in_module = l.in_module;
	}
	return r.err ? r.err : !any ? -EPERM : 0;
}

/* The kernel was at another address when this list was made. */
static void move(struct kallsyms *k)
{
	u32 i;

	for (i = 0; i < k->table.n; i++) {
		struct found *f = &k->table.at[i];

		if (!f->in_module) {
			f->start -= k->delta;
			f->end -= k->delta;
		}
	}
}

struct symbols *kallsyms_finish(struct kallsyms *k, struct arena *a)
{
	u32 i;

	if (k->delta)
		move(k);
	symtab_fix(&k->table, true);
	for (i = 0; CONFIG_SAMPLE_COLUMNS && i < k->table.n; i++)
		if (!k->table.at[i].in_module)
			k->end = MAX(k->end, k->table.at[i].end);
	return symtab_finish(&k->table, a);
}
