/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Code that is changed while SIGSEGV is blocked: by the thread's mask, in handlers, in a thread and
 * a process that inherited the mask, and after exec. What the program sees of its mask is as it set
 * it. Prints the number of what went wrong.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static unsigned char *code;
static volatile int wrong;
static sigjmp_buf back;
static int *volatile nowhere = (int *)8;

/* mov $n, %eax; ret */
static void change(int n)
{
	code[0] = 0xb8;
	memcpy(code + 1, &n, 4);
	code[5] = 0xc3;
	wrong += ((int (*)(void))code)() != n;
}

static int is_blocked(void)
{
	sigset_t now;

	sigprocmask(SIG_BLOCK, NULL, &now);
	return sigismember(&now, SIGSEGV);
}

static void several(int n)
{
	int i;

	for (i = 0; i < 6; i++)
		change(n + i);
}

static void handler(int sig, siginfo_t *info, void *context)
{
	const ucontext_t *uc = context;

	wrong += !is_blocked() || sigismember(&uc->uc_sigmask, SIGSEGV) != (sig == SIGUSR2);
	several(1000 * sig);
	if (sig == SIGSEGV)
		siglongjmp(back, 1);
}

static void *thread(void *arg)
{
	wrong += !is_blocked();
	several(300);
	return NULL;
}

int main(int argc, char **argv)
{
	struct sigaction act = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	sigset_t all, was, none;
	pthread_t t;
	int i, status;

	if (argc > 1)		/* after exec */
		return !is_blocked();
	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
	sigemptyset(&none);
	sigfillset(&all);
	act.sa_mask = all;
	sigaction(SIGUSR1, &act, NULL);
	sigaction(SIGUSR2, &act, NULL);
	sigaction(SIGSEGV, &act, NULL);
	several(1);
	raise(SIGUSR1);
	wrong += is_blocked();
	several(50);
	for (i = 0; i < 3; i++)
		if (!sigsetjmp(back, 1))
			*nowhere = 1;
	wrong += is_blocked();
	sigfillset(&all);
	sigdelset(&all, SIGUSR2);
	sigprocmask(SIG_SETMASK, &all, &was);
	wrong += sigismember(&was, SIGSEGV) || !is_blocked();
	several(100);
	raise(SIGUSR2);
	wrong += !is_blocked();
	several(200);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	if (!fork()) {
		wrong = !is_blocked();
		several(400);
		_exit(wrong);
	}
	wait(&status);
	wrong += status != 0;
	if (!fork()) {
		execl("/nonexistent", "x", NULL);
		wrong = !is_blocked();
		several(500);
		if (!wrong)
			execl("/proc/self/exe", "blocked", "again", NULL);
		_exit(2);
	}
	wait(&status);
	wrong += status != 0;
	/* One that was sent comes when it is unblocked. */
	if (!sigsetjmp(back, 1)) {
		raise(SIGSEGV);
		several(600);
		sigprocmask(SIG_SETMASK, &none, NULL);
		wrong += 100;
	}
	sigprocmask(SIG_UNBLOCK, &all, &was);
	wrong += is_blocked();
	several(700);
	printf("%d wrong\n", wrong);
	fflush(stdout);
	/* One that is caused kills. */
	sigprocmask(SIG_SETMASK, &all, NULL);
	several(800);
	*nowhere = 1;
	return 0;
}
