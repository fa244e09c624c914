/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Code that is in no file, because the program makes it at run time.
 *
 * The agent records the bytes of each block that it translates from such code. They are written to
 * an ELF file beside the recording, page by page, and an MMAP2 record gives the time from which a
 * page is at its address. Further bytes of a page are added to it. If bytes have changed, a copy of
 * the page with its own MMAP2 record is made, so that each version is decoded at its time.
 *
 * An instruction may continue in the next page, which is elsewhere in the file. perf reads on in
 * the file, so each page is followed by the first bytes of the next page.
 *
 *	bytes at  t1 [.aaa....]   t2 [.aaabb..]   t3 [.aacbb..]
 *	file      page 1          page 1          page 2
 *	event     t1: page 1                      t3: page 2
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pt/out.h>

#include "trans.h"

enum {
	PAGE = 4096, SOME = 16, ROOM = 2 * PAGE,	/* in the file */
	PAGES_MAX = 1 << 14,			/* further code is not recorded */
	N_BUCKETS = 256,
};

struct code_page {
	struct code_page *next;
	i32 pid;
	u64 at;
	u64 slot;		/* offset in the file */
	u8 bytes[PAGE + SOME];
	u8 known[(PAGE + SOME) / 8];
};

struct code_file {
	int fd;
	const char *name;
	u64 size;
	u32 n_pages;
	struct code_page *page[N_BUCKETS];
};

static struct code_page **chain_of(struct code_file *f, u64 at)
{
	return &f->page[at / PAGE % N_BUCKETS];
}

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
		       .p_vaddr = PAGE, .p_filesz = f->size - PAGE, .p_memsz = f->size - PAGE,
		       .p_align = PAGE },
	};

	pwrite(f->fd, &head, sizeof(head), 0);
}

static struct code_file *open_code(struct soft *s)
{
	struct code_file *f = NEW(s->r->arena, struct code_file, 1);
	char path[4096], *name;
	size_t n;

	s->code = f;
	f->fd = -1;
	f->size = PAGE;
	if (s->r->fd >= 0 || !strcmp(s->r->output, "-"))
		return f;
	if (*s->r->output == '/' || !getcwd(path, sizeof(path)))
		*path = 0;
	n = strlen(path) + strlen(s->r->output) + 24;
	name = arena_alloc(s->r->arena, n);
	fmt_str(name, n, "%s%s%s.code-%d", path, *path ? "/" : "", s->r->output, getpid());
	f->name = name;
	f->fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	return f;
}

static void tell_page(struct soft *s, const struct thread *t, const struct code_page *p)
{
	const struct region r = { .start = p->at, .end = p->at + PAGE, .pgoff = p->slot,
		.prot = PROT_READ | PROT_EXEC, .flags = MAP_PRIVATE, .name = s->code->name };

	soft_tell_map(s, t, &r);
}

static struct code_page *page_at(struct soft *s, const struct thread *t, u64 at, bool add)
{
	struct code_page **chain = chain_of(s->code, at), *p;

	for (p = *chain; p; p = p->next)
		if (p->at == at && p->pid == t->pid)
			return p;
	if (!add || s->code->n_pages == PAGES_MAX)
		return NULL;
	s->code->n_pages++;
	p = NEW(s->r->arena, struct code_page, 1);
	p->next = *chain;
	p->pid = t->pid;
	p->at = at;
	*chain = p;
	return p;
}

/* Do known bytes of the page differ from 'now' at offset 'off'? */
static bool has_changed(const struct code_page *p, u32 off, struct bytes now)
{
	size_t i;

	for (i = 0; i < now.len; i++)
		if (p->known[(off + i) / 8] >> (off + i) % 8 & 1 && p->bytes[off + i] != now.at[i])
			return true;
	return false;
}

/* Store the part of 'now' at 'ip' that is in the page, or in the first bytes of the next page. */
static void take_part(struct soft *s, const struct thread *t, struct code_page *p, u64 ip,
		      struct bytes now)
{
	struct code_file *f = s->code;
	u32 off, i;
	bool fresh;

	if (ip < p->at) {
		now = bytes_skip(now, MIN(p->at - ip, now.len));
		ip = p->at;
	}
	off = ip - p->at;
	now = bytes_first(now, sizeof(p->bytes) - off);
	fresh = !p->slot || has_changed(p, off, now);
	memcpy(p->bytes + off, now.at, now.len);
	for (i = off; i < off + now.len; i++)
		p->known[i / 8] |= 1 << i % 8;
	if (fresh) {
		p->slot = f->size;
		f->size += ROOM;
		put_head(f);
	}
	pwrite(f->fd, p->bytes, sizeof(p->bytes), p->slot);
	if (fresh)
		tell_page(s, t, p);
}

void trans_code(struct soft *s, const struct thread *t, u64 ip, struct bytes now)
{
	struct code_file *f = s->code ? s->code : open_code(s);
	u64 page;

	for (page = (ip - SOME) & -(u64)PAGE; f->fd >= 0 && page < ip + now.len; page += PAGE) {
		struct code_page *p = page_at(s, t, page, page + PAGE > ip);

		if (p)
			take_part(s, t, p, ip, now);
	}
}

void trans_code_again(struct soft *s, const struct thread *t, u64 start, u64 end)
{
	struct code_page *p;
	u32 i;

	for (i = 0; s->code && i < N_BUCKETS; i++)
		for (p = s->code->page[i]; p; p = p->next)
			if (p->pid == t->pid && p->slot && p->at < end && p->at + PAGE > start)
				tell_page(s, t, p);
}

void trans_code_gone(struct soft *s, const struct thread *t)
{
	struct code_page *p;
	u32 i;

	for (i = 0; s->code && i < N_BUCKETS; i++)
		for (p = s->code->page[i]; p; p = p->next)
			if (p->pid == t->pid)
				p->pid = 0;
}
