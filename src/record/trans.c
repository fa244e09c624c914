/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt's side of translated threads: the shared memory and the rings.
 *
 * Data from the other side are not trusted: positions are checked, and each value is read once.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <pt/config/PROGRESS.h>
#include <pt/config/SOFT_AGAIN.h>
#include <pt/config/SOFT_FILTERS.h>
#include <pt/config/SOFT_TRANSLATE_32.h>
#include <pt/host.h>
#include <pt/num.h>
#include <pt/text.h>
#include <pt/textfile.h>

#include "trans.h"

enum {
	PAGE = 4096,
	SMALL = 256 << 20,		/* a limit of memory that lets the agent use little */
	GROUPS_LESS = 20 << 20,		/* by which limits of control groups may be less */
	TEXT = 4096,
	MUCH = 64 << 10,		/* bytes of records that are worth an AUXTRACE record */
};

static u64 slot_size(const struct image *image)
{
	return AGENT_BLOCK + trans_ring(image);
}

/* Packets to the file. */

static struct tracee *thread_of(struct trans_pack *p)
{
	return (struct tracee *)((u8 *)p - offsetof(struct tracee, pack));
}

static void take_code(struct soft *s, const struct tracee *t, const struct agent_slow *slow,
		      const u8 *words)
{
	u64 ip = get64(words), skip = slow->more & AGENT_AFTER ? -ip % PAGE : 0;
	struct bytes now = { words + 8, MIN(slow->more & AGENT_SIZE, 8u * (slow->words - 2)) };

	trans_code(s, t, ip + skip, bytes_skip(now, MIN(skip, now.len)),
		   slow->more & AGENT_WITHIN);
}

void trans_side_band(void *who, struct trans_pack *p, const struct agent_slow *slow,
		     const u8 *words)
{
	struct soft *s = who;
	struct tracee *t = thread_of(p);
	u64 outer = s->when;	/* vm_load() may come here for other threads */

	s->when = p->tsc;
	if (slow->kind == SLOW_NAME)
		soft_write_comm(s, t, false);
	else if (slow->kind == SLOW_CODE)
		take_code(s, t, slow, words);
	else if (slow->kind == SLOW_MAP) {
		u64 at = get64(words), len = get64(words + 8);

		/* What is there after munmap() was mapped by another thread, which records when. */
		vm_load(s, t->vm, t, at, slow->more == AGENT_UNMAPPED ? 0 : len);
		if (slow->more & AGENT_UNMAPPED)
			trans_code_unmapped(s, t, at, len);
	}
	s->when = outer;
}

/* Memory. */

/* Link the robust futexes: the kernel marks every futex of this list when pt dies. */
static void link_owners(struct soft *s)
{
	struct image *image;
	u64 *link = (u64 *)&s->owners.list.next;

	s->owners.futex_offset = offsetof(struct agent_shared, owner) -
		offsetof(struct agent_shared, owner_link);
	for (image = s->images; image; image = image->next) {
		*link = (u64)(uintptr_t)&image->shared->owner_link;
		link = &image->shared->owner_link;
	}
	*link = (u64)(uintptr_t)&s->owners.list;
	syscall(SYS_set_robust_list, &s->owners, sizeof(s->owners));
}

/* Does a PUSH of a segment in 32-bit code leave the upper half of its 4 bytes as it is? It does on
 * "recent" processors of Intel (SDM volume 2, "PUSH"); others write 0. (The agent cannot find out:
 * CPUID may be forbidden in the program.) */
static bool pushes_halves(void)
{
	char name[HOST_NAME];

	host_cpuid(name);
	return *name == 'G';		/* GenuineIntel */
}

void trans_prepare(struct soft *s, struct image *image, u64 blob_at)
{
	struct agent_shared *shared = image->shared;

	shared->n_slots = image->slots;
	shared->ring_size = trans_ring(image);
	shared->slot_size = slot_size(image);
	shared->slots = PAGE;
	shared->blob = blob_at;
	shared->blob_size = image->agent.len;
	shared->flags = (s->r->pt_config & PT_CFG_NORETCOMP ? AGENT_NOCALLS : 0) |
		(s->r->pt_config & PT_CFG_PTW ? AGENT_PTWRITE : 0) |
		(image->slots * slot_size(image) < SMALL / 8 || image->data < SMALL ?
			AGENT_SMALL : 0) |
		(trans_has_fsgsbase() ? AGENT_FSGSBASE : 0) | (s->keys ? AGENT_KEYS : 0) |
		(CONFIG_SOFT_TRANSLATE_32 && pushes_halves() ? AGENT_HALVES : 0);
	/* Records are about twice as long as their packets. */
	shared->psb_every = 4096u << (s->r->pt_config >> PT_CFG_PSB_PERIOD & 15);
	shared->owner = syscall(SYS_gettid);
	shared->tsc_hz = s->info.max_nonturbo * 100000000ull;
	shared->beat = host_tsc();
	__atomic_store_n(&shared->version, AGENT_VERSION, __ATOMIC_RELEASE);
}

void trans_put_maps(struct soft *s, struct tracee *t)
{
	size_t room = trans_ring(t->image) - 1;
	u8 *ring = (u8 *)t->slot + AGENT_BLOCK;

	if (s->text)
		memcpy(ring, s->text, MIN(strlen(s->text) + 1, room));
}

void trans_take_slot(struct soft *s, struct image *image, u32 i, struct tracee *t)
{
	struct agent_thread *slot = agent_slot(image->shared, i);

	if (slot->state == SLOT_FREE)	/* else the agent made it, for a child */
		*slot = (struct agent_thread){
			.self = image->at + ((u8 *)slot - (u8 *)image->shared),
			.shared = (void *)(uintptr_t)image->at, .index = i, .epoch = ~0u,
			.tid = target_inner_tid(t->tid) };
	slot->ring_start = (u8 *)(uintptr_t)slot->self + AGENT_BLOCK;
	slot->state = SLOT_LIVE;
	slot->limits = t->limits;
	t->slot = slot;
	t->image = image;
	image->users++;
	trans_pack_open(s, t);
	t->pack.side_band = trans_side_band;
	t->tail = 0;
}

static void drop_image(struct soft *s, struct image *image)
{
	struct image **at = &s->images;

	if (--image->users)
		return;
	if (CONFIG_SOFT_AGAIN && image->left) {
		trans_drop_image(s, image);
		return;
	}
	s->ended_blocks += image->shared->blocks;
	/* Threads that still run there must not wait for pt, which no longer reads. */
	__atomic_fetch_or(&image->shared->owner, FUTEX_OWNER_DIED, __ATOMIC_RELEASE);
	while (*at != image)
		at = &(*at)->next;
	*at = image->next;
	link_owners(s);
	munmap(image->shared, image->size);
	image->next = s->free_images;
	s->free_images = image;
}

/* A limit of a process. Without CAP_SYS_RESOURCE, that of another user is only in a file. */
static u64 limit_of(i32 pid, int resource, const char *name)
{
	struct rlimit limit;
	char text[TEXT];
	const char *at;
	u64 bytes;

	if (!prlimit(pid, resource, NULL, &limit))
		return limit.rlim_cur;
	if (textfile_readf(text, TEXT, "/proc/%d/limits", pid) > 0) {
		at = text_after(text, name);
		if (at && num_read(at + strspn(at, " "), 10, &bytes))
			return bytes;
	}
	return RLIM_INFINITY;
}

/* Where memory is limited (ulimit -v), use an eighth of it. Shared memory is a file, whose size may
 * be limited, too (ulimit -f). */
static u32 slots_of(const struct image *image, i32 pid)
{
	u32 most = trans_is_narrow(image) ? AGENT_SLOTS_32 : AGENT_SLOTS;
	u64 size = MIN(limit_of(pid, RLIMIT_AS, "Max address space") / 8,
		       limit_of(0, RLIMIT_FSIZE, "") - 2 * PAGE);

	return MAX(MIN(size / slot_size(image), most), 1);
}

/* The memory that its control groups leave to a process: their limits, less what they have used.
 * Files in memory do not count. In a container, the path may be that of the host.
 *
 * Source: Linux, Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/memory.rst. */
static u64 room_in_groups(i32 pid)
{
	char group[TEXT], text[TEXT], *end = NULL;
	u64 room = 1ull << 62, most, used;
	const char *at, *number;
	bool old;

	if (textfile_readf(group, TEXT, "/proc/%d/cgroup", pid) <= 0)
		return room;
	at = text_after(group, ":memory:");
	old = at;
	if (!old)
		at = text_after(group, "0::");
	if (at)
		end = strchr(at, '\n');
	for (; end; end = memrchr(at, '/', end - at)) {
		*end = 0;
		if (textfile_readf(text, TEXT, "/sys/fs/cgroup%s%s/memory.%s", old ? "/memory" : "",
				   at, old ? "limit_in_bytes" : "max") <= 0 ||
		    !num_read(text, 10, &most) ||
		    textfile_readf(text, TEXT, "/sys/fs/cgroup%s%s/memory.stat",
				   old ? "/memory" : "", at) <= 0)
			continue;
		number = text_after(text, old ? "total_rss " : "anon ");
		if (number && num_read(number, 10, &used))
			room = MIN(room, most - MIN(most, used));
	}
	return room;
}

struct image *trans_new_image(struct soft *s, const struct tracee *t)
{
	struct image *image = s->free_images;
	struct tracee_regs regs;

	if (image)
		s->free_images = image->next;
	else
		image = NEW(s->r->arena, struct image, 1);
	*image = (struct image){ .agent = s->agent };
	if (CONFIG_SOFT_TRANSLATE_32 && !tracee_get(t->tid, &regs) &&
	    tracee_mode(&regs) == INSN_32) {
		if (!s->agent_32.len)
			s->agent_32 = trans_blob(s->r->arena, true);
		image->agent = s->agent_32;
		image->narrow = true;
	}
	image->slots = slots_of(image, t->pid);
	image->data = MIN(limit_of(t->pid, RLIMIT_DATA, "Max data size"),
			  room_in_groups(t->pid) + GROUPS_LESS);
	/* One page more than in the program, since trans_pack() may read eight bytes after a
	 * ring. */
	image->size = PAGE + image->slots * slot_size(image) + PAGE;
	return image;
}

void trans_add_image(struct soft *s, struct image *image)
{
	image->next = s->images;
	s->images = image;
	link_owners(s);
}

void trans_drop_image(struct soft *s, struct image *image)
{
	image->next = s->free_images;
	s->free_images = image;
}

int trans_begin(struct soft *s, struct tracee *t)
{
	struct image *image = trans_new_image(s, t);
	int err = trans_inject(s, t, image);

	if (err) {
		trans_drop_image(s, image);
		if (err != -ESRCH)
			trans_say_steps(s, t, err == -ENOEXEC ? AGENT_BITS :
					CONFIG_SOFT_FILTERS && err != -ENOMEM && t->limits ?
					AGENT_FILTER : err == -EACCES ? AGENT_DENIED :
					AGENT_MEMORY);
		return err;
	}
	trans_add_image(s, image);
	trans_put_maps(s, t);
	trans_put_regs(t);
	trans_enter(t, trans_head(t)->start);
	return 0;
}

void trans_birth(struct soft *s, struct tracee *parent, struct tracee *t)
{
	u32 i = __atomic_load_n(&parent->slot->child, __ATOMIC_ACQUIRE);

	if (CONFIG_SOFT_AGAIN && parent->image->left) {
		trans_over_birth(s, parent, t);
		return;
	}
	if (i && i < parent->image->slots)
		trans_take_slot(s, parent->image, i, t);
	parent->slot->child = 0;
	/* The child inherits code that the parent has made. That code may still be in the ring. */
	if (!s->code && t->pid != parent->pid)
		trans_take(parent, true);
	trans_code_forked(s, parent, t);
}

void trans_adopt(struct soft *s, struct tracee *t)
{
	const struct user_regs_struct *r = &t->regs.raw;
	struct agent_thread slot;
	struct image *image;

	tracee_get(t->tid, &t->regs);
	for (image = s->images; image; image = image->next)
		if (vm_read(t->vm, trans_is_narrow(image) ? r->fs_base : r->gs_base, &slot,
			    sizeof(slot)) && slot.index < image->slots &&
		    !memcmp(&slot, agent_slot(image->shared, slot.index), sizeof(slot))) {
			trans_take_slot(s, image, slot.index, t);
			break;
		}
}

/* Records in the rings */

/* Give back the pages of the ring that end at the position 'to' or below, where 'from' was read
 * before: the rings of many threads would take too much memory. */
static void give_back(const struct tracee *t, u64 from, u64 to)
{
	u64 at = from & -(u64)PAGE, n = (to & -(u64)PAGE) - at;

	if (t->image->users > AGENT_CROWD && n)
		madvise((u8 *)t->slot + AGENT_BLOCK + at % trans_ring(t->image), n, MADV_REMOVE);
}

/* Convert the records from t->tail to 'head', one quarter at a time. */
static void take(struct tracee *t, u64 head)
{
	const u8 *ring = (const u8 *)t->slot + AGENT_BLOCK;
	u64 size = trans_ring(t->image), quarter = size / 4, border, n;
	bool pad = true;

	while (t->tail < head) {
		border = (t->tail / quarter + 1) * quarter;
		n = trans_pack(&t->pack, (struct bytes){ ring + t->tail % size,
							 MIN(border, head) - t->tail }, &pad);
		if (!n && !pad)
			break;
		n = pad ? border : t->tail + n;
		give_back(t, t->tail, n);
		t->tail = n;
		__atomic_store_n(&t->slot->tail, t->tail, __ATOMIC_SEQ_CST);
	}
	if (__atomic_load_n(&t->slot->waits, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, &t->slot->tail, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Convert all records; trans_pack_flush() follows. Returns how many bytes they have. */
static u64 take_all(struct tracee *t)
{
	u64 head = __atomic_load_n(&t->slot->head, __ATOMIC_ACQUIRE), n = head - t->tail;

	if (n > trans_ring(t->image))	/* the program has overwritten 'head' */
		t->tail = head - trans_ring(t->image);
	take(t, head);
	return n;
}

bool trans_take(struct tracee *t, bool all)
{
	u64 n = __atomic_load_n(&t->slot->head, __ATOMIC_RELAXED) - t->tail;

	if (CONFIG_SOFT_AGAIN && t->image->left)
		return false;
	if (!n || (n < MUCH && !all && !__atomic_load_n(&t->slot->hurry, __ATOMIC_RELAXED)))
		return false;
	__atomic_store_n(&t->slot->hurry, 0, __ATOMIC_RELAXED);
	n = take_all(t);
	trans_pack_flush(&t->pack);
	return n > MUCH;
}

/* What recording costs the program, measured on ten programs (Zen 3): 0.5 ns for a branch that is a
 * bit, with its part of calls and returns; 8 ns for one with an address; and 3.5 us for translating
 * a block, which is mostly cache misses. */
static void count_branches(struct record_result *res, u64 bits, u64 tips, u64 blocks)
{
	res->branches = bits + tips;
	res->recording_ns = bits / 2 + tips * 8 + blocks * 3500;
}

bool trans_poll(struct soft *s, bool all)
{
	struct image *image;
	u64 bits = s->ended_bits, tips = s->ended_tips, blocks = s->ended_blocks;
	struct tracee *t = NULL;
	bool more = false;

	for (image = s->images; image; image = image->next) {
		__atomic_store_n(&image->shared->beat, host_tsc(), __ATOMIC_RELAXED);
		blocks += image->shared->blocks;
	}
	while ((t = tracee_next(s, t)))
		if (t->slot) {
			more |= trans_take(t, all);
			bits += t->pack.n_bits;
			tips += t->pack.n_tips;
			trans_look_refused(s, t);
		}
	if (CONFIG_PROGRESS)
		count_branches(&s->r->result, bits, tips, blocks);
	return more;
}

static void end_records(struct soft *s, struct tracee *t)
{
	trans_publish_last(t);
	take_all(t);
	/* A thread that did nothing has no time yet. */
	trans_pack_end(&t->pack, t->pack.on || !t->pack.tsc ? host_tsc() : t->pack.tsc);
	trans_pack_flush(&t->pack);
	s->ended_bits += t->pack.n_bits;
	s->ended_tips += t->pack.n_tips;
	if (!s->ending) {	/* else it may continue to use its slot */
		t->slot->tid = 0;	/* see take_left() in threads.c */
		__atomic_store_n(&t->slot->state, SLOT_FREE, __ATOMIC_RELEASE);
	}
}

/* If the thread died with the agent's lock, other processes that share its memory (vfork) must not
 * wait for that. */
static void unlock(const struct tracee *t)
{
	u64 at = t->image->shared->space + offsetof(struct agent_space, lock);
	u32 owner = 0;

	if (vm_read(t->vm, at, &owner, sizeof(owner)) && owner == t->slot->index + 1)
		pwrite(t->vm->mem, &(u32){ 0 }, sizeof(owner), at);
}

void trans_leave(struct soft *s, struct tracee *t)
{
	if (!t->slot)
		return;
	unlock(t);
	if (!CONFIG_SOFT_AGAIN || !t->image->left)
		end_records(s, t);
	if (!t->slot->child)		/* else its child is not born yet: see trans_adopt() */
		drop_image(s, t->image);
	t->slot = NULL;
	t->image = NULL;
	t->out = t->asked = t->given = false;
}

void trans_count(struct soft *s)
{
	count_branches(&s->r->result, s->ended_bits, s->ended_tips, s->ended_blocks);
}
