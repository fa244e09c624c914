/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Restartable sequences: a thread that is interrupted in one continues at its abort handler, and
 * does the work in another way. Prints the total of the work.
 */
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

struct sequence {
	unsigned int version, flags;
	unsigned long start, len, abort;
} __attribute__((aligned(32)));

static struct {
	unsigned int cpu_start, cpu;
	unsigned long sequence;
	unsigned int flags, rest[11];
} __attribute__((aligned(64))) area;

extern const char first[], behind[], aborted[];
static struct sequence sequence;
static volatile int done, other;

/* With instructions that the recorder cannot do itself. */
static void __attribute__((noinline)) once(void)
{
	asm volatile("mov %0, %1\n first: fld1\n fstp %%st(0)\n addl $1, %2\n behind: jmp 2f\n"
		     ".byte 0x0f, 0xb9, 0x3d\n .long 0x53053053\n aborted: addl $1, %3\n 2:"
		     :: "r"(&sequence), "m"(area.sequence), "m"(done), "m"(other) : "memory", "cc");
}

int main(void)
{
	int i;

	/* The agent refuses it, as a kernel without rseq does. */
	syscall(SYS_rseq, &area, 32, 0, 0x53053053);
	sequence = (struct sequence){ 0, 0, (unsigned long)first, behind - first,
				      (unsigned long)aborted };
	for (i = 0; i < 50; i++)
		once();
	printf("%d in all\n", done + other);
	return 0;
}
