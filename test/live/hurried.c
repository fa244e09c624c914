/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Processes that end, are killed, or become another program, while their threads make threads and
 * processes. Some of these are born when their parents can no longer tell of them. All have the
 * pipe, so the first process ends when all others have ended. It prints how many of those that it
 * made ended as they should.
 * usage: hurried [stay]; stay: none becomes another program, and it prints when it has begun
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 60, THREADS = 3 };

typedef int function(void);

static int round, stay;

static void *nothing(void *arg)
{
	return arg;
}

/* Make threads, or processes that share the memory, or have their own. */
static void *make(void *arg)
{
	pthread_t t;
	pid_t pid;

	for (;;) {
		if (round % 3 == 0) {
			if (!pthread_create(&t, NULL, nothing, NULL))
				pthread_detach(t);
			continue;
		}
		pid = round % 3 == 1 ? fork() : vfork();
		if (!pid)
			_exit(0);
		if (pid > 0)
			waitpid(pid, NULL, 0);
	}
	return NULL;
}

/* Returns only if it fails. */
static int hurry(function *code, char *self)
{
	int i, one = code();
	pthread_t t;

	for (i = 0; i < THREADS; i++)
		pthread_create(&t, NULL, make, NULL);
	usleep(2000 + round * 50);
	switch (round / 3 % 3) {
	case 0:
		if (!stay)
			execl(self, self, "another", NULL);
		_exit(one);
	case 1:
		kill(getpid(), SIGKILL);
		break;
	case 2:
		_exit(one);
	}
	return 2;
}

int main(int argc, char **argv)
{
	int ends[2], status, good = 0;
	function *code;
	pid_t pid;

	if (argc > 1 && !strcmp(argv[1], "another"))
		return 1;
	stay = argc > 1;
	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	memcpy((void *)code, "\xb8\x01\0\0\0\xc3", 6);	/* mov $1, %eax; ret */
	if (pipe(ends))
		return 2;
	if (stay) {
		puts("began");
		fflush(stdout);
	}
	for (round = 0; round < ROUNDS; round++) {
		pid = fork();
		if (!pid)
			_exit(hurry(code, argv[0]));
		waitpid(pid, &status, 0);
		good += WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL :
			WEXITSTATUS(status) == 1;
	}
	close(ends[1]);
	while (read(ends[0], &status, 1) > 0)
		;
	printf("%d\n", good);
	return 0;
}
