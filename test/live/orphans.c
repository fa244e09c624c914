/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A process ends while its threads change their code all the time, and while a child that shares
 * its memory waits (vfork). The child goes on, and says so. Prints how many did not.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TIMES = 15, THREADS = 3 };

static int fds[2];
static volatile int begun;

static void nap(int ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

static void *change(void *unused)
{
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i, bad = 0;

	memcpy(code, "\xb8\0\0\0\0\xc3", 6);		/* mov $i, %eax; ret */
	for (i = 0;; i++) {
		memcpy(code + 1, &i, sizeof(i));
		bad += ((int (*)(void))code)() != i;
	}
	return NULL;
}

static int go_on(void *unused)
{
	begun = 1;
	nap(60);
	write(fds[1], "x", 1);
	_exit(0);
}

static void *vforks(void *unused)
{
	static char stack[1 << 16];

	clone(go_on, stack + sizeof(stack), CLONE_VM | CLONE_VFORK, NULL);
	return NULL;
}

int main(void)
{
	int lost = 0, i, k;
	pthread_t thread;
	char c;

	for (i = 0; i < TIMES; i++) {
		pipe(fds);
		if (!fork()) {
			pthread_create(&thread, NULL, vforks, NULL);
			for (k = 0; k < THREADS; k++)
				pthread_create(&thread, NULL, change, NULL);
			while (!begun)
				nap(10);
			nap(20);
			_exit(0);
		}
		wait(NULL);
		lost += poll(&(struct pollfd){ fds[0], POLLIN, 0 }, 1, 60000) != 1 ||
			read(fds[0], &c, 1) != 1;
		close(fds[0]);
		close(fds[1]);
	}
	printf("lost: %d\n", lost);
	return 0;
}
