/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Children by vfork(), which share memory with the program, set handlers and a limit of their own.
 * Prints what is left of that in the program: nothing.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 60 };

static volatile int parents, childs;
static pthread_barrier_t all;

static void of_parent(int sig)
{
	parents++;
}

static void of_child(int sig)
{
	childs++;
}

static void handle(int sig, void (*handler)(int))
{
	struct sigaction act = { .sa_handler = handler };

	sigaction(sig, &act, NULL);
}

static const char *handler_of(int sig)
{
	struct sigaction act;

	sigaction(sig, NULL, &act);
	return act.sa_handler == of_parent ? "parent" : act.sa_handler == of_child ? "child" :
	       act.sa_handler == SIG_DFL ? "default" : "other";
}

/* Wait for it, if this is not the child itself, and print what there is. */
static void look(pid_t child)
{
	int status;

	waitpid(child, &status, 0);
	raise(SIGUSR1);
	printf("%d %s %s %s, %d %d\n", status, handler_of(SIGUSR1), handler_of(SIGUSR2),
	       handler_of(SIGSEGV), parents, childs);
}

static void make_code(void)
{
	unsigned char code[] = { 0xb8, 0, 0, 0, 0, 0xc3 }, *to = mmap(NULL, 4096,
		PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int sum = 0;

	for (code[1] = 1; code[1] < 5; code[1]++) {
		memcpy(to, code, sizeof(code));
		sum += ((int (*)(void))to)();
	}
	printf("%d\n", sum);
}

static void *run(void *arg)
{
	pthread_barrier_wait(&all);
	return NULL;
}

static void start_threads(void)
{
	pthread_t threads[THREADS];
	int i, n = 0;

	pthread_barrier_init(&all, NULL, THREADS);
	for (i = 0; i < THREADS; i++)
		n += !pthread_create(&threads[i], NULL, run, NULL);
	printf("%d threads\n", n);
	for (i = 0; n == THREADS && i < n; i++)
		pthread_join(threads[i], NULL);
}

int main(void)
{
	struct rlimit limit = { 256 << 20, 256 << 20 };
	pid_t child;

	setvbuf(stdout, NULL, _IOLBF, 0);
	handle(SIGUSR1, of_parent);
	child = vfork();
	if (!child) {
		setrlimit(RLIMIT_AS, &limit);
		execl("/bin/true", "true", NULL);
		_exit(6);
	}
	look(child);
	start_threads();
	child = vfork();
	if (!child) {
		handle(SIGUSR1, of_child);
		handle(SIGUSR2, of_child);
		raise(SIGUSR1);
		_exit(3);
	}
	look(child);
	child = vfork();
	if (!child) {
		handle(SIGUSR1, SIG_IGN);
		raise(SIGUSR1);
		handle(SIGUSR1, SIG_DFL);
		execl("/bin/true", "true", NULL);
		_exit(4);
	}
	look(child);
	make_code();		/* the agent has a handler of SIGSEGV then */
	child = vfork();
	if (!child) {
		handle(SIGSEGV, of_child);
		raise(SIGSEGV);
		if (!fork()) {	/* it has the handlers of the child */
			raise(SIGSEGV);
			raise(SIGUSR1);
			printf("%s, %d %d\n", handler_of(SIGSEGV), parents, childs);
			_exit(0);
		}
		wait(NULL);
		_exit(5);
	}
	look(child);
	make_code();
	return 0;
}
