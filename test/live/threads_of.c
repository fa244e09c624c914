/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A process with two threads that wait for the end of standard input; then one requests to be
 * traced.
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <unistd.h>

static void *waits(void *arg)
{
	char c;

	read(0, &c, 1);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, waits, NULL);
	pthread_join(thread, NULL);
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	return 0;
}
