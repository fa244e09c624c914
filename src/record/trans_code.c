/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Code that is in no file, because the program makes it at run time.
 *
 * The agent records the bytes of each block that it translates from such code. They are written to
 * an ELF file beside the recording, page by page, and an MMAP2 record gives the time from which a
 * page is at its address. Further bytes of a page are added to it. Where bytes have changed, the
 * new ones are appended to the file, with their own MMAP2 record, so that each version is decoded
 * at its time. After munmap() or mmap(), other bytes make a new page.
 *
 * An instruction may continue in the next page, which is elsewhere in the file. perf reads on in
 * the file, so each page is followed by the first bytes of the next page.
 *
 *	bytes at  t1 [.aaa....]   t2 [.aaabb..]   t3 [.aacbb..]
 *	file      page 1          page 1          c
 *	event     t1: page 1                      t3: c
 *
 * Threads that share memory change it in the order of their time stamps, but their rings are read
 * one after the other. So events wait in a queue, until all rings have been read to a later time.
 *
 * Between two stamps the time of a thread is an estimate: another thread may seem to run new code
 * before it was made. So the record of a new page has the time of the end of the last round, or of
 * the last record about the program's memory if that is later: nothing else was at its address.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pt/file.h>
#include <pt/host.h>
#include <pt/out.h>
#include <pt/sort.h>

#include "trans.h"

enum {
	PAGE = 4096, SOME = 16, KNOWN = (PAGE + SOME) / 8,
	ROOM = 2 * PAGE,			/* in the file */
	VDSO_MAX = 4 * PAGE,
	FILE_MAX = 256 << 20,			/* further code is not recorded */
	STEP = 64 << 10,			/* by which the file grows */
	N_BUCKETS = 1024, QUEUE = 1 << 20, N_EVENTS = QUEUE / 64,
};

struct code_page {
	struct code_page *next;
	i32 pid;
	bool gone;		/* its memory was unmapped, and may be mapped again */
	bool shared;		/* the places in the file are those of the parent's page */
	u64 at;
	u64 slot;		/* offset in the file */
	u64 latest;		/* the same of a copy with all changes, or 0 */
	u8 known[KNOWN];
};

/* New code, or such in one page, with bytes of a file after it; or [ip, ip + len) is gone; or it
 * has a new record of its map; or the whole process has ended, or begins another program; or it was
 * made by process 'ip', with all its code. */
struct code_event {
	u64 ip, len;
	u64 since;		/* NEW_CODE: TSC from which a new page may be at its address */
	i32 pid, tid;
	enum { NEW_CODE, NEW_WITHIN, GONE, AGAIN, ALL_GONE, FORKED } kind;
	u8 bytes[];
};

struct code_file {
	int fd;
	bool full;
	const char *name;
	u64 size;		/* bytes in use */
	u64 end;		/* ... and room: the size in the header */
	struct code_page *page[N_BUCKETS];
	u8 *queue, *other;
	u32 fill, n;
	u64 vdso;		/* offset of the vDSO of 32-bit programs, or 0 */
	struct sort_item items[N_EVENTS], room[N_EVENTS];
};

/* The file. */

/* Write the ELF header: one segment, from the second page to the end; no sections. */
static void put_head(struct code_file *f)
{
	struct {
		Elf64_Ehdr e;
		Elf64_Phdr p;
	} head = {
		.e = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		       .e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		       .e_phoff = sizeof(head.e), .e_ehsize = sizeof(head.e),
		       .e_phentsize = sizeof(head.p), .e_phnum = 1 },
		.p = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = PAGE,
		       .p_vaddr = PAGE, .p_filesz = f->end - PAGE, .p_memsz = f->end - PAGE,
		       .p_align = PAGE },
	};

	pwrite(f->fd, &head, sizeof(head), 0);
}

char *trans_beside(const struct soft *s, const char *what)
{
	const char *output = s->r->output;
	char path[PATH_MAX], *name;
	size_t n;

	if (*output == '/' || file_cwd(path))
		*path = 0;
	n = strlen(path) + strlen(output) + strlen(what) + 16;
	name = arena_alloc(s->r->arena, n);
	fmt_str(name, n, "%s%s%s.%s-%d", path, *path ? "/" : "", output, what, getpid());
	return name;
}

static struct code_file *open_code(struct soft *s)
{
	struct code_file *f = NEW(s->r->arena, struct code_file, 1);
	char *name;

	s->code = f;
	f->fd = -1;
	f->size = PAGE;
	f->fd = s->r->code_fd;
	if (f->fd < 0 && (s->r->fd >= 0 || !strcmp(s->r->output, "-")))
		return f;
	if (s->r->fd >= 0)	/* pt trace reads it meanwhile, and maps it as a whole */
		ftruncate(f->fd, FILE_MAX);
	if (f->fd >= 0) {
		name = arena_alloc(s->r->arena, 32);
		fmt_str(name, 32, "/proc/self/fd/%d", f->fd);
	} else {
		name = trans_beside(s, "code");
		f->fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	}
	f->name = name;
	f->queue = arena_alloc(s->r->arena, QUEUE);
	f->other = arena_alloc(s->r->arena, QUEUE);
	return f;
}

/* Take 'n' bytes at the end of the file. Returns their offset, 0 if there is no room. */
static u64 grow(struct soft *s, u64 n)
{
	struct code_file *f = s->code;
	u64 at = f->size;

	if (at + n > FILE_MAX) {
		if (!f->full)
			record_say(s->r, 0, "the program made %u MiB of code: "
				   "what follows is a gap", FILE_MAX >> 20);
		f->full = true;
		return 0;
	}
	f->size += n;
	if (f->size > f->end) {
		f->end = round_up(f->size, STEP);
		if (s->r->fd < 0)
			ftruncate(f->fd, f->end);
		put_head(f);
	}
	return at;
}

static void write_map(struct soft *s, const struct code_event *e, u64 at, u64 len, u64 off)
{
	const struct region r = { .start = at, .end = at + len, .pgoff = off,
		.prot = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE, .name = s->code->name };

	soft_write_map(s, e->pid, e->tid, &r);
}

/* A reader has no other copy of the vDSO of 32-bit programs. It is the same in all of them. */
void trans_code_vdso(struct soft *s, const struct tracee *t, const struct region *r)
{
	const struct code_event e = { .pid = t->pid, .tid = t->tid };
	struct code_file *f = s->code;
	u8 bytes[VDSO_MAX] = { 0 };
	u64 len = MIN(r->end - r->start, VDSO_MAX);

	if (pread(t->vm->mem, bytes, len, r->start) <= 0 || bytes[EI_CLASS] != ELFCLASS32)
		return;
	if (!f)
		f = open_code(s);
	if (f->fd < 0)
		return;
	if (!f->vdso) {
		f->vdso = grow(s, round_up(len, PAGE));
		if (f->vdso)
			pwrite(f->fd, bytes, len, f->vdso);
	}
	if (f->vdso)
		write_map(s, &e, r->start, r->end - r->start, f->vdso);
}

const char *trans_code_copy(struct soft *s, struct bytes file, u64 *off)
{
	struct code_file *f = s->code ? s->code : open_code(s);

	*off = f->fd < 0 ? 0 : grow(s, round_up(file.len, PAGE));
	if (!*off)
		return NULL;
	pwrite(f->fd, file.at, file.len, *off);
	return f->name;
}

/* Pages. */

static struct code_page *page_at(struct soft *s, i32 pid, u64 at, bool add)
{
	struct code_page **chain = &s->code->page[at / PAGE % N_BUCKETS], *p;

	for (p = *chain; p; p = p->next)
		if (p->at == at && p->pid == pid)
			return p;
	if (!add)
		return NULL;
	for (p = *chain; p && p->pid; p = p->next)
		;
	if (!p) {
		p = NEW(s->r->arena, struct code_page, 1);
		p->next = *chain;
		*chain = p;
	}
	*p = (struct code_page){ .next = p->next, .pid = pid, .at = at };
	return p;
}

/* The page now has only the bytes that come. */
static void renew(struct code_page *p)
{
	p->slot = p->latest = 0;
	memset(p->known, 0, sizeof(p->known));
}

/* The part of the event that is in the page, or in the first bytes of the next one. */
static struct bytes part_of(const struct code_page *p, const struct code_event *e, u32 *off)
{
	struct bytes b = { e->bytes, e->len };

	*off = e->ip < p->at ? 0 : e->ip - p->at;
	if (e->ip < p->at)
		b = bytes_skip(b, MIN(p->at - e->ip, b.len));
	return bytes_first(b, sizeof(p->known) * 8 - *off);
}

static bool is_known(const struct code_page *p, u32 off)
{
	return p->known[off / 8] >> off % 8 & 1;
}

/* Do known bytes of the page differ? */
static bool differs(const struct soft *s, const struct code_page *p, const struct code_event *e)
{
	u8 old[PAGE + SOME];
	struct bytes b;
	ssize_t n;
	u32 off, i;

	if (!p || !p->slot)
		return false;
	b = part_of(p, e, &off);
	n = pread(s->code->fd, old, b.len, (p->latest ? p->latest : p->slot) + off);
	if (n < 0)
		return true;
	for (i = 0; i < n; i++)		/* all known bytes are in the file */
		if (is_known(p, off + i) && old[i] != b.at[i])
			return true;
	return false;
}

static void copy(const struct soft *s, u64 from, u64 to)
{
	u8 bytes[PAGE + SOME];

	if (pread(s->code->fd, bytes, sizeof(bytes), from) > 0)
		pwrite(s->code->fd, bytes, sizeof(bytes), to);
}

static void write_latest(struct soft *s, struct code_page *p, const struct code_event *e)
{
	if (p->latest)
		p->slot = p->latest;
	p->latest = 0;
	write_map(s, e, p->at, PAGE, p->slot);
}

/* Write those bytes for 'off' in the page that it does not have. */
static void write_unknown(struct soft *s, const struct code_page *p, struct bytes b, u32 off)
{
	u32 i, n;

	for (i = 0; i < b.len; i += n) {
		for (n = 1; i + n < b.len && is_known(p, off + i + n) == is_known(p, off + i); n++)
			;
		if (!is_known(p, off + i))
			pwrite(s->code->fd, b.at + i, n, p->slot + off + i);
	}
}

/* Add the event's bytes to the page. If they are 'changed', they are also elsewhere in the file:
 * then only the latest copy of the page gets them. */
static void add(struct soft *s, struct code_page *p, const struct code_event *e, bool changed)
{
	struct bytes b;
	u64 when = s->when;
	u32 off, i;

	if (!p->slot || p->shared) {
		u64 was = p->latest ? p->latest : p->slot;

		p->slot = grow(s, ROOM);
		p->latest = 0;
		if (!p->slot)
			return;
		if (p->shared)
			copy(s, was, p->slot);
		s->when = p->shared || p->gone ? when : e->since;
		write_map(s, e, p->at, PAGE, p->slot);
		s->when = when;
		p->shared = changed = false;
	} else if (p->gone) {
		write_latest(s, p, e);
	}
	p->gone = false;
	if (changed && !p->latest) {
		p->latest = grow(s, ROOM);
		copy(s, p->slot, p->latest);
	}
	b = part_of(p, e, &off);
	if (p->latest)
		pwrite(s->code->fd, b.at, b.len, p->latest + off);
	if (!p->latest)
		pwrite(s->code->fd, b.at, b.len, p->slot + off);
	else if (!changed)
		write_unknown(s, p, b, off);
	for (i = 0; i < b.len; i++)
		p->known[(off + i) / 8] |= 1 << (off + i) % 8;
}

/* New code. */
static void take(struct soft *s, const struct code_event *e)
{
	u64 first = (e->ip - SOME) & -(u64)PAGE, page, off;
	u64 last = e->kind == NEW_WITHIN ? e->ip : e->ip + e->len - 1;
	struct code_page *p;
	bool changed = false;

	for (page = first; page <= last; page += PAGE) {
		p = page_at(s, e->pid, page, false);
		if (!differs(s, p, e))
			continue;
		if (p->gone)
			renew(p);
		else
			changed = true;
	}
	if (changed) {
		off = grow(s, (e->len + 7) & ~7ULL);
		if (!off)
			return;
		pwrite(s->code->fd, e->bytes, e->len, off);
	}
	for (page = first; page <= last; page += PAGE) {
		p = page_at(s, e->pid, page, page + PAGE > e->ip);
		if (p)
			add(s, p, e, changed);
	}
	if (changed)
		write_map(s, e, e->ip, e->len, off);
}

/* The process has the code of its parent. */
static void inherit(struct soft *s, const struct code_event *e)
{
	struct code_page *p, *own;
	u32 i;

	for (i = 0; i < N_BUCKETS; i++)
		for (p = s->code->page[i]; p; p = p->next) {
			if (p->pid != (i32)e->ip || !p->slot)
				continue;
			own = page_at(s, e->pid, p->at, true);
			*own = (struct code_page){ own->next, e->pid, p->gone, true, p->at,
						   p->slot, p->latest };
			memcpy(own->known, p->known, sizeof(own->known));
		}
}

static void drop(struct soft *s, const struct code_event *e)
{
	struct code_page *p;
	u32 i;

	for (i = 0; i < N_BUCKETS; i++)
		for (p = s->code->page[i]; p; p = p->next) {
			if (p->pid != e->pid)
				continue;
			if (e->kind == ALL_GONE)
				p->pid = 0;
			if (p->at >= e->ip + e->len || p->at + PAGE <= e->ip)
				continue;
			if (e->kind == GONE)
				p->gone = true;
			else if (p->slot && !p->gone)
				write_latest(s, p, e);
		}
}

/* Events. */

void trans_code_done(struct soft *s, u64 tsc)
{
	struct code_file *f = s->code;
	u32 i, k, fill = 0;
	u8 *queue;

	if (!f || !f->n)
		return;
	sort_items(f->items, f->n, f->room);
	for (i = 0; i < f->n && f->items[i].key < tsc; i++) {
		const struct code_event *e = (void *)(f->queue + f->items[i].index);

		s->when = f->items[i].key;
		(e->kind == FORKED ? inherit : e->kind > NEW_WITHIN ? drop : take)(s, e);
	}
	s->when = 0;
	for (k = 0; i < f->n; i++, k++) {
		const struct code_event *e = (void *)(f->queue + f->items[i].index);
		u32 size = sizeof(*e) + (e->kind > NEW_WITHIN ? 0 : (e->len + 7) & ~7u);

		memcpy(f->other + fill, e, size);
		f->items[k] = (struct sort_item){ f->items[i].key, fill };
		fill += size;
	}
	queue = f->queue;
	f->queue = f->other;
	f->other = queue;
	f->fill = fill;
	f->n = k;
}

/* New bytes, or with NULL what happens to those that are known. */
static void put(struct soft *s, const struct tracee *t, u64 ip, u64 len, const u8 *bytes,
		u32 kind)
{
	struct code_file *f = s->code || !bytes ? s->code : open_code(s);
	u32 size = sizeof(struct code_event) + (bytes ? (len + 7) & ~7u : 0);
	u64 when = s->when ? s->when : host_tsc();
	struct code_event *e;

	if (!f || f->fd < 0)
		return;
	if (f->fill + size > QUEUE || f->n == N_EVENTS)
		trans_code_done(s, -1ull);
	e = (void *)(f->queue + f->fill);
	*e = (struct code_event){ ip, len, when, t->pid, t->tid, kind };
	if (bytes)
		memcpy(e->bytes, bytes, len);
	if (bytes && soft_is_made(t, ip))	/* else t->vm may be NULL */
		e->since = MIN(MAX(s->changed, s->floor), when);
	f->items[f->n++] = (struct sort_item){ when, f->fill };
	f->fill += size;
}

void trans_code(struct soft *s, const struct tracee *t, u64 ip, struct bytes now, bool within)
{
	put(s, t, ip, now.len, now.at, within ? NEW_WITHIN : NEW_CODE);
}

void trans_code_forked(struct soft *s, const struct tracee *parent, const struct tracee *t)
{
	if (t->pid != parent->pid)
		put(s, t, parent->pid, 0, NULL, FORKED);
}

void trans_code_unmapped(struct soft *s, const struct tracee *t, u64 ip, u64 len)
{
	if (ip + len > ip)
		put(s, t, ip, len, NULL, GONE);
}

void trans_code_again(struct soft *s, const struct tracee *t, u64 start, u64 end)
{
	put(s, t, start, end - start, NULL, AGAIN);
}

void trans_code_gone(struct soft *s, const struct tracee *t)
{
	put(s, t, 0, 0, NULL, ALL_GONE);
}
