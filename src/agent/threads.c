/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads and processes that the program makes.
 *
 * Each gets its own slot before it runs. The call is made with the child's %gs base, with which
 * both return; then the parent sets its own again. All signals are blocked in the meantime, since a
 * handler could not know whose slot %gs is.
 */
#include "own.h"

enum { NR_PRCTL_ARCH = 158, NR_CLONE = 56, NR_FORK = 57, NR_VFORK = 58, NR_CLONE3 = 435 };
enum { NR_GETTID = 186, NR_MREMAP = 25, NR_MUNLOCK = 150, NR_MLOCKALL = 151 };
enum { SET_GS = 0x1001, SET_FS = 0x1002 };
#define FLAGS (TRANSLATE_NARROW ? RBX : RDI)	/* of clone() */
enum { CLONE_VM = 0x100, CLONE_SIGHAND = 0x800, CLONE_UNTRACED = 0x800000 };
enum { EAGAIN = 11 };

static void set_gs(const struct agent_thread *t)
{
	if (!(t->shared->flags & AGENT_FSGSBASE))
		sys_call(NR_PRCTL_ARCH, TRANSLATE_NARROW ? SET_FS : SET_GS, t->self, 0, 0, 0, 0);
	else if (TRANSLATE_NARROW)
		asm volatile("wrfsbase %0" : : "r"(t->self));
	else
		asm volatile("wrgsbase %0" : : "r"(t->self));
}

/* Slots below 'taken' were used once; those above it have no memory yet. */
static void raise_taken(struct agent_shared *s, u32 n)
{
	u32 was = __atomic_load_n(&s->taken, __ATOMIC_RELAXED);

	while (was < n && !__atomic_compare_exchange_n(&s->taken, &was, n, false,
						       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		;
}

/* Take the slot of a thread that has ended. pt would free such a slot, but pt has ended, too. (Free
 * slots have no number, so another process cannot take a slot here between the two steps of
 * take_slot().) */
static bool take_left(struct agent_thread *t)
{
	i32 tid = __atomic_load_n(&t->tid, __ATOMIC_RELAXED);

	return sys_is_dead(t) &&
	       __atomic_compare_exchange_n(&t->tid, &tid, 0, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

static bool take_free(struct agent_thread *t)
{
	u32 is_free = SLOT_FREE;

	return __atomic_compare_exchange_n(&t->state, &is_free, SLOT_TAKEN, false,
					   __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static struct agent_thread *take_slot(const struct agent *a)
{
	struct agent_shared *s = a->shared;
	bool gone = agent_pt_is_gone(agent_slot(s, 0));
	u32 i;

	/* t->child 0 means none */
	for (i = 1; i < a->n_slots; i++) {
		struct agent_thread *t = agent_slot(s, i);

		if (take_free(t) || (gone && i < s->taken && take_left(t))) {
			t->index = i;
			t->tid = 0;
			raise_taken(s, i + 1);
			return t;
		}
	}
	return NULL;
}

/* Use an eighth of the limit for slots, as pt does if memory is limited when the program starts.
 * Processes that fork() made share the slots: those stay mapped there. */
void threads_limit(struct agent_thread *t, u64 limit)
{
	enum { NEXT = 2 };		/* another thread may be taking these */
	struct agent_shared *s = t->shared;
	struct agent *a = t->agent;
	u64 most = limit / 8 / s->slot_size;
	u32 n;

	agent_lock(a);
	if (REUSE)
		reuse_close(a);
	n = a->n_slots;
	most = MAX(most, agent_taken(a) + NEXT);
	if (most < n) {
		a->n_slots = most;
		sys_unmap(agent_slot(s, most), (n - most) * (u64)s->slot_size);
	}
	agent_unlock(a);
}

/* mlockall(): slots that are not in use would be given memory. They are not mapped meanwhile. */
COLD void threads_lock(struct agent_thread *t)
{
	struct agent_shared *s = t->shared;
	struct agent *a = t->agent;
	u64 size = (u64)agent_slot(s, a->n_slots) - (u64)s, used;
	u32 taken;

	agent_lock(a);
	taken = agent_taken(a);
	used = (u64)agent_slot(s, taken) - (u64)s;
	sys_unmap((u8 *)s + used, size - used);
	t->regs.r[RAX] = sys_call(NR_MLOCKALL, syscalls_arg(t, 0), 0, 0, 0, 0, 0);
	sys_try(NR_MUNLOCK, (u64)s, used, 0, 0);
	if (sys_try(NR_MREMAP, (u64)s, used, size, 0) < 0)
		a->n_slots = taken;
	agent_unlock(a);
}

static u64 clone_flags(const struct agent_thread *t)
{
	u64 flags = 0;

	switch (syscalls_number(t)) {
	case NR_CLONE:
		return syscalls_arg(t, 0);
	case NR_CLONE3:
		sys_read(&flags, syscalls_arg(t, 0), sizeof(flags));
		if (flags & CLONE_UNTRACED) {	/* see below; the program does not read it again */
			flags -= CLONE_UNTRACED;
			sys_write(syscalls_arg(t, 0), &flags, sizeof(flags));
		}
		return flags;
	}
	return syscalls_number(t) == NR_VFORK ? CLONE_VM : 0;
}

/* A child without memory or handlers of its own has a copy of the handlers in its slot. */
static void share_actions(const struct agent_thread *t, struct agent_thread *child, u64 flags)
{
	_Static_assert(sizeof(*t) <= PAGE, "struct agent_thread");
	child->actions = t->actions;
	if (!(flags & CLONE_SIGHAND) && (t->actions || flags & CLONE_VM))
		child->actions = memcpy((u8 *)child + PAGE, handlers_actions(t),
					sizeof(t->agent->actions));
}

u64 threads_clone(struct agent_thread *t, u64 ip)
{
	u64 flags = clone_flags(t);
	struct agent_thread *child;

	agent_lock(t->agent);		/* see threads_lock() */
	child = take_slot(t->agent);
	agent_unlock(t->agent);
	if (!child) {
		t->regs.r[RAX] = (u64)-EAGAIN;
		return 0;
	}
	ring_write(t, SLOW_OFF, ip, 0, 0);
	masks_block(t);
	child->self = (u64)child;
	child->agent = t->agent;
	child->shared = t->shared;
	child->ring_start = (u8 *)child + AGENT_BLOCK;
	child->base = child->head = child->tail = child->mapped = 0;
	child->ring = (u64)child->ring_start;
	child->parent = (u64)t;
	child->pid_ns = t->pid_ns;
	child->regs = t->regs;
	child->mask = t->mask;
	child->segv = t->segv;
	child->segv_came = 0;
	child->guarded = 0;
	child->deferred = 0;		/* not before the call */
	child->inside = 1;
	child->call_ip = child->back_ip = 0;
	child->regs.ip = ip + 2;
	if (!TRANSLATE_NARROW)
		child->regs.r[RCX] = ip + 2;
	child->asked = 0;
	child->limits = t->limits;
	child->gs = t->gs;
	child->epoch = ~0u;
	child->changes = 0;
	t->child = child->index;
	t->call_ip = ip + 2;
	t->regs.ip = ip;
	t->shares = child->shares = (flags & CLONE_VM) != 0;
	share_actions(t, child, flags);
	child->space = t->shares ? t->space :
		__atomic_add_fetch(&t->shared->spaces, 1, __ATOMIC_RELAXED);
	if (!t->shares)
		agent_lock(t->agent);
	/* pt must know of all threads in the cache. The call has the child's registers. */
	child->untraced = syscalls_number(t) == NR_CLONE ? flags & CLONE_UNTRACED : 0;
	child->regs.r[FLAGS] -= child->untraced;
	set_gs(child);
	return OWN_ENTRY(agent_make_clone);
}

/* In the parent, or after a failed call. */
u64 syscalls_cloned(struct agent_thread *t)
{
	struct agent_thread *child = agent_slot(t->shared, t->child);
	u64 ip = t->call_ip;

	set_gs(t);
	if (!t->shares)
		agent_unlock(t->agent);
	guard_end(t, false);
	if ((i64)t->regs.r[RAX] < 0)
		child->state = SLOT_FREE;
	t->child = 0;
	t->call_ip = 0;
	if (!TRANSLATE_NARROW)
		t->regs.r[RCX] = ip;
	ring_write(t, SLOW_ON, ip, 0, 0);
	return agent_at(t, ip);
}

u64 syscalls_child(struct agent_thread *t)
{
	if (!t->shares) {
		if (t->actions)
			memcpy(t->agent->actions, t->actions, sizeof(t->agent->actions));
		t->actions = NULL;
		t->agent->space = t->space;
		cache_forked(t->agent, t->regs.ip);
		guard_forked(t->agent);
		agent_unlock(t->agent);
	}
	t->tid = sys_call(NR_GETTID, 0, 0, 0, 0, 0, 0);
	if (t->tid == 1)
		t->pid_ns = t->index;	/* this begins a PID namespace */
	t->deferred = 1;
	t->inside = 1;
	t->regs.r[FLAGS] += t->untraced;
	if (!TRANSLATE_NARROW)
		t->regs.r[RCX] = t->regs.ip;
	return agent_continue(t);
}
