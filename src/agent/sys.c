/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The agent's replacement for a libc: system calls, a lock, and the two functions that gcc calls
 * implicitly.
 */
#include <pt/config/SOFT_FILTERS.h>

#include "own.h"

enum { FUTEX_WAIT = 0, LOCK_SPINS = 64, LOCK_YIELDS = 16, LOCK_NS = 50000 };
enum { FEW = 128 };	/* bytes: below this, string instructions are slower than a loop */
enum { NR_YIELD = 24, NR_KILL = 62, NR_GETTID = 186, NR_VM_READ = 310, NR_VM_WRITE = 311 };
enum { NR_SIGPROCMASK = 14, UNKNOWN = 99, SIGSET = 8 };
enum { ESRCH = 3, EFAULT = 14, EINVAL = 22 };
enum { PRIVATE = 0x4022, SHARED = 0x4021, WRITE = 2, ENOSYS = 38 };

#define OWN (TRANSLATE_NARROW ? SYS_OWN_32 : OWN_MAPPED)
#define OWN_STEP (TRANSLATE_NARROW ? 0x100000ULL : 0x1000000ULL)
#define OWN_END (OWN + (TRANSLATE_NARROW ? 128 : 256) * OWN_STEP)

i64 sys_call(u64 nr, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f)
{
	register u64 r10 asm("r10") = d;
	register u64 r8 asm("r8") = e;
	register u64 r9 asm("r9") = f;
	i64 result;

	asm volatile("syscall" : "=a"(result)
		     : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
		     : "rcx", "r11", "memory");
	return result;
}

struct agent_thread *sys_self(void)
{
	struct agent_thread *t;

	if (TRANSLATE_NARROW)
		asm volatile("mov %%fs:%c1, %0" : "=r"(t) : "i"(T_SELF));
	else
		asm volatile("mov %%gs:%c1, %0" : "=r"(t) : "i"(T_SELF));
	return t;
}

i64 sys_try(u64 nr, u64 a, u64 b, u64 c, u64 d)
{
	if (CONFIG_SOFT_FILTERS && !TRANSLATE_NARROW && sys_traps(sys_self(), nr))
		return -ENOSYS;
	return sys_call(nr, a, b, c, d, 0, 0);
}

/* MAP_FIXED_NOREPLACE would do the same, but the filters of browsers do not know it. */
u64 sys_map_at(u64 at, u64 size, u64 prot)
{
	i64 got = sys_call(9, at, size, prot, prot & WRITE ? PRIVATE : SHARED, -1, 0);

	if (got < 0 && got > -4096)
		return 0;
	if ((u64)got != at) {
		sys_call(11, got, size, 0, 0, 0, 0);
		return 0;
	}
	return at;
}

/* Map memory far from where the kernel maps memory for the program, so that the program's
 * addresses do not change. */
void *sys_map(u64 size)
{
	u64 at, got;

	size = (size + PAGE - 1) & ~(u64)(PAGE - 1);
	for (at = OWN; at < OWN_END; at += OWN_STEP) {
		got = sys_map_at(at, size, 3);
		if (got)
			return (void *)got;
	}
	return NULL;
}

void sys_unmap(const void *at, u64 size)
{
	if (at)
		sys_call(11, (u64)at, (size + PAGE - 1) & ~(u64)(PAGE - 1), 0, 0, 0, 0);
}

/* A filter forbids the calls that copy memory. Another call shows whether memory may be accessed:
 * it reads a new signal mask before it refuses what it should do with that; or it writes the
 * mask. */
static COLD i64 copy_alone(u64 nr, const void *own, u64 at, u64 n)
{
	u64 page;

	for (page = at & -(u64)PAGE; page < at + n; page += PAGE)
		if (sys_call(NR_SIGPROCMASK, UNKNOWN, page, 0, SIGSET, 0, 0) != -EINVAL)
			return 0;
	if (nr == NR_VM_READ)
		memcpy((void *)own, (const void *)at, n);
	else if (sys_call(NR_SIGPROCMASK, 0, 0, at, SIGSET, 0, 0) ||
		 sys_call(NR_SIGPROCMASK, 0, 0, at + n - SIGSET, SIGSET, 0, 0))
		return 0;
	else
		memcpy((void *)at, own, n);
	return n;
}

/* Let the kernel copy to or from the program's memory, since that may be unmapped. Returns the
 * number of bytes, or -errno if the kernel has no such call. */
static i64 copy(u64 nr, const void *own, u64 at, u64 n)
{
	u64 here[2] = { (u64)own, n }, there[2] = { at, n };
	i64 got;

	if (CONFIG_SOFT_FILTERS && !TRANSLATE_NARROW &&
	    (sys_self()->limits & AGENT_MUTE || sys_traps(sys_self(), nr)))
		return copy_alone(nr, own, at, n);
	got = sys_call(nr, sys_call(NR_GETTID, 0, 0, 0, 0, 0, 0), (u64)here, 1, (u64)there,
			   1, 0);

	if (CONFIG_SOFT_FILTERS && !TRANSLATE_NARROW && got < 0 && got != -EFAULT)
		return copy_alone(nr, own, at, n);
	return got == -EFAULT ? 0 : got;
}

bool sys_read(void *to, u64 at, u64 n)
{
	i64 got = copy(NR_VM_READ, to, at, n);

	if (got < 0)
		memcpy(to, (const void *)at, n);
	return got < 0 || (u64)got == n;
}

u32 sys_peek(void *to, u64 at, u32 n)
{
	u32 first = MIN(n, PAGE - at % PAGE);
	i64 got = copy(NR_VM_READ, to, at, first), more = 0;

	if (got == first && n > first)
		more = copy(NR_VM_READ, (u8 *)to + first, at + first, n - first);
	return MAX(got, 0) + MAX(more, 0);
}

bool sys_write(u64 at, const void *from, u64 n)
{
	i64 got = copy(NR_VM_WRITE, from, at, n);

	if (got < 0)
		memcpy((void *)at, from, n);
	return got < 0 || (u64)got == n;
}

bool sys_equal(const u8 *a, const u8 *b, u32 n)
{
	for (; n > 8; a += 8, b += 8, n -= 8)
		if (get64(a) != get64(b))
			return false;
	while (n && *a++ == *b++)
		n--;
	return !n;
}

/* gcc calls these. */
void *memcpy(void *to, const void *from, size_t n)
{
	void *start = to;
	u8 *at = to;
	const u8 *bytes = from;

	if (n < FEW) {
		while (n--)
			*at++ = *bytes++;
		return start;
	}
	asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
	return start;
}

void *memset(void *to, int c, size_t n)
{
	void *start = to;
	u8 *at = to;

	if (n < FEW) {
		while (n--)
			*at++ = c;
		return start;
	}
	asm volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(c) : "memory");
	return start;
}

static void set_pkru(u32 pkru)
{
	asm volatile(".byte 0x0f, 0x01, 0xef" : : "a"(pkru), "c"(0), "d"(0) : "memory");
}

void sys_use_keys(struct agent *a)
{
	a->keys |= (a->shared->flags & AGENT_KEYS) != 0;
}

u32 sys_open_keys(const struct agent *a)
{
	u32 pkru = NO_KEYS, zero;

	if (a->keys) {
		asm volatile(".byte 0x0f, 0x01, 0xee" : "=a"(pkru), "=d"(zero) : "c"(0));
		set_pkru(0);
	}
	return pkru;
}

void sys_close_keys(u32 pkru)
{
	if (pkru != NO_KEYS)
		set_pkru(pkru);
}

void sys_read_code(const struct agent *a, void *to, u64 ip, u32 n)
{
	u32 pkru = sys_open_keys(a);

	memcpy(to, (const void *)ip, n);
	sys_close_keys(pkru);
}

COLD void sys_wait(u32 *word, u32 value, u64 ns)
{
	u64 time[2] = { 0, ns };

	sys_call(NR_FUTEX, (u64)word, FUTEX_WAIT, value, (u64)time, 0, 0);
}

COLD bool sys_is_dead(const struct agent_thread *t)
{
	return t->tid && t->pid_ns == sys_self()->pid_ns &&
	       sys_try(NR_KILL, t->tid, 0, 0, 0) == -ESRCH;
}

/* Thread 'by' waits for 'owner', which does not unlock if it was killed. pt would unlock, unless it
 * was killed, too: then a child by vfork() would wait for ever. */
static COLD void unlock_dead(struct agent *a, u32 owner, u32 by)
{
	if (MAX(owner, by) <= a->n_slots && sys_is_dead(agent_slot(a->shared, owner - 1)))
		__sync_bool_compare_and_swap(&a->in.lock, owner, 0);
}

/* A thread waits briefly as long as the owner seems to run. Then it sleeps: if it has a higher
 * priority (SCHED_FIFO), the owner can only run while it does. */
void agent_lock_by(struct agent *a, u32 owner)
{
	u32 i, other;

	for (i = 1; (other = __sync_val_compare_and_swap(&a->in.lock, 0, owner)); i++)
		if (i % LOCK_SPINS) {
			asm volatile("pause");
		} else if (i >= LOCK_YIELDS * LOCK_SPINS) {
			sys_wait(&a->in.lock, other, LOCK_NS);
			unlock_dead(a, other, owner);
		} else if (!a->mute) {
			sys_call(NR_YIELD, 0, 0, 0, 0, 0, 0);
		}
	a->pkru = sys_open_keys(a);
}

void agent_lock(struct agent *a)
{
	agent_lock_by(a, sys_self()->index + 1);
}

void agent_unlock(struct agent *a)
{
	/* Threads must leave the old epoch, for its memory. */
	bool crowded = a->n_old && !a->mute;

	sys_close_keys(a->pkru);
	__atomic_store_n(&a->in.lock, 0, __ATOMIC_RELEASE);
	if (crowded)
		sys_call(NR_YIELD, 0, 0, 0, 0, 0, 0);
}
