/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Vector instructions with different faults, among others without. Prints which faulted, and the
 * contents of memory and registers afterwards.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static sigjmp_buf back;
static volatile int last;

static void out_of_it(int sig)
{
	last = sig;
	siglongjmp(back, 1);
}

static void load_aligned(char *p) { asm volatile("movaps (%0), %%xmm0" :: "r"(p) : "xmm0"); }
static void load(char *p) { asm volatile("movups (%0), %%xmm0" :: "r"(p) : "xmm0"); }
static void store(char *p) { asm volatile("movups %%xmm1, (%0)" :: "r"(p) : "memory"); }
static void store_half(char *p) { asm volatile("movhps %%xmm1, (%0)" :: "r"(p) : "memory"); }
static void implied(char *p) { asm volatile("maskmovdqu %%xmm1, %%xmm1" :: "D"(p) : "memory"); }
static void by_rsp(char *p) { asm volatile("movq %%rsp, %%xmm0; movq %%xmm0, %%rsp" ::: "xmm0"); }

static void divide(char *p)
{
	unsigned int masks = 0x1d80;	/* but that of a division by zero */

	asm volatile("ldmxcsr %0; pxor %%xmm0, %%xmm0; divsd %%xmm0, %%xmm1; divsd %%xmm0, %%xmm0"
		     :: "m"(masks) : "xmm0", "xmm1");
}

static const struct { const char *name; void (*does)(char *); int at; } tries[] = {
	{ "aligned", load_aligned, 16 }, { "not aligned", load_aligned, 17 },
	{ "load", load, 4080 }, { "load over the end", load, 4081 },
	{ "store", store, 4080 }, { "store over the end", store, 4088 },
	{ "half", store_half, 4088 }, { "half over the end", store_half, 4089 },
	{ "store where one may not", store, 4096 }, { "division", divide, 0 },
	{ "implied", implied, 64 }, { "by rsp", by_rsp, 0 },
};

static unsigned int sum(const char *p)
{
	unsigned int s = 0, i;

	for (i = 0; i < 4096; i += i == 96 ? 4064 - 96 : 1)	/* where they store */
		s = s * 31 + p[i];
	return s;
}

int main(void)
{
	char *p = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	volatile unsigned int i;
	double d = 1;
	unsigned int status;

	mprotect(p + 4096, 4096, PROT_NONE);
	signal(SIGSEGV, out_of_it);
	signal(SIGBUS, out_of_it);
	signal(SIGFPE, out_of_it);
	for (i = 0; i < 2 * sizeof(tries) / sizeof(*tries); i++) {
		unsigned int try = i / 2;

		memset(p, 'a' + i, 4096);
		last = 0;
		asm volatile("movups %0, %%xmm1" :: "m"(*(const char (*)[16])
			     "\xff\x01\xff\x03\xff\x05\xff\x07\xff\x09\xff\x0b\xff\x0d\xff") : "xmm1");
		if (!sigsetjmp(back, 1))
			tries[try].does(p + tries[try].at);
		asm volatile("ldmxcsr %0" :: "m"(*(const unsigned int[]){ 0x1f80 }));
		printf("%s: %d, %08x\n", tries[try].name, last, sum(p));
	}
	for (i = 1; i < 100; i++)
		d = d * 1.1 / i + (float)i;
	asm volatile("stmxcsr %0" : "=m"(status));
	printf("%.17g %x\n", d, status);
	return 0;
}
