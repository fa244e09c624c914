/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A thread executes code that another thread makes while the first one has no branches for a while,
 * so that nobody knows when it goes on.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MB = 1 << 20, SIZE = 32 * MB };

static int (*volatile made)(void);
static unsigned char *code;
static void *much;

static void *nothing(void *p)
{
	return p;
}

static void *make(void *p)
{
	pthread_t t;

	usleep(150000);
	pthread_create(&t, NULL, nothing, NULL);
	pthread_join(t, NULL);
	memcpy(code, "\xb8\x2a\0\0\0\xc3", 6);		/* mov $42, %eax; ret */
	made = (int (*)(void))code;
	made();
	return p;
}

#define FILL "mov %0, %%rdi\n mov %1, %%ecx\n rep stosb\n"
#define FILL_8 FILL FILL FILL FILL FILL FILL FILL FILL
#define FILL_64 FILL_8 FILL_8 FILL_8 FILL_8 FILL_8 FILL_8 FILL_8 FILL_8

int main(void)
{
	pthread_t t;

	much = malloc(SIZE);
	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	pthread_create(&t, NULL, make, NULL);
	asm volatile(FILL_64 FILL_64
		     : : "r"(much), "i"(SIZE) : "rcx", "rdi", "memory");
	while (!made)
		;
	printf("%d\n", made());
	pthread_join(t, NULL);
	return 0;
}
