/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Take over a process whose pt was killed: its threads still run in the cache of that pt's agent.
 *
 * All threads are stopped. Nobody but the process has the memory that it shared with the old pt. It
 * is copied to a new one, which is mapped in its place; another process made by fork() keeps the
 * old one. From then on the process is like one that this pt has recorded: its threads leave the
 * cache, the agent is unmapped, and pt attaches as usual. What they record meanwhile is not used.
 *
 * pt may be killed here, too: the new memory is complete before it is mapped.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <pt/config/SOFT_FILTERS.h>
#include <pt/out.h>

#include "trans.h"

enum {
	PAGE = 4096,
	NR_CLOSE = 3, NR_MMAP = 9, NR_MEMFD_CREATE = 319,
	BEFORE = 4096, AFTER = 32 << 10,	/* of the ring, around its end */
	MORE = 64,		/* slots that threads may be taking */
};

/* What a pt left in a process. */
struct left {
	struct agent_shared head;
	u64 at;			/* of the shared memory */
	bool narrow;
};

static bool read_left(int mem, struct left *left)
{
	left->at = left->narrow ? AGENT_SHARED_AT_32 : AGENT_SHARED_AT;
	return pread(mem, &left->head, sizeof(left->head), left->at) == sizeof(left->head) &&
	       left->head.version == AGENT_VERSION && left->head.n_slots &&
	       left->head.slot_size > AGENT_BLOCK;
}

static struct bytes blob_of(struct soft *s, bool narrow)
{
	struct bytes *blob = narrow ? &s->agent_32 : &s->agent;

	if (!blob->len)
		*blob = trans_blob(s->r->arena, narrow);
	return *blob;
}

static bool is_blob(struct soft *s, int mem, bool narrow)
{
	struct bytes blob = blob_of(s, narrow);
	u8 part[PAGE];
	size_t i, n;

	for (i = 0; i < blob.len; i += n) {
		n = MIN(sizeof(part), blob.len - i);
		if (pread(mem, part, n, (narrow ? TRANS_BLOB_AT_32 : TRANS_BLOB_AT) + i) !=
		    (ssize_t)n || memcmp(part, blob.at + i, n))
			return false;
	}
	return true;
}

static const char *look_left(struct soft *s, int mem, i32 pid, bool narrow)
{
	if (!is_blob(s, mem, narrow))
		return "it still runs in the code cache of another version of pt, which was killed";
	if (soft_filters(pid) > soft_filters(getpid()) && (!CONFIG_SOFT_FILTERS || geteuid()))
		return "it still runs in the code cache of a pt that was killed, and limits its "
		       "system calls";
	return NULL;
}

const char *trans_look_left(struct soft *s, i32 pid, enum vm_left left)
{
	char path[32];
	const char *why;
	int mem;

	fmt_str(path, sizeof(path), "/proc/%d/mem", pid);
	mem = open(path, O_RDONLY | O_CLOEXEC);
	if (mem < 0)
		return NULL;
	why = look_left(s, mem, pid, left == LEFT_32);
	close(mem);
	return why;
}

/* Read the struct agent_thread of slot 'i'. */
static bool read_slot(const struct left *l, int mem, u64 i, struct agent_thread *slot)
{
	return i < l->head.n_slots &&
	       pread(mem, slot, sizeof(*slot), l->at + l->head.slots + i * l->head.slot_size) ==
	       sizeof(*slot);
}

static u64 index_of(const struct left *l, u64 address)
{
	u64 off = address - l->at - l->head.slots;

	return off % l->head.slot_size ? ~0ULL : off / l->head.slot_size;
}

/* The slot of the stopped thread; -1: it has none. While a thread makes another one, both have the
 * segment base of the new one. */
static i64 find_slot(const struct left *l, const struct tracee *t)
{
	u64 base = l->narrow ? t->regs.raw.fs_base : t->regs.raw.gs_base, i = index_of(l, base), by;
	i32 tid = target_inner_tid(t->tid);
	struct agent_thread slot, parent;

	if (!read_slot(l, t->vm->mem, i, &slot) || slot.self != base)
		return -1;
	by = index_of(l, slot.parent);
	if (slot.tid != tid && read_slot(l, t->vm->mem, by, &parent) && parent.tid == tid)
		i = by;
	return i;
}

/* Copy 'n' bytes at the address 'at'. */
static void copy(const struct image *image, int mem, u64 at, u64 n)
{
	pread(mem, (u8 *)image->shared + (at - image->at), n, at);
}

/* Copy a slot, with the part of its ring that may be in use. */
static void copy_slot(const struct image *image, int mem, const struct left *l, u64 i)
{
	u64 at = l->at + l->head.slots + i * l->head.slot_size, size = trans_ring(image), off, from;
	struct agent_thread *slot = agent_slot(image->shared, i);

	copy(image, mem, at, AGENT_BLOCK);
	off = slot->head % size;
	from = off > BEFORE ? off - BEFORE : 0;
	copy(image, mem, at + AGENT_BLOCK + from, MIN(off + AFTER, size) - from);
	slot->tail = slot->head;
	slot->asked = slot->refused = 0;
}

/* 't' runs its own code, and has no slot: it gets one. */
static void give_slot(struct soft *s, struct image *image, struct tracee *t)
{
	u32 i = image->shared->taken;

	while (i < image->slots - 1 && agent_slot(image->shared, i)->state)
		i++;
	image->shared->taken = i + 1;
	trans_take_slot(s, image, i, t);
	t->slot->ring = (uintptr_t)t->slot->ring_start;
	t->slot->away = 1;
}

/* Its registers are the program's. */
static void note_out(struct tracee *t)
{
	t->out = true;
	soft_make_again(t);
	tracee_set(t->tid, &t->regs);
	t->set_regs = false;
}

/* It has slot 'i'. When a pt dies while it attaches or detaches, threads go on in their own code
 * with the agent's segment base. */
static void take_slot(struct soft *s, struct image *image, struct tracee *t, u32 i)
{
	trans_take_slot(s, image, i, t);
	t->tail = t->slot->head;
	t->given = trans_off(t) == trans_head(t)->trap;
	if (trans_off(t) < trans_head(t)->size || (t->slot->agent &&
	    (!t->slot->away || t->slot->segv)))
		return;
	trans_leave_agent(t);
	note_out(t);
}

/* All threads get the slots that they have, or a new one. */
static void take_slots(struct soft *s, struct image *image, const struct left *l, struct vm *vm)
{
	struct tracee *t = NULL;
	i64 i;

	while ((t = trans_next(s, vm, t))) {
		i = find_slot(l, t);
		if (i >= 0) {
			take_slot(s, image, t, i);
		} else {
			give_slot(s, image, t);
			note_out(t);
		}
	}
}

static struct image *new_image(struct soft *s, const struct tracee *t, const struct left *l)
{
	struct image *image = trans_new_image(s, t);

	image->agent = blob_of(s, l->narrow);
	image->narrow = l->narrow;
	image->left = true;
	image->at = l->at;
	image->slots = l->head.n_slots;
	image->size = agent_size(&l->head) + PAGE;
	return image;
}

/* Fill in the new memory. */
static void copy_all(struct image *image, const struct left *l, int mem)
{
	struct agent_thread slot;
	u32 i;

	copy(image, mem, l->at, sizeof(l->head));
	for (i = 0; i < l->head.taken + MORE && i < image->slots; i++)
		if (read_slot(l, mem, i, &slot) && slot.state)
			copy_slot(image, mem, l, i);
	image->shared->owner = syscall(SYS_gettid);
	image->shared->flags |= AGENT_OVERRUN;		/* nobody reads it */
	image->shared->blocks = 0;
}

/* Make the new memory, and map it in the process of 't'. */
static int replace(struct soft *s, struct tracee *t, const struct left *l, struct image *image)
{
	struct inject_call make = { NR_MEMFD_CREATE, .args = { trans_name_at(t), MFD_CLOEXEC } };
	struct inject_call map[] = {
		{ NR_MMAP, .args = { l->at, agent_size(&l->head), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_FIXED } },
		{ NR_CLOSE },
	};
	struct tracee_regs after;
	i64 fd;
	int err = trans_make_calls(s, t, &make, 1, &after, "pt");

	image->shared = MAP_FAILED;
	if (err)
		return err;
	fd = inject_result(&after, 0);
	err = fd < 0 ? fd : trans_open_memory(image, t->tid, fd, -1);
	if (err)
		return err;
	copy_all(image, l, t->vm->mem);
	trans_add_image(s, image);
	map[0].args[4] = map[1].args[0] = fd;
	err = trans_make_calls(s, t, map, N_ELEM(map), &after, "");
	return err ? err : MIN(inject_result(&after, 0), 0);
}

/* 0: the threads can get slots; -ENOENT: none of them uses what the pt left, which was killed
 * before it let one in. */
static int look_at_threads(const struct soft *s, struct vm *vm, const struct left *l)
{
	struct tracee *t = NULL;
	u32 with = 0, without = 0;

	while ((t = trans_next(s, vm, t))) {
		if (tracee_get(t->tid, &t->regs))
			continue;
		if (find_slot(l, t) >= 0)
			with++;
		else
			without++;
	}
	return !with && !l->head.space ? -ENOENT :
	       without > l->head.n_slots - l->head.taken ? -ENOSPC : 0;
}

int trans_take_over(struct soft *s, struct vm *vm)
{
	struct tracee *first = trans_next(s, vm, NULL);
	struct left left = { .narrow = vm->left == LEFT_32 };
	int err = read_left(vm->mem, &left) ? look_at_threads(s, vm, &left) : -ENOENT;
	struct image *image;

	if (err)
		return err;
	image = new_image(s, first, &left);
	first->limits |= FILTER_NO_MEMFD;
	trans_suspend(first, true);
	image->users++;
	err = replace(s, first, &left, image);
	if (err != -ESRCH)
		trans_suspend(first, false);
	if (!err)
		take_slots(s, image, &left, vm);
	if (image->shared == MAP_FAILED)
		trans_drop_image(s, image);
	else
		trans_drop_user(s, image);
	return err;
}

void trans_find_agent(struct tracee *t)
{
	struct agent_space space;
	u64 at = t->image->shared->space;

	if (!t->slot->agent && at && vm_read(t->vm, at, &space, sizeof(space)))
		t->slot->agent = (struct agent *)(uintptr_t)at;
}
