/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Address spaces of traced processes, and their records.
 *
 * Only the ranges of code of an address space are kept. They are read again from /proc after a
 * system call that may have changed them; new code is written to the file as MMAP2.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pt/config/SOFT_STEP_CODE.h>
#include <pt/config/SOFT_TRANSLATE.h>
#include <pt/config/SOFT_TRANSLATE_32.h>
#include <pt/host.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/target.h>

#include "record.h"
#include "trans.h"

enum { PR_NAME = 15, MISC_USER = 2 };

struct name {
	struct name *next;
	u32 len;
	char text[];
};

/* Keep each name once, since the same names come often. */
static const char *name_of(struct soft *s, const char *text, size_t len)
{
	struct name **chain, *n;
	u8 hash = len;
	size_t i;

	for (i = 0; i < len; i++)
		hash = hash * 31 + text[i];
	chain = &s->names[hash];
	for (n = *chain; n; n = n->next)
		if (n->len == len && !memcmp(n->text, text, len))
			return n->text;
	n = arena_alloc(s->r->arena, sizeof(*n) + len + 1);
	n->len = len;
	memcpy(n->text, text, len);
	n->next = *chain;
	*chain = n;
	return n->text;
}

/* A record about memory, a new process or program is being written: see trans_code.c. */
static void note_change(struct soft *s)
{
	s->changed = MAX(s->changed, s->when ? s->when : host_tsc());
}

static struct perf_stamp stamp_of(struct soft *s, const struct tracee *t, bool change)
{
	struct perf_stamp stamp = { t->pid, t->tid, soft_now(s), SOFT_SIDE_BAND_ID, -1 };

	/* Not before the record: a child that makes code at once would have it before its FORK. */
	if (change)
		note_change(s);
	return stamp;
}

void soft_write_map(struct soft *s, i32 pid, i32 tid, const struct region *r)
{
	struct perf_stamp stamp = { pid, tid, soft_now(s), SOFT_SIDE_BAND_ID, -1 };
	struct perf_mmap m = {
		.pid = pid, .tid = tid, .start = r->start, .len = r->end - r->start,
		.pgoff = r->pgoff, .maj = r->maj, .min = r->min, .ino = r->ino,
		.prot = r->prot, .flags = r->flags, .name = r->name,
	};

	perf_write_mmap(&s->r->w, MISC_USER, &m, &stamp);
}

void soft_write_comm(struct soft *s, const struct tracee *t, bool exec)
{
	struct perf_stamp stamp = stamp_of(s, t, exec);
	char comm[16];
	struct perf_comm c = { t->pid, t->tid, exec, comm };

	if (target_comm(t->tid, comm, sizeof(comm)) >= 0)
		perf_write_comm(&s->r->w, &c, &stamp);
}

void soft_write_task(struct soft *s, u32 type, const struct tracee *t, i32 ppid, i32 ptid)
{
	struct perf_stamp stamp = stamp_of(s, t, t->tid == t->pid);
	struct perf_task task = { t->pid, ppid, t->tid, ptid, stamp.time };

	perf_write_task(&s->r->w, type, &task, &stamp);
}

/* Read a whole file in /proc, whose length is not known in advance; "" if there is none. */
static void slurp(struct soft *s, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n = 0;

	do {
		len += n;
		if (s->text_size - len < 4096) {
			size_t more = MAX(2 * s->text_size, (size_t)64 << 10);

			s->text = arena_grow(s->r->arena, s->text, 1, s->text_size, more);
			s->text_size = more;
		}
		n = read(fd, s->text + len, s->text_size - len - 1);
	} while (n > 0);
	close(fd);
	s->text[len] = 0;
}

static struct region *room_for(struct soft *s, struct region *list, u32 n, u32 *room)
{
	u32 more = MAX(2 * *room, 32u);

	if (n < *room)
		return list;
	list = arena_grow(s->r->arena, list, sizeof(*list), *room, more);
	*room = more;
	return list;
}

static struct region region_of(struct soft *s, const struct perf_mmap *m)
{
	const char *end = m->name + strlen(m->name);

	return (struct region){
		.start = m->start, .end = m->start + m->len, .pgoff = m->pgoff, .ino = m->ino,
		.name = name_of(s, m->name, end - m->name), .maj = m->maj, .min = m->min,
		.prot = m->prot, .flags = m->flags,
		/* "NAME (deleted)", or mounted nowhere */
		.deleted = end[-1] == ')' || end[-1] == '/',
	};
}

static u32 read_maps(struct soft *s, i32 pid)
{
	char path[32], *line, *end;
	struct perf_mmap m;
	u32 n = 0;

	fmt_str(path, sizeof(path), "/proc/%d/maps", pid);
	slurp(s, path);
	for (line = s->text; (end = strchr(line, '\n')); line = end + 1) {
		*end = 0;
		if (record_map(line, &m) && m.prot & PROT_EXEC && (i64)m.start >= 0) {
			s->fresh = room_for(s, s->fresh, n, &s->room_fresh);
			s->fresh[n++] = region_of(s, &m);
		}
		*end = '\n';
	}
	return n;
}

const struct region *vm_region(const struct vm *vm, u64 at)
{
	u32 lo = 0, hi = vm->n_regions;

	while (lo < hi) {
		u32 mid = (lo + hi) / 2;

		if (vm->regions[mid].end <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < vm->n_regions && vm->regions[lo].start <= at ? &vm->regions[lo] : NULL;
}

static bool was_there(const struct vm *vm, const struct region *r)
{
	const struct region *old = vm_region(vm, r->start);

	return old && !old->untold && !memcmp(old, r, offsetof(struct region, prot));
}

/* Does trans_code.c write its code? That is in no file ("//anon"), or may be written by others, or
 * its file is deleted. */
static bool is_written_elsewhere(const struct tracee *t, const struct region *r)
{
	return CONFIG_SOFT_TRANSLATE && (CONFIG_SOFT_STEP_CODE || t->image) &&
	       ((!r->ino && *r->name == '/') || r->flags == MAP_SHARED || r->deleted);
}

bool soft_is_made(const struct tracee *t, u64 ip)
{
	const struct region *r = vm_region(t->vm, ip);

	return r && (r->ino ? is_written_elsewhere(t, r) : !is_vdso(r));
}

bool soft_in_no_file(const struct tracee *t, u64 ip)
{
	const struct region *r = vm_region(t->vm, ip);

	if (!r || !r->ino)
		return r && !is_vdso(r);
	return r->flags == MAP_SHARED || r->prot & PROT_WRITE || r->deleted ||
	       (ip >= t->vm->from && ip < t->vm->to);
}

static void set_regions(struct soft *s, struct vm *vm, const struct region *list, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		vm->regions = room_for(s, vm->regions, i, &vm->room_regions);
		vm->regions[i] = list[i];
	}
	vm->n_regions = n;
}

static void tell(struct soft *s, const struct tracee *t, const struct region *r)
{
	if (CONFIG_SOFT_TRANSLATE)
		trans_file_map(s, t, r);
	else
		soft_write_map(s, t->pid, t->tid, r);
	if (CONFIG_SOFT_TRANSLATE_32 && is_vdso(r))
		trans_code_vdso(s, t, r);
}

void vm_load(struct soft *s, struct vm *vm, const struct tracee *t, u64 at, u64 len)
{
	u32 n = read_maps(s, t->tid), i;
	struct region *r;

	for (r = s->fresh, i = 0; i < n; r++, i++) {
		if (was_there(vm, r) || is_written_elsewhere(t, r))
			continue;
		r->untold = r->ino && (r->start >= at + len || r->end <= at);
		if (r->untold)
			continue;
		if (CONFIG_SOFT_STEP_CODE)
			soft_flush(s);	/* code that was recorded before */
		note_change(s);
		tell(s, t, r);
		if (CONFIG_SOFT_TRANSLATE)
			trans_code_again(s, t, r->start, r->end);
	}
	set_regions(s, vm, s->fresh, n);
}

void vm_tell_all(struct soft *s, u64 tsc)
{
	const struct region *r;
	struct tracee *t = NULL;

	s->when = tsc;
	while ((t = tracee_next(s, t))) {
		if (!t->vm)
			continue;
		soft_write_comm(s, t, false);
		if (t->pid != t->tid && tracee_find(s, t->pid))
			continue;
		for (r = t->vm->regions; r < t->vm->regions + t->vm->n_regions; r++)
			if (!r->untold && !is_written_elsewhere(t, r))
				tell(s, t, r);
		if (CONFIG_SOFT_TRANSLATE)
			trans_code_again(s, t, 0, -1ull);
	}
	s->when = 0;
}

void vm_find_changed(struct vm *vm, i32 pid)
{
	enum { OF_FILE = 61, HAS_PAGE = 62, PAGE = 4096, SOME = 512 };	/* bits of a page */
	const struct region *r = vm->regions, *end = r + vm->n_regions;
	u64 pages[SOME], at;
	char path[32];
	ssize_t n;
	int fd;

	fmt_str(path, sizeof(path), "/proc/%d/pagemap", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	for (; fd >= 0 && r < end; r++)
		for (at = r->start, n = 0; r->ino && at < r->end; at += PAGE, n++) {
			if (n % SOME == 0)
				memset(pages, 0, sizeof(pages));
			if (n % SOME == 0 && pread(fd, pages, sizeof(pages), at / PAGE * 8) < 8)
				break;
			if (!(pages[n % SOME] >> HAS_PAGE) || pages[n % SOME] >> OF_FILE & 1)
				continue;
			vm->from = MIN(vm->from - !vm->to, at);
			vm->to = MAX(vm->to, at + PAGE);
		}
	close(fd);
}

static bool overlaps(const struct vm *vm, u64 start, u64 len)
{
	u32 i;

	for (i = 0; i < vm->n_regions; i++)
		if (vm->regions[i].start < start + len && start < vm->regions[i].end)
			return true;
	return false;
}

/* Thread 't' has made the system call t->call: apply its effect on maps. */
void vm_call(struct soft *s, struct tracee *t, i64 result)
{
	struct vm *vm = t->vm;
	const u64 *a = t->args;
	bool failed = result < 0 && result >= -4095;

	switch (t->call) {
	case CALL_MAP:
		if (!failed && (a[2] & PROT_EXEC || overlaps(vm, result, a[1])))
			vm_load(s, vm, t, VM_ALL);
		return;
	case CALL_PROTECT:
		if (CONFIG_SOFT_STEP_CODE && a[2] & PROT_WRITE && overlaps(vm, a[0], a[1])) {
			vm->from = MIN(vm->from - !vm->to, a[0]);
			vm->to = MAX(vm->to, a[0] + a[1]);
		}
		/* fall through */
	case CALL_UNMAP:
		if ((t->call == CALL_PROTECT && a[2] & PROT_EXEC) || overlaps(vm, a[0], a[1]))
			vm_load(s, vm, t, VM_ALL);
		return;
	case CALL_REMAP:
		vm_load(s, vm, t, VM_ALL);
		return;
	case CALL_NAME:
		if (a[0] == PR_NAME)
			soft_write_comm(s, t, false);
		return;
	}
}

int vm_open(i32 tid)
{
	char path[32];

	fmt_str(path, sizeof(path), "/proc/%d/mem", tid);
	return open(path, O_RDWR | O_CLOEXEC);
}

struct vm *vm_new(struct soft *s, i32 pid)
{
	struct vm *vm = s->free_vms;
	struct vm kept = { 0 };

	if (vm) {
		kept = *vm;
		s->free_vms = vm->next;
	} else {
		vm = NEW(s->r->arena, struct vm, 1);
	}
	*vm = (struct vm){ .regions = kept.regions, .room_regions = kept.room_regions };
	vm->mem = vm_open(pid);
	return vm;
}

struct vm *vm_copy(struct soft *s, const struct vm *of, i32 pid)
{
	struct vm *vm = vm_new(s, pid);

	vm->from = of->from;
	vm->to = of->to;
	set_regions(s, vm, of->regions, of->n_regions);
	return vm;
}

void vm_drop(struct soft *s, struct vm *vm)
{
	if (--vm->users)
		return;
	if (vm->mem >= 0)
		close(vm->mem);
	vm->next = s->free_vms;
	s->free_vms = vm;
}

bool vm_read(const struct vm *vm, u64 at, void *to, size_t n)
{
	return pread(vm->mem, to, n, at) == (ssize_t)n;
}
