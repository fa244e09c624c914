/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs until a signal ends it, one of its two threads in a loop; the first one is there too, or, if
 * there is an argument, makes code that is new each time.
 */
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { SIZE = 1 << 20, STEP = 16 };

static volatile unsigned turns;

static void *spin(void *none)
{
	for (;;)
		turns++;
	return none;
}

/* mov $turns, %eax; ret */
static void make(unsigned char *at)
{
	unsigned n = turns;

	at[0] = 0xb8;
	memcpy(at + 1, &n, 4);
	at[5] = 0xc3;
	turns += ((unsigned (*)(void))(uintptr_t)at)();
}

int main(int argc, char **argv)
{
	unsigned char *code = mmap(NULL, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned at;
	pthread_t other;

	(void)argv;
	pthread_create(&other, NULL, spin, NULL);
	if (argc < 2 || code == MAP_FAILED)
		spin(NULL);
	for (at = 0;; at = (at + STEP) % SIZE)
		make(code + at);
}
