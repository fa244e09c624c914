/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Threads that are killed while they enter system calls. With an argument after fewer of them.
 */
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile int calls;

static void *call(void *none)
{
	for (;;) {
		syscall(SYS_getppid);
		calls++;
	}
	return none;
}

int main(int argc, char **argv)
{
	pthread_t t;
	int i;

	for (i = 0; i < 8; i++)
		pthread_create(&t, NULL, call, NULL);
	while (calls < (argc > 1 ? 200 : 2000))
		usleep(100);
	return 0;
}
