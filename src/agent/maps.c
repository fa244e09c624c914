/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Which memory is executable: at first from /proc/thread-self/maps, then from the program's system
 * calls. (/proc/self has no maps when the first thread of the process has ended.)
 */
#include "own.h"

enum { NR_OPEN = 2, NR_CLOSE = 3, NR_READ = 0, NR_PREAD = 17, NR_FSTAT = 5, BUFFER = 4096 };
enum { READ = 1, WRITE = 2, EXEC = 4 };
enum { FEW_PAGES = 64 * PAGE };
enum { NAME = 256, ELF = 0x464c457f };
enum { STAT = 144, STAT_LINKS = 16 };	/* struct stat, and st_nlink in it */
enum { OF_FILE = 61, HAS_PAGE = 62 };	/* bits of a page in /proc/thread-self/pagemap */

#define KERNEL (1ULL << 56)	/* and vsyscall, which cannot be read */

/* State of reading a line. */
struct reader {
	struct agent *a;	/* set its ranges in [from, to); or NULL: look only for 'at' */
	u64 from, to;
	bool made;		/* if it is not known whether a page of a file was changed: yes */
	u64 at;
	u32 at_prot;
	void *original;		/* read up to 'size' bytes of the file, which are mapped at 'at' */
	i64 size;
	u64 numbers[4];
	u32 field;		/* 0 and 1: addresses, 2: rights, 3: the offset, 6: the name */
	u32 prot;
	u32 len;		/* of the name */
	char name[NAME];
};

static u32 right(u8 c)
{
	return c == 'r' ? READ : c == 'w' ? WRITE : c == 'x' ? EXEC : c == 's' ? MAPS_SHARED : 0;
}

static i64 open_file(const char *name)
{
	return sys_try(NR_OPEN, (u64)name, 02000000, 0, 0);
}

bool maps_program(i64 fd)
{
	u64 stat[STAT / 8] = { [STAT_LINKS / 8] = 1 };
	u32 magic = 0;

	sys_try(NR_FSTAT, fd, (u64)stat, 0, 0);
	return sys_try(NR_PREAD, fd, (u64)&magic, sizeof(magic), 0) == sizeof(magic) &&
	       magic == ELF && stat[STAT_LINKS / 8];
}

/* Can a decoder read this code in a file, or in the vDSO? The kernel adds " (deleted)" to the name
 * of a deleted file, and a file that is mounted nowhere has the name "/" (podman). */
static COLD bool is_known(struct reader *r)
{
	bool known;
	char last;
	i64 fd;

	if (r->a->fresh || (r->name[0] == '[' && r->name[1] == 'v')) {
		last = r->len ? r->name[MIN(r->len, NAME) - 1] : '/';
		return last != ')' && last != '/';
	}
	if (r->len < 1 || r->len >= NAME)
		return false;
	r->name[r->len] = 0;
	fd = open_file(r->name);
	known = maps_program(fd);
	sys_call(NR_CLOSE, fd, 0, 0, 0, 0, 0);
	return known;
}

/* Code of a file. Pages that the program has changed are private copies. */
static COLD void set_file(struct agent *a, u64 from, u64 to, u64 prot, bool made)
{
	static const char name[] = "/proc/thread-self/pagemap";
	u64 words[BUFFER / 8], start = from, at;
	i64 fd = open_file(name);
	u32 n;

	prot |= made ? MAPS_MADE : 0;
	for (at = from, n = 0; fd >= 0 && at < to; at += PAGE, n++) {
		u64 *w = &words[n % N_ELEM(words)];

		if (w == words && sys_try(NR_PREAD, fd, (u64)words, sizeof(words),
					  at / PAGE * 8) < 8)
			break;
		made = *w >> HAS_PAGE && !(*w >> OF_FILE & 1);
		if (made == !(prot & MAPS_MADE)) {
			maps_set(a, start, at, prot);
			start = at;
			prot ^= MAPS_MADE;
		}
	}
	maps_set(a, start, to, prot);
	sys_call(NR_CLOSE, fd, 0, 0, 0, 0, 0);
}

static void take_line(struct reader *r)
{
	u64 from = MAX(r->from, r->numbers[0]), to = MIN(r->to, r->numbers[1]);

	if (!r->a || !(r->prot & EXEC) || from >= to)
		return;
	if (!(r->prot & READ))
		sys_use_keys(r->a);
	if (r->prot & (WRITE | MAPS_SHARED) || !is_known(r))
		maps_set(r->a, from, to, r->prot | MAPS_MADE);
	else if (r->a->fresh || r->name[0] == '[')
		maps_set(r->a, from, to, r->prot);
	else
		set_file(r->a, from, to, r->prot, r->made);
}

static COLD void read_original(struct reader *r)
{
	i64 fd;

	r->name[MIN(r->len, NAME - 1u)] = 0;
	fd = open_file(r->name);
	r->size = r->name[0] == '[' && r->name[1] == 'u' ? MAPS_UPROBES :
		sys_try(NR_PREAD, fd, (u64)r->original, r->size,
			r->numbers[3] + r->at - r->numbers[0]);
	sys_call(NR_CLOSE, fd, 0, 0, 0, 0, 0);
	r->original = NULL;
}

static void take(struct reader *r, u8 c)
{
	if (c == '\n') {
		if (r->at - r->numbers[0] < r->numbers[1] - r->numbers[0]) {
			r->at_prot = r->prot;
			if (r->original)
				read_original(r);
		}
		take_line(r);
		r->numbers[0] = r->numbers[1] = r->numbers[3] = 0;
		r->field = r->prot = r->len = 0;
	} else if (c == '-' && r->field == 0) {
		r->field = 1;
	} else if (c == ' ' && r->field < 6) {
		r->field++;
	} else if (r->field < 2 || r->field == 3) {
		r->numbers[r->field] = r->numbers[r->field] << 4 |
			(c <= '9' ? c - '0' : c - 'a' + 10);
	} else if (r->field == 2) {
		r->prot |= right(c);
	} else if (r->field == 6 && (r->len || c != ' ')) {
		r->name[MIN(r->len, NAME - 1u)] = c;
		r->len++;
	}
}

static bool read_all(struct reader *r)
{
	static const char name[] = "/proc/thread-self/maps";
	u8 buffer[BUFFER];
	i64 fd = open_file(name), n, i;

	if (fd < 0 && r->a && !r->a->epoch) {	/* see agent_head.start */
		const u8 *text = (u8 *)agent_slot(r->a->shared, 0) + AGENT_BLOCK;

		r->a->fresh = true;	/* the program may see other files by these names */
		while (*text)
			take(r, *text++);
	}
	if (fd < 0)
		return false;
	if (r->a && r->to == KERNEL)
		r->a->n_ranges = 0;
	while ((n = sys_call(NR_READ, fd, (u64)buffer, sizeof(buffer), 0, 0, 0)) > 0)
		for (i = 0; i < n; i++)
			take(r, buffer[i]);
	sys_call(NR_CLOSE, fd, 0, 0, 0, 0, 0);
	return true;
}

/* Guarded pages have the rights that the program gave them. */
void maps_read(struct agent *a)
{
	struct reader r = { .a = a, .to = KERNEL };
	u32 i;

	read_all(&r);
	a->fresh = false;
	for (i = 0; i < a->n_guarded; i++)
		maps_set(a, a->guarded[i], a->guarded[i] + PAGE, WRITE | EXEC | MAPS_MADE);
}

/* Code that programs make at run time is mostly in anonymous memory, and its rights may change
 * often: the kernel's list is read only the first time. */
COLD void maps_protect(struct agent *a, u64 from, u64 to, u64 prot)
{
	struct reader r = { .a = a, .from = from, .to = to, .made = true };
	struct page *p = guard_of(a, from);
	u64 at;

	for (at = from; at < to && at < from + FEW_PAGES; at += PAGE)
		guard_of(a, at)->rights = 1;
	maps_set(a, from, to, prot | MAPS_MADE);
	if (prot & EXEC && !(prot & WRITE) && !p->anonymous) {
		read_all(&r);
		p->anonymous = maps_made(a, from);
	}
}

i64 maps_original(void *to, u64 at, u32 n)
{
	struct reader r = { .at = at, .original = to, .size = n };

	return !read_all(&r) || r.original ? 0 : r.size;
}

/* True if the maps cannot be read. */
bool maps_may_write(u64 at)
{
	struct reader r = { .at = at };

	return !read_all(&r) || r.at_prot & WRITE;
}

/* The first range that ends after 'ip'. */
static u32 first_after(const struct agent *a, u64 ip)
{
	u32 lo = 0, hi = a->n_ranges;

	while (lo < hi) {
		u32 mid = (lo + hi) / 2;

		if (a->ranges[mid].to <= ip)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static const struct range *find(const struct agent *a, u64 ip)
{
	u32 i = first_after(a, ip);

	return i < a->n_ranges && a->ranges[i].from <= ip ? &a->ranges[i] : NULL;
}

/* Replace the 'old' ranges at 'i' by 'n' new ones; if there is no room, by fewer. What is missing
 * is looked up in the kernel's list when it is executed. */
static void replace(struct agent *a, u32 i, u32 old, const struct range *new, u32 n)
{
	u32 rest = a->n_ranges - i - old, k;
	struct range *at = a->ranges + i;

	n = MIN(n, N_RANGES - a->n_ranges + old);
	if (n > old)
		for (k = rest; k-- > 0;)
			at[n + k] = at[old + k];
	else
		for (k = 0; k < rest; k++)
			at[n + k] = at[old + k];
	for (k = 0; k < n; k++)
		at[k] = new[k];
	a->n_ranges += n - old;
}

void maps_set(struct agent *a, u64 from, u64 to, u64 prot)
{
	u32 i = first_after(a, from), end = i, n = 0;
	struct range new[3];

	while (end < a->n_ranges && a->ranges[end].from < to)
		end++;
	if (end > i && a->ranges[i].from < from) {
		new[n] = a->ranges[i];
		new[n++].to = from;
	}
	if (prot & EXEC)
		new[n++] = (struct range){ from, to, prot & (WRITE | MAPS_SHARED),
					   (prot & (WRITE | MAPS_SHARED | MAPS_MADE)) != 0 };
	if (end > i && a->ranges[end - 1].to > to) {
		new[n] = a->ranges[end - 1];
		new[n++].from = to;
	}
	replace(a, i, end - i, new, n);
}

/* The code at 'ip', including the next range if it is adjacent: an instruction may lie in both. */
struct bytes maps_code(struct agent *a, u64 ip)
{
	const struct range *r = find(a, ip), *end = a->ranges + a->n_ranges;
	u64 to;

	if (!r) {
		maps_read(a);
		r = find(a, ip);
	}
	if (!r)
		return (struct bytes){ 0 };
	for (to = r->to; to - ip < 64 && ++r < end && r->from == to;)
		to = r->to;
	return (struct bytes){ (const u8 *)ip, to - ip };
}

bool maps_writable(const struct agent *a, u64 ip)
{
	const struct range *r = find(a, ip);

	return r && r->writable;
}

bool maps_shared(const struct agent *a, u64 ip)
{
	const struct range *r = find(a, ip);

	return r && r->writable & MAPS_SHARED;
}

bool maps_made(const struct agent *a, u64 ip)
{
	const struct range *r = find(a, ip);

	return r && r->made;
}

bool maps_bounds(const struct agent *a, u64 ip, u64 *from, u64 *to)
{
	const struct range *r = find(a, ip);

	if (!r)
		return false;
	*from = r->from;
	*to = r->to;
	return true;
}

bool maps_file(const struct agent *a, u64 from, u64 to)
{
	u32 i = first_after(a, from);

	while (i < a->n_ranges && a->ranges[i].from < to && a->ranges[i].made)
		i++;
	return i < a->n_ranges && a->ranges[i].from < to;
}

bool maps_touch(const struct agent *a, u64 at, u64 size)
{
	u32 i = first_after(a, at);

	return i < a->n_ranges && a->ranges[i].from < at + size;
}
