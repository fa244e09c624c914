/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Take over a process whose pt was killed: its threads still run in the cache of that pt's agent.
 *
 * All threads are stopped, leave the cache as at the end of a recording, and the agent is unmapped;
 * then pt attaches as usual. Nobody but the process has the memory that it shared with the old pt.
 * So t->slot is a copy: it is read from the process at each stop, and written before the agent runs
 * in the thread, and before the thread has its own registers again. For the agent there is still no
 * pt: nothing waits for this one, which may be killed like the old one. What the threads record
 * meanwhile is not used.
 *
 * 32-bit programs are refused: when a pt has died, their handlers may have interrupted the agent in
 * frames of the kernel that lack r8 to r15.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <pt/config/SOFT_FILTERS.h>
#include <pt/out.h>

#include "trans.h"

enum { PAGE = 4096, BLOB_MAX = 1 << 20 };

/* May it be the agent's code? The two places differ in one bit. */
static bool in_blob(u64 ip)
{
	return (ip | (AGENT_AT ^ AGENT_ELSE)) - AGENT_AT < BLOB_MAX;
}

static struct bytes blob_of(struct soft *s)
{
	if (!s->agent.len)
		s->agent = trans_blob(s->r->arena, false);
	return s->agent;
}

/* Is the agent's code in this memory? Also true if it is being unmapped at this moment. */
static bool is_blob(struct soft *s, int mem)
{
	struct bytes blob = blob_of(s);
	u64 at = trans_agent_at(mem);
	u8 part[PAGE];
	size_t i, n;

	for (i = 0; i < blob.len; i += n) {
		n = MIN(sizeof(part), blob.len - i);
		if (pread(mem, part, n, at + i) == (ssize_t)n &&
		    memcmp(part, blob.at + i, n))
			return false;
	}
	return true;
}

static const char *look_left(struct soft *s, int mem, i32 tid)
{
	if (!is_blob(s, mem))
		return "it still runs in the code cache of another version of pt, which was killed";
	if (soft_filters(tid) > soft_filters(getpid()) && (!CONFIG_SOFT_FILTERS || geteuid()))
		return "it still runs in the code cache of a pt that was killed, and limits its "
		       "system calls";
	return NULL;
}

const char *trans_look_left(struct soft *s, i32 tid, enum vm_left left)
{
	const char *why;
	int mem;

	if (left == LEFT_32)
		return "it is a 32-bit program, and still runs in the code cache of a pt that was "
		       "killed";
	mem = vm_open(tid);
	if (mem < 0)
		return NULL;
	why = look_left(s, mem, tid);
	close(mem);
	return why;
}

/* Is it code of a file? Neither the agent nor the cache is. */
static bool is_of_file(const struct vm *vm, u64 ip)
{
	const struct region *r = vm_region(vm, ip);

	return r && (r->ino || is_vdso(r));
}

/* The slot says that the thread runs its own code. */
static bool says_out(const struct agent_thread *slot)
{
	return !slot->inside && (slot->away || !slot->agent);
}

/* Does a handler that returns to 'ip' return to the agent, or to the cache? */
static bool is_ours(const struct tracee *t, u64 ip)
{
	const struct agent_head *head = trans_head(t);
	u64 off = ip - t->image->shared->blob;

	if (says_out(t->slot))		/* the last instructions, after agent_thread.inside = 0 */
		return off - head->restored < head->undefer - head->restored;
	return off < head->size || (!t->slot->away && !is_of_file(t->vm, ip));
}

/* The first frame of a handler in [from, to) that returns to the code that pt has put to 'place',
 * or if that is 0, to the agent or the cache; 0: there is none. */
static u64 find_frame(const struct tracee *t, u64 from, u64 to, u64 place)
{
	enum { G_RSP, G_RIP, G_FLAGS, G_SEGMENTS, N };	/* of a ucontext, as the kernel has it */
	u64 words[PAGE / 8], *g;
	ssize_t n;

	for (from &= -8ull; from < to; from += n - (N - 1) * 8) {
		n = pread(t->vm->mem, words, MIN(sizeof(words), to - from), from) & -8;
		for (g = words; (u8 *)(g + N) <= (u8 *)words + n; g++)
			if (g[G_SEGMENTS] << 16 == (u64)TRACEE_CODE_64 << 16 &&
			    g[G_FLAGS] >> 22 == 0 &&
			    (place ? g[G_RIP] - place < INJECT_CODE : is_ours(t, g[G_RIP])))
				return from + ((u8 *)g - (u8 *)words);
		if (n <= (N - 1) * 8)
			break;
	}
	return 0;
}

/* Is a SIGSEGV pending that is not blocked? The thread gets it as soon as it continues. (Compare
 * segv_is_pending() in trans_out.c.) */
bool trans_segv_is_due(const struct tracee *t)
{
	return target_status(t->tid, "\nSigPnd", 16) &
	       ~target_status(t->tid, "\nSigBlk", 16) & 1 << (SIGSEGV - 1);
}

/* The code of trans_inject.c sets the program's mask before its registers, so that a handler may
 * interrupt it if pt has died. (Frames that it has left look the same: they are not waited for
 * without end.) */
bool trans_is_between(struct tracee *t)
{
	enum { DEEP = 64 << 10, TRIES = 200 };
	u64 ip, place, sp;

	if (tracee_get(t->tid, &t->regs))
		return false;
	ip = tracee_ip(&t->regs);
	sp = t->regs.raw.rsp;
	place = trans_spare_place(t->vm);
	return (t->vm->left && trans_segv_is_due(t)) || (place && ip - place < INJECT_CODE) ||
	       (in_blob(ip) && (t->regs.raw.gs_base ^ ip) / AGENT_AREA) ||
	       (place && find_frame(t, sp, sp + DEEP, place) && t->tries++ < TRIES);
}

/* Is such a frame in use? Those that the thread has left by siglongjmp() are below its stack
 * pointer, or overwritten; but a frame on another stack may be in use. */
static bool has_frame(const struct tracee *t)
{
	enum { DEEP = 256 << 10, FRAME = 16 << 10, STACK = 8 << 20 };
	u64 sp = t->regs.raw.rsp, top = t->slot->regs.r[4], frame;

	if (find_frame(t, sp, sp + DEEP, 0))
		return true;
	frame = find_frame(t, top - FRAME, top, 0);
	return frame && sp - frame > STACK;
}

/* While a pt attaches or detaches, the kernel has the program's own handlers. If that pt dies, one
 * of them may interrupt the agent or the cache, and its thread has to return there. But it may also
 * leave the handler by siglongjmp(): then the slot says for ever what it said in the agent. */
enum trans_where trans_where(const struct tracee *t)
{
	const struct agent_thread *slot = t->slot;
	bool own = says_out(slot);

	if (trans_off(t) < trans_head(t)->size || (own && slot->agent && slot->segv))
		return WHERE_IN;
	if (!own && !slot->inside && !is_of_file(t->vm, tracee_ip(&t->regs)))
		return WHERE_IN;
	return has_frame(t) ? WHERE_ABOVE : WHERE_OUT;
}

static u64 slot_at(const struct image *image, u64 i)
{
	return image->at + image->shared->slots + i * image->shared->slot_size;
}

static bool read_slot(const struct image *image, int mem, u64 i, struct agent_thread *slot)
{
	return i < image->slots &&
	       pread(mem, slot, sizeof(*slot), slot_at(image, i)) == sizeof(*slot);
}

static u64 index_of(const struct image *image, u64 address)
{
	u64 off = address - slot_at(image, 0), size = image->shared->slot_size;

	return off % size ? ~0ULL : off / size;
}

/* The slot of a thread that makes another one, in slot 'child'. */
static i64 find_parent(const struct image *image, int mem, i32 tid, u64 child)
{
	struct agent_thread slot;
	u64 i;

	for (i = 0; i < image->shared->taken && read_slot(image, mem, i, &slot); i++)
		if (slot.tid == tid && slot.child == child)
			return i;
	return -1;
}

/* The slot of the stopped thread; -1: it has none. Its segment base is not always its own slot:
 *
 *	a thread that makes another one		it is the slot of the new one, which may have ended
 *						since, and whose slot may be another's by now
 *	a new thread				its own slot, which does not have its number yet
 *	a thread that the program's own code	the slot of its parent
 *	has made since the death of pt
 */
static i64 find_slot(const struct image *image, const struct tracee *t)
{
	u64 base = t->regs.raw.gs_base;
	i64 i = index_of(image, base);
	struct agent_thread slot;
	i32 tid = target_inner_tid(t->tid);

	if (!read_slot(image, t->vm->mem, i, &slot) || slot.self != base)
		return -1;
	if (slot.tid == tid)
		return i;
	if (!in_blob(tracee_ip(&t->regs)))
		return -1;
	base = find_parent(image, t->vm->mem, tid, i);
	return (i64)base < 0 && !slot.tid ? i : (i64)base;
}

/* A slot below 'i' that a thread without one can use; -1: there is none. The last slots are used
 * first, as by a pt that was killed while it took over. */
static i64 find_spare(const struct image *image, const struct tracee *t, i64 i)
{
	i32 tid = target_inner_tid(t->tid);
	struct agent_thread slot;

	while (--i >= 0 && read_slot(image, t->vm->mem, i, &slot))
		if (!slot.state || slot.tid == tid)
			return i;
	return -1;
}

void trans_fetch(struct tracee *t)
{
	pread(t->vm->mem, t->slot, sizeof(*t->slot), (uintptr_t)t->slot->self);
}

void trans_store(struct tracee *t)
{
	pwrite(t->vm->mem, t->slot, sizeof(*t->slot), (uintptr_t)t->slot->self);
}

static void use_slot(struct soft *s, struct image *image, struct tracee *t, u64 i)
{
	t->slot = NEW(s->r->arena, struct agent_thread, 1);
	read_slot(image, t->vm->mem, i, t->slot);
	t->image = image;
	image->users++;
}

void trans_note_out(struct tracee *t)
{
	trans_leave_agent(t);
	t->out = true;
	t->slot->away = 1;
	t->slot->inside = t->slot->deferred = 0;
	soft_make_again(t);
	tracee_set(t->tid, &t->regs);
	t->set_regs = false;
}

/* The thread uses slot 'i' from now on. */
static void use_spare(struct soft *s, struct image *image, struct tracee *t, u64 i)
{
	use_slot(s, image, t, i);
	*t->slot = (struct agent_thread){ .self = slot_at(image, i), .index = i,
		.shared = (void *)(uintptr_t)image->at, .state = SLOT_LIVE, .epoch = ~0u,
		.ring_start = (u8 *)(uintptr_t)slot_at(image, i) + AGENT_BLOCK,
		.ring = slot_at(image, i) + AGENT_BLOCK, .away = 1,
		.tid = target_inner_tid(t->tid) };
}

/* It has slot 'i'. When a pt dies while it attaches or detaches, threads continue in their own code
 * with the agent's segment base. */
static void take_slot(struct soft *s, struct image *image, struct tracee *t, u64 i)
{
	use_slot(s, image, t, i);
	t->limits |= t->slot->limits;
	t->given = trans_off(t) == trans_head(t)->trap;
	if (trans_where(t) == WHERE_OUT) {
		trans_note_out(t);
		return;
	}
	t->slot->asked = t->slot->refused = 0;
	trans_store(t);
}

/* If the parent's slot names no child, the parent runs its own code: see trans_where(). */
void trans_over_birth(struct soft *s, const struct tracee *parent, struct tracee *t)
{
	struct image *image = parent->image;
	i64 spare = image->slots;

	if (parent->slot->child) {
		use_slot(s, image, t, parent->slot->child);
		return;
	}
	spare = find_spare(image, t, spare);
	use_spare(s, image, t, MAX(spare, 0));
	trans_store(t);			/* it is read at the next stop */
}

/* The slots of all threads, or -errno. */
static int find_slots(const struct soft *s, const struct vm *vm, const struct image *image,
		      i64 *slots)
{
	struct tracee *t = NULL;
	i64 spare = image->slots;
	bool any = image->shared->space;

	while ((t = trans_next(s, vm, t))) {
		*slots = tracee_get(t->tid, &t->regs) ? -1 : find_slot(image, t);
		any |= *slots >= 0;
		if (*slots < 0) {
			spare = find_spare(image, t, spare);
			*slots = -1 - spare;
			if (spare < 0)
				return -ENOSPC;
		}
		slots++;
	}
	return any ? 0 : -ENOENT;
}

static struct image *image_of(struct soft *s, const struct tracee *t)
{
	struct image *image = trans_new_image(s, t);
	struct agent_shared *head = NEW(s->r->arena, struct agent_shared, 1);

	image->agent = blob_of(s);
	image->left = true;
	image->shared = head;
	image->at = trans_agent_at(t->vm->mem) + AGENT_SHARED;
	if (pread(t->vm->mem, head, sizeof(*head), image->at) == sizeof(*head) &&
	    head->version == AGENT_VERSION && head->slot_size > AGENT_BLOCK)
		image->slots = head->n_slots;
	else
		image->slots = 0;
	image->size = agent_size(head) + PAGE;
	return image;
}

int trans_take_over(struct soft *s, struct vm *vm)
{
	struct image *image = image_of(s, trans_next(s, vm, NULL));
	i64 *slots = NEW(s->r->arena, i64, vm->users), *at = slots;
	struct tracee *t = NULL;
	int err = vm->part ? -EBUSY : image->slots ? find_slots(s, vm, image, slots) : -ENOENT;

	if (err) {
		trans_drop_image(s, image);
		return err;
	}
	for (; (t = trans_next(s, vm, t)); at++) {
		if (*at >= 0) {
			take_slot(s, image, t, *at);
			continue;
		}
		use_spare(s, image, t, -1 - *at);
		trans_note_out(t);
	}
	return 0;
}

void trans_ask_close(struct tracee *t)
{
	struct agent_shared head;
	struct agent_space space;

	t->slot->agent = NULL;
	if (vm_read(t->vm, t->image->at, &head, sizeof(head)) && head.space &&
	    vm_read(t->vm, head.space, &space, sizeof(space)) && space.magic == AGENT_MAGIC)
		t->slot->agent = (struct agent *)(uintptr_t)head.space;
	t->slot->asked = AGENT_CLOSE;
}
