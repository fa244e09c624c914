/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Writes into the memory that pt has in the process, for ever, beside a thread that computes.
 * usage: hostile SEED
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define AT 0x7e8100000000ull	/* AGENT_AT + AGENT_SHARED */

enum { SIZE = 0x200000 };

static uint64_t state;

static uint64_t next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void *spin(void *none)
{
	volatile unsigned turns = 0;

	for (;;)
		turns++;
	return none;
}

int main(int argc, char **argv)
{
	volatile uint64_t *memory = (uint64_t *)(uintptr_t)AT;
	uint64_t kind, at, size;
	pthread_t other;

	state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	size = (uint64_t[]){ 0x300, 0x3000, SIZE }[state % 3];
	state = state * 0x9e3779b97f4a7c15ull + 1;
	pthread_create(&other, NULL, spin, NULL);
	usleep(100000);
	for (;;) {
		kind = next();
		at = next() % size / 8;
		memory[at] = kind & 1 ? next() : kind & 2 ? next() % 0x10000 :
			     memory[at] + next() % 4096 * 8;
		if (kind % 256 == 4)
			usleep(1000);
	}
}
