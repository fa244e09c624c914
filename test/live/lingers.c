/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A thread faults at a page of code while pt has died and its agent is being closed, and its signal
 * comes so late that the agent is closed by then. Runs COMMAND, which records a process that writes
 * to code; kills it when it closes the agent; and holds the writer at its fault for a moment. Then
 * two threads of the process cause faults of their own. Prints how many faults the writer's handler
 * saw: there are none.
 * usage: lingers COMMAND [ARGUMENTS]: the process is appended to the arguments
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <pt/agent.h>

enum { PAGES = 8000, PAGE = 4096, ARGS = 32, OWN = 20000 };

struct told {			/* by the process */
	volatile int writer, faults, stop;
};

static struct told *told;
static __thread sigjmp_buf place;
static __thread int own;

static void on_fault(int sig)
{
	if (own)
		siglongjmp(place, 1);
	told->faults++;
}

static void *fault(void *none)
{
	volatile int i;

	for (own = 1, i = 0; i < OWN; i++)
		if (!sigsetjmp(place, 1))
			*(volatile int *)8 = 1;
	return none;
}

static void pass(void)
{
	volatile int i;

	for (i = 0; i < 100000; i++)
		;
}

/* Code in many pages is executed once, so that they are guarded; then some are changed. */
static void *write_code(void *none)
{
	static const unsigned char code[] = { 0xb8, 1, 0, 0, 0, 0xc3 };
	unsigned char *area = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *at;
	unsigned int i, place = 1;

	for (i = 0; i < PAGES; i++)
		memcpy(area + i * PAGE, code, sizeof(code));
	told->writer = syscall(SYS_gettid);
	for (i = 0; !told->stop; i++) {
		place = i < PAGES ? i : place * 1664525 + 1013904223;
		at = area + (i < PAGES ? i : (place >> 8) % PAGES) * PAGE;
		if (i >= PAGES) {
			at[1]++;
			pass();
		}
		((int (*)(void))at)();
	}
	return none;
}

static int program(void)
{
	struct timespec ms = { 0, 1000000 };
	pthread_t t[2];
	int i;

	signal(SIGSEGV, on_fault);
	pthread_create(t, NULL, write_code, NULL);
	while (!told->stop)
		nanosleep(&ms, NULL);
	pthread_join(*t, NULL);
	for (i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, fault, NULL);
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}

static pid_t start(char **command, pid_t target)
{
	char number[16], *argv[ARGS] = { NULL };
	pid_t pid;
	int i;

	snprintf(number, sizeof(number), "%d", target);
	for (i = 0; command[i] && i < ARGS - 2; i++)
		argv[i] = command[i];
	argv[i] = number;
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		execvp(argv[0], argv);
		_exit(127);
	}
	setpgid(pid, pid);
	return pid;
}

/* Wait until the agent was open, and is being closed. */
static int see_close(pid_t target, pid_t command)
{
	struct agent_shared shared;
	struct agent_space space;
	int mem, was_open = 0, status;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/mem", target);
	mem = open(path, O_RDONLY);
	while (!waitpid(command, &status, WNOHANG)) {
		if (pread(mem, &shared, sizeof(shared), AGENT_AT + AGENT_SHARED) !=
		    sizeof(shared) ||
		    pread(mem, &space, sizeof(space), shared.space) != sizeof(space))
			continue;
		if (was_open && space.out)
			return 1;
		was_open |= !space.out;
	}
	return 0;
}

/* Seize it as soon as the command is dead, and let it wait at its fault. */
static void hold(pid_t tid)
{
	struct timespec a_while = { 0, 100000000 };
	int status;

	while (ptrace(PTRACE_SEIZE, tid, 0, 0))
		;
	nanosleep(&a_while, NULL);
	if (waitpid(tid, &status, __WALL | WNOHANG) != tid) {
		ptrace(PTRACE_INTERRUPT, tid, 0, 0);
		waitpid(tid, &status, __WALL);
	}
	ptrace(PTRACE_DETACH, tid, 0, status >> 16 ? 0 : WSTOPSIG(status));
	nanosleep(&a_while, NULL);
}

int main(int argc, char **argv)
{
	pid_t target, command;
	int status;

	told = mmap(NULL, sizeof(*told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	target = fork();
	if (!target)
		return program();
	while (!told->writer)
		;
	command = start(argv + 1, target);
	if (see_close(target, command)) {
		kill(-command, SIGKILL);
		hold(told->writer);
	}
	told->stop = 1;
	waitpid(target, &status, 0);
	printf("%d faults, status %d\n", told->faults, status);
	return 0;
}
