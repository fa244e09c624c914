/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The memory of traced processes, as exec.c sees it: pages read and written
 * back through process_vm_readv() and _writev().
 *
 * Those two mind the protection of pages, so what they refuse is left to the
 * processor, which will fault as it should. Memory that others see while they
 * run (shared mappings) is never read this way.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "soft.h"

static bool page_load(void *who, struct exec_page *p)
{
	struct soft *s = who;
	struct vm *vm = s->in;
	struct iovec here = { p->bytes, EXEC_PAGE };
	struct iovec there = { (void *)(uintptr_t)p->base, EXEC_PAGE };
	const struct region *r;

	if (vm->odd)
		return false;
	r = vm_region(vm, p->base);
	if (r && r->flags & MAP_SHARED)
		return false;
	return process_vm_readv(vm->pid, &here, 1, &there, 1, 0) == EXEC_PAGE;
}

/* Store what is there already: only the right to do it is wanted. */
static bool page_store(void *who, struct exec_page *p, u64 at)
{
	struct soft *s = who;
	struct iovec here = { p->bytes + (at & (EXEC_PAGE - 1)), 1 };
	struct iovec there = { (void *)(uintptr_t)at, 1 };

	return process_vm_writev(s->in->pid, &here, 1, &there, 1, 0) == 1;
}

/* The first bit from 'i' on that is 'set', or 4096. */
static unsigned int next_bit(const u64 *bits, unsigned int i, bool set)
{
	u64 flip = set ? 0 : ~0ULL;

	for (; i < EXEC_PAGE; i = (i | 63) + 1) {
		u64 word = (bits[i / 64] ^ flip) >> i % 64;

		if (word)
			return i + __builtin_ctzll(word);
	}
	return EXEC_PAGE;
}

static void page_flush(void *who, struct exec_page *p)
{
	enum { MOST = 64 };
	struct soft *s = who;
	struct iovec here[MOST], there[MOST];
	unsigned int i = 0, n = 0;

	while (i < EXEC_PAGE) {
		unsigned int start = next_bit(p->stored, i, true);

		i = next_bit(p->stored, start, false);
		if (start < EXEC_PAGE) {
			here[n] = (struct iovec){ p->bytes + start, i - start };
			there[n++] = (struct iovec){ (void *)(uintptr_t)(p->base + start),
						     i - start };
		}
		if (n && (n == MOST || i >= EXEC_PAGE)) {
			process_vm_writev(s->in->pid, here, n, there, n, 0);
			n = 0;
		}
	}
}

/* Code that only the kernel could change, by a call that vm_call() sees. */
static bool code_fixed(void *who, u64 ip)
{
	struct soft *s = who;
	const struct region *r = vm_region(s->in, ip);

	return r && !(r->prot & PROT_WRITE) && !(r->flags & MAP_SHARED);
}

static u32 load_vectors(void *who, u8 *state)
{
	struct soft *s = who;

	return tracee_vectors(s->in->pid, state);
}

static void store_vectors(void *who, const u8 *state, u32 n)
{
	struct soft *s = who;

	tracee_set_vectors(s->in->pid, state, n);
}

void memory_open(struct soft *s)
{
	exec_open(s->x);
	s->x->load_vectors = load_vectors;
	s->x->store_vectors = store_vectors;
	s->x->load = page_load;
	s->x->store = page_store;
	s->x->flush = page_flush;
	s->x->fixed = code_fixed;
	s->x->who = s;
}

void memory_enter(struct soft *s, const struct thread *t)
{
	struct vm *vm = t->vm;

	s->in = vm;
	vm->pid = t->tid;
	s->x->gen = vm->gen;
	s->x->maps = vm->maps;
	s->x->code = vm->code;
	s->x->n_vectors = 0;
}

void memory_changed(struct soft *s, struct vm *vm)
{
	vm->gen = ++s->epoch;
}

bool memory_read(struct vm *vm, u64 at, void *to, size_t n)
{
	return pread(vm->mem, to, n, at) == (ssize_t)n;
}
