/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Rings: records of the kernel, in order and without copying.
 *
 * The kernel advances the head after it has written, we advance the tail after we have read. Both
 * only grow; the place in the ring is their value modulo its size. The head is loaded with
 * acquire, so that all bytes before it are visible; the tail is stored with release, so that our
 * reads are complete before the kernel writes there again.
 *
 * An AUX buffer in overwrite mode does not count its rounds: its head is a place in the buffer. If
 * the bytes before the end of the last snapshot have changed, the writer has passed that place
 * again.
 *
 * Source: the UAPI header linux/perf_event.h, struct perf_event_mmap_page.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pt/config/RECORD_MORE.h>
#include <pt/perf_ring.h>

enum { RECORD_MAX = 64 << 10, BEFORE = 4096 };

static struct perf_event_mmap_page *control(const struct perf_ring *r)
{
	return (struct perf_event_mmap_page *)r->page;
}

static size_t page_size(void)
{
	return getpagesize();
}

/* The kernel overwrites what is in a ring that is mapped without the right to write. */
int perf_ring_map(struct perf_ring *r, int fd, u64 size, bool backward, struct arena *arena)
{
	int prot = backward ? PROT_READ : PROT_READ | PROT_WRITE;
	void *at = mmap(NULL, page_size() + size, prot, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED)
		return -errno;
	*r = (struct perf_ring){ .fd = fd, .page = at, .size = size, .aux_fd = -1,
				 .backward = backward };
	r->bounce = arena_alloc(arena, RECORD_MAX);
	return 0;
}

int perf_ring_map_aux(struct perf_ring *r, int fd, u64 size, bool overwrite, struct arena *arena)
{
	int prot = overwrite ? PROT_READ : PROT_READ | PROT_WRITE;
	u64 off = page_size() + r->size;
	void *at;

	control(r)->aux_offset = off;
	control(r)->aux_size = size;
	at = mmap(NULL, size, prot, MAP_SHARED, fd, off);
	if (at == MAP_FAILED)
		return -errno;
	r->aux = at;
	r->aux_size = size;
	r->aux_fd = fd;
	r->overwrite = overwrite;
	if (overwrite)
		r->aux_before = arena_alloc(arena, BEFORE);
	return 0;
}

void perf_ring_unmap(struct perf_ring *r)
{
	if (r->aux)
		munmap((void *)r->aux, r->aux_size);
	if (r->page)
		munmap(r->page, page_size() + r->size);
	*r = (struct perf_ring){ .fd = r->fd, .aux_fd = -1 };
}

static const u8 *records_at(const struct perf_ring *r, u64 place)
{
	return r->page + page_size() + (place & (r->size - 1));
}

/* A record of 'len' bytes that continues at the start of the ring. */
static struct bytes across_end(struct perf_ring *r, size_t before, size_t len)
{
	memcpy(r->bounce, records_at(r, r->taken), before);
	memcpy(r->bounce + before, records_at(r, 0), len - before);
	return (struct bytes){ r->bounce, len };
}

static u64 head_of(const struct perf_ring *r)
{
	return __atomic_load_n(&control(r)->data_head, __ATOMIC_ACQUIRE);
}

bool perf_ring_next(struct perf_ring *r, struct bytes *records)
{
	u64 head = CONFIG_RECORD_MORE && r->backward ? r->end : head_of(r);
	u64 to_end = r->size - (r->taken & (r->size - 1));
	const u8 *at = records_at(r, r->taken);
	u64 len = MIN(head - r->taken, to_end), whole = 0;

	while (whole + 8 <= len) {
		u16 size = get16(at + whole + 6);

		if (size < 8 || size > head - r->taken - whole)
			break;
		if (size > len - whole) {
			if (whole)
				break;
			*records = across_end(r, len, size);
			r->taken += size;
			return true;
		}
		whole += size;
	}
	*records = (struct bytes){ at, whole };
	r->taken += whole;
	return whole;
}

/* The head goes down. A record that was overwritten in part is the last one. */
void perf_ring_pause(struct perf_ring *r)
{
	u64 head;

	ioctl(r->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
	head = head_of(r);
	r->end = head + MIN(r->newest - head, r->size);
	r->taken = r->newest = head;
}

void perf_ring_resume(struct perf_ring *r)
{
	ioctl(r->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 0);
}

void perf_ring_release(struct perf_ring *r)
{
	if (CONFIG_RECORD_MORE && r->backward)
		return;
	__atomic_store_n(&control(r)->data_tail, r->taken, __ATOMIC_RELEASE);
}

/* Bytes 'from' to 'from' + 'size' of the AUX buffer, which may wrap. */
static void set_pieces(const struct perf_ring *r, u64 from, struct perf_stretch *s)
{
	u64 place = from & (r->aux_size - 1), first = MIN(s->size, r->aux_size - place);

	s->piece[0] = (struct bytes){ r->aux + place, first };
	s->piece[1] = (struct bytes){ r->aux, s->size - first };
}

/* Has the writer, which is now at 'head', passed the end of the last snapshot again? Only bytes
 * from 'head' on can tell: those before it are new in any case. */
static bool came_round(const struct perf_ring *r, u64 head)
{
	u64 n = MIN(r->aux_size, (u64)BEFORE), i;
	u64 distance = (r->aux_taken - head) & (r->aux_size - 1);

	if (head != r->aux_taken)
		n = MIN(n, distance);
	for (i = 1; i <= n; i++)
		if (r->aux[(r->aux_taken - i) & (r->aux_size - 1)] != r->aux_before[BEFORE - i])
			return true;
	return false;
}

static bool snapshot(struct perf_ring *r, u64 head, u64 most, struct perf_stretch *s)
{
	bool round;
	u64 fresh;

	head &= r->aux_size - 1;
	round = came_round(r, head);
	fresh = round ? r->aux_size : (head - r->aux_taken) & (r->aux_size - 1);
	/* Count one more buffer for overwritten bytes, so that offsets do not continue. */
	r->aux_total += round ? 2 * fresh : fresh;
	s->size = MIN(fresh, most);
	s->off = r->aux_total - s->size;
	set_pieces(r, head - s->size, s);
	return s->size;
}

/* Remember the bytes before 'head'. */
static void keep_before(struct perf_ring *r, u64 head)
{
	u64 n = MIN(r->aux_size, (u64)BEFORE), i;

	for (i = 1; i <= n; i++)
		r->aux_before[BEFORE - i] = r->aux[(head - i) & (r->aux_size - 1)];
	r->aux_taken = head & (r->aux_size - 1);
}

bool perf_ring_aux(struct perf_ring *r, u64 most, struct perf_stretch *s)
{
	u64 head = __atomic_load_n(&control(r)->aux_head, __ATOMIC_ACQUIRE);

	if (r->overwrite)
		return snapshot(r, head, most, s);
	s->off = r->aux_taken;
	s->size = MIN(head - r->aux_taken, r->aux_size);
	set_pieces(r, r->aux_taken, s);
	return s->size;
}

void perf_ring_aux_release(struct perf_ring *r, const struct perf_stretch *s)
{
	if (r->overwrite) {
		u64 head = __atomic_load_n(&control(r)->aux_head, __ATOMIC_ACQUIRE);

		keep_before(r, head);
		return;
	}
	r->aux_taken = s->off + s->size;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(&control(r)->aux_tail, r->aux_taken, __ATOMIC_RELEASE);
}

void perf_ring_time(const struct perf_ring *r, struct perf_pt_info *info)
{
	const volatile struct perf_event_mmap_page *c = control(r);
	u32 seq;

	do {
		seq = c->lock;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		info->time_shift = c->time_shift;
		info->time_mult = c->time_mult;
		info->time_zero = c->time_zero;
		info->time_cycles = 0;
		info->time_mask = 0;
		info->cap_user_time_zero = c->cap_user_time_zero;
		info->cap_user_time_short = c->cap_user_time_short;
		if (info->cap_user_time_short) {
			info->time_cycles = c->time_cycles;
			info->time_mask = c->time_mask;
		}
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (seq != c->lock || seq & 1);
}
