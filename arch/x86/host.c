/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Properties of the processor: CPUID and the time-stamp counter; and a system call without libc.
 * Manual: SDM volume 2, "CPUID-CPU Identification".
 */
#include <cpuid.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>

#include <pt/host.h>
#include <pt/out.h>

void host_cpuid(char to[HOST_NAME])
{
	unsigned int a, b, c, d, family, model;
	char vendor[13];

	*to = 0;
	if (!__get_cpuid(0, &a, &b, &c, &d))
		return;
	set32(vendor, b);
	set32(vendor + 4, d);
	set32(vendor + 8, c);
	vendor[12] = 0;
	__get_cpuid(1, &a, &b, &c, &d);
	family = a >> 8 & 15;
	model = a >> 4 & 15;
	if (family == 6 || family == 15)
		model |= (a >> 16 & 15) << 4;
	if (family == 15)
		family += a >> 20 & 255;
	fmt_str(to, HOST_NAME, "%s,%u,%u,%u", vendor, family, model, a & 15);
}

/* One space between words: names of Intel begin with spaces, those of AMD end with them. */
static void put_name(char *to, const char *text)
{
	char *at = to;

	for (; *text; text++)
		if (*text != ' ' || (at > to && text[1] > ' '))
			*at++ = *text;
	*at = 0;
}

void host_cpu_name(char to[HOST_NAME])
{
	enum { FIRST = 0x80000002, LAST = 0x80000004 };
	unsigned int leaf, r[4];
	char text[49], *at = text;

	memset(text, 0, sizeof(text));
	for (leaf = FIRST; leaf <= LAST; leaf++, at += 16)
		if (__get_cpuid(leaf, &r[0], &r[1], &r[2], &r[3]))
			memcpy(at, r, 16);
	put_name(to, text);
}

bool host_has_pt(void)
{
	unsigned int a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b >> 25 & 1;
}

bool host_has_ssse3(void)
{
	unsigned int a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && c >> 9 & 1;
}

bool host_has_keys(void)
{
	unsigned int a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && c >> 4 & 1;
}

void host_hypervisor(char to[HOST_NAME])
{
	unsigned int a, b, c, d;
	char name[13] = "";

	*to = 0;
	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 31 & 1))
		return;
	__cpuid(0x40000000, a, b, c, d);
	set32(name, b);
	set32(name + 4, c);
	set32(name + 8, d);
	put_name(to, *name ? name : "unknown");
}

u64 host_tsc(void)
{
	return __builtin_ia32_rdtsc();
}

void host_tsc_ratio(u32 *n, u32 *d)
{
	unsigned int a = 0, b = 0, c, e;

	*n = *d = 0;
	if (!__get_cpuid_count(0x15, 0, &a, &b, &c, &e) || !a || !b)
		return;
	*n = b;
	*d = a;
}

static inline __attribute__((always_inline)) long call(long nr, long a, const void *b, long c,
						       long d)
{
	register long r10 __asm__("r10") = d;

	__asm__ volatile("syscall" : "+a"(nr) : "D"(a), "S"(b), "d"(c), "r"(r10) :
			 "rcx", "r11", "memory");
	return nr;
}

/* Enable or disable the event of the current CPU. */
static inline __attribute__((always_inline)) void own_event(struct host_hide *h, long request)
{
	call(SYS_ioctl, (h->event[h->cpu] - 1) | h->off, (const void *)request, 0, 0);
}

/* Pin the thread to the current CPU. */
static inline __attribute__((always_inline)) void stay(struct host_hide *h)
{
	h->one[h->cpu / 64] = 0;
	call(SYS_getcpu, (long)&h->cpu, NULL, 0, 0);
	h->one[h->cpu / 64] = 1ul << h->cpu % 64;
	call(SYS_sched_setaffinity, 0, (const void *)sizeof(h->one), (long)h->one, 0);
}

void host_hide(struct host_hide *h)
{
	call(SYS_sched_setaffinity, 0, (const void *)sizeof(h->any), (long)h->any, 0);
	stay(h);
}

long host_call(struct host_hide *h, long nr, long a, const void *b, long c, long d)
{
	long result;

	if (!h)
		return call(nr, a, b, c, d);
	own_event(h, PERF_EVENT_IOC_ENABLE);
	call(SYS_sched_setaffinity, 0, (const void *)sizeof(h->any), (long)h->any, 0);
	result = call(nr, a, b, c, d);
	stay(h);
	own_event(h, PERF_EVENT_IOC_DISABLE);
	return result;
}
