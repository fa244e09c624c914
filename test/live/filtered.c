/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Limits its system calls by filters, in the ways of programs, and shows that they do what they
 * should: filtered KIND [COMMAND ...].
 *
 *	all	allows all
 *	some	some calls fail, among them those that copy memory; a command runs with it
 *	kill	all is allowed that is listed; the rest kills the process
 *	trap	a call becomes SIGSYS, whose handler gives its result
 *	tsync	as 'some', for all threads
 *	twice	as 'some', and then 'kill'
 *	fixed	as systemd's MemoryDenyWriteExecute: no memory that is writable and executable
 *	mdwe	the same, by PR_SET_MDWE instead of a filter
 *	strict	only what no recorder can live with
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

/* As linux/seccomp.h and linux/filter.h have them, which are not everywhere. */
enum { X86_64 = (int)0xc000003e, ALLOW = 0x7fff0000, ERRNO = 0x50000, TRAP = 0x30000,
       KILL_THREAD = 0, KILL_PROCESS = (int)0x80000000 };
enum { MODE_FILTER = 2, SET_FILTER = 1, FLAG_TSYNC = 1, FLAG_SPEC_ALLOW = 4, SET_MDWE = 65 };
enum { NR = 0, ARCH = 4, ARG_0 = 16, ARG_1 = 24, ARG_2 = 32, ARG_3 = 40 };

struct filter { unsigned short code; unsigned char yes, no; unsigned k; };
struct program { unsigned short n; const struct filter *code; };

#define LOAD(offset) { 0x20, 0, 0, offset }
#define JUMP_EQUAL(v, yes, no) { 0x15, yes, no, v }
#define JUMP_LESS(v, yes, no) { 0x35, no, yes, v }
#define RETURN(result) { 0x06, 0, 0, result }
#define IF(v, result) JUMP_EQUAL(v, 0, 1), RETURN(result)
#define ERROR(e) (ERRNO | (e))

static const struct filter all[] = { RETURN(ALLOW) };

static const struct filter some[] = {
	LOAD(ARCH),
	JUMP_EQUAL(X86_64, 1, 0),
	RETURN(KILL_THREAD),
	LOAD(NR),
	IF(SYS_rt_tgsigqueueinfo, ERROR(ENOSYS)),
	IF(SYS_process_vm_readv, ERROR(ENOSYS)),
	IF(SYS_process_vm_writev, ERROR(EPERM)),
	IF(SYS_mlockall, ERROR(ENOSYS)),
	IF(SYS_memfd_create, ERROR(ENOSYS)),
	IF(SYS_mkdir, ERROR(EXDEV)),
	JUMP_EQUAL(SYS_ioctl, 0, 3),
	LOAD(ARG_1),
	IF(0x5412, ERROR(EPERM)),
	RETURN(ALLOW),
};

/* All of the first 350 except two. */
static const struct filter kills[] = {
	LOAD(NR),
	IF(SYS_mkdir, KILL_PROCESS),
	IF(SYS_clone3, ERROR(ENOSYS)),
	JUMP_LESS(350, 1, 0),
	RETURN(KILL_PROCESS),
	RETURN(ALLOW),
};

static const struct filter traps[] = {
	LOAD(NR), IF(SYS_mkdir, TRAP | 5), RETURN(ALLOW),
};

/* As the filters of browsers: much is answered by a signal, if it is not done in the usual way. The
 * process has the number OWN_PID. */
enum { OWN_PID = 0x7654321, MMAP_FLAGS = 0x1e43f };	/* not MAP_POPULATE and newer ones */

#define CALL(nr, skip) LOAD(NR), JUMP_EQUAL(nr, 0, skip)
#define JUMP_ANY(bits, yes, no) { 0x45, yes, no, bits }
#define TRAPPED(nr) LOAD(NR), IF(nr, TRAP | 6)

static struct filter sandbox[] = {
	TRAPPED(SYS_open), TRAPPED(SYS_fstat), TRAPPED(SYS_pread64), TRAPPED(SYS_memfd_create),
	TRAPPED(SYS_process_vm_readv), TRAPPED(SYS_process_vm_writev),
	TRAPPED(SYS_mremap), TRAPPED(SYS_mlockall), TRAPPED(SYS_munlock),
	TRAPPED(SYS_vfork), TRAPPED(SYS_clone3), LOAD(NR), IF(SYS_fork, ERROR(EPERM)),
	TRAPPED(SYS_execve), TRAPPED(SYS_mkdir), TRAPPED(SYS_arch_prctl),
	CALL(SYS_clone, 5),
		LOAD(ARG_0), JUMP_ANY(0x10000, 0, 1), RETURN(ALLOW),	/* CLONE_THREAD */
		RETURN(ERROR(EPERM)), RETURN(TRAP),
	CALL(SYS_mmap, 3), LOAD(ARG_3), JUMP_ANY(~MMAP_FLAGS, 0, 1), RETURN(TRAP),
	CALL(SYS_mprotect, 3), LOAD(ARG_2), JUMP_ANY(~7, 0, 1), RETURN(TRAP),
	CALL(SYS_madvise, 4), LOAD(ARG_2), JUMP_EQUAL(4, 1, 0), RETURN(TRAP), RETURN(ALLOW),
	CALL(SYS_futex, 3), LOAD(ARG_1), JUMP_ANY(~0x183, 0, 1), RETURN(TRAP),
#define OWN_ONLY(nr) CALL(nr, 3), LOAD(ARG_0), JUMP_EQUAL(OWN_PID, 1, 0), RETURN(TRAP | 7)
	OWN_ONLY(SYS_kill), OWN_ONLY(SYS_tgkill), OWN_ONLY(SYS_rt_tgsigqueueinfo),
	RETURN(ALLOW),
};

static const struct filter fixed[] = {
	CALL(SYS_mmap, 4), LOAD(ARG_2), { 0x54, 0, 0, 6 }, JUMP_EQUAL(6, 0, 1),
		RETURN(ERROR(EPERM)),
	CALL(SYS_mprotect, 3), LOAD(ARG_2), JUMP_ANY(4, 0, 1), RETURN(ERROR(EPERM)),
	CALL(SYS_pkey_mprotect, 3), LOAD(ARG_2), JUMP_ANY(4, 0, 1), RETURN(ERROR(EPERM)),
	RETURN(ALLOW),
};

static const struct filter strict[] = {
	LOAD(NR),
	IF(SYS_write, ALLOW), IF(SYS_exit_group, ALLOW),
	IF(SYS_fstat, ALLOW), IF(SYS_newfstatat, ALLOW),
	IF(SYS_brk, ALLOW), IF(SYS_lseek, ALLOW),
	RETURN(KILL_PROCESS),
};

#define INSTALL(f, flags) install(f, sizeof(f) / sizeof(*f), flags)

static void install(const struct filter *f, size_t n, int flags)
{
	struct program p = { n, f };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (flags ? syscall(SYS_seccomp, SET_FILTER, flags, &p) :
		    prctl(PR_SET_SECCOMP, MODE_FILTER, &p))
		perror("seccomp");
}

static volatile int ticks, tried;
static void *call_end;		/* the address after the call */

static void count(int sig)
{
	ticks += sig == SIGALRM;
}

/* The call that was trapped has the result 77. */
static void handle(int sig, siginfo_t *info, void *at)
{
	greg_t *g = ((ucontext_t *)at)->uc_mcontext.gregs;

	printf("SIGSYS %d: call %d, errno %d, its address %s, %s\n", sig == SIGSYS,
	       info->si_syscall, info->si_errno,
	       info->si_call_addr == (void *)g[REG_RIP] ? "is that of RIP" : "is wrong",
	       call_end == (void *)g[REG_RIP] ? "in the program" : "elsewhere");
	g[REG_RAX] = 77;
}

/* Code that was made before the filter. */
static unsigned char *before, *many;
enum { MANY = 6 << 20, EACH = 32 };

static void make_before(void)
{
	int i;

	before = mmap(NULL, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	many = mmap(NULL, MANY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (i = 0; i < MANY; i += EACH)
		memcpy(many + i, "\xb8\1\0\0\0\xc3", 6);	/* mov $1, %eax; ret */
	mprotect(many, MANY, PROT_READ | PROT_EXEC);
	((int (*)(void))memcpy(before, "\xb8\1\0\0\0\xc3", 6))();
}

/* More than fits into the code cache at once. */
static void run_many(void)
{
	int i, round, sum = 0;

	for (round = 0; round < 2; round++)
		for (i = 0; i < MANY; i += EACH)
			sum += ((int (*)(void))(many + i))();
	printf("many %d\n", sum);
}

static long make_dir(const char *name)
{
	long result = SYS_mkdir;

	__asm__ volatile("lea 1f(%%rip), %%rcx; mov %%rcx, %1; syscall; 1:"
			 : "+a"(result), "=m"(call_end) : "D"(name), "S"(0700L)
			 : "rcx", "r11", "memory");
	return result;
}

static unsigned work(unsigned n)
{
	unsigned i, sum = 0;

	for (i = 0; i < n; i++)
		sum = sum * 31 + (i % 3 ? i : sum >> 5);
	return sum;
}

/* What the agent takes part in: signals, new code, threads, bad addresses. */
static void try(void)
{
	struct itimerval often = { { 0, 500 }, { 0, 500 } };
	struct sigaction act = { .sa_handler = count };
	unsigned char *code;
	sigset_t set;
	int i, sum = 0, status = 0;

	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (ticks < 3) {
		sigemptyset(&set);
		sigaddset(&set, SIGALRM);
		sigprocmask(SIG_BLOCK, &set, NULL);
		sum += work(100) & 1;
		sigprocmask(SIG_UNBLOCK, &set, NULL);
	}
	memset(&often, 0, sizeof(often));
	setitimer(ITIMER_REAL, &often, NULL);
	code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	if (code == MAP_FAILED)
		code = before;
	for (i = sum = 0; code && i < 50; i++) {
		memcpy(code, "\xb8\0\0\0\0\xc3", 6);
		code[1] = i;
		sum += ((int (*)(void))code)();
	}
	printf("work %u, made code %d\n", work(3000), sum);
	printf("bad addresses: %ld %ld\n", syscall(SYS_rt_sigprocmask, SIG_BLOCK, 8, 0, 8),
	       syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, code + 4092, 8));
	fflush(stdout);
	if (!fork())
		_exit(work(1000) & 63);
	wait(&status);
	printf("child %d\n", status);
}

/* It must not keep the code of an old epoch. Few branches are executed meanwhile. */
static void *clear(void *of)
{
	static char area[1 << 20];

	while (!tried) {
		char *to = area;
		size_t n = sizeof(area);

		__asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(0) : "memory");
	}
	return of;
}

static void *in_thread(void *of)
{
	(void)of;
	while (!tried)
		usleep(1000);
	return (void *)make_dir("/");
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "all";
	struct sigaction act = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO };
	pthread_t thread;
	void *result = NULL;
	size_t i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!strcmp(kind, "tsync"))
		pthread_create(&thread, NULL, in_thread, NULL);
	sigaction(SIGSYS, &act, NULL);
	if (!strcmp(kind, "ask"))
		printf("%d %d\n", prctl(PR_SET_SECCOMP, MODE_FILTER, NULL),
		       (int)syscall(SYS_seccomp, SET_FILTER, FLAG_TSYNC, NULL));
	if (!strcmp(kind, "all"))
		INSTALL(all, 0);
	if (!strcmp(kind, "some") || !strcmp(kind, "twice"))
		INSTALL(some, 0);
	if (!strcmp(kind, "tsync"))
		INSTALL(some, FLAG_TSYNC);
	if (!strcmp(kind, "kill") || !strcmp(kind, "twice"))
		INSTALL(kills, 0);
	if (!strcmp(kind, "trap"))
		INSTALL(traps, FLAG_SPEC_ALLOW);
	if (!strcmp(kind, "fixed") || !strcmp(kind, "mdwe")) {
		make_before();
		pthread_create(&thread, NULL, clear, NULL);
		if (*kind == 'm')
			prctl(SET_MDWE, 1, 0, 0, 0);
		else
			INSTALL(fixed, 0);
		run_many();
		tried = 1;
		pthread_join(thread, NULL);
		tried = 0;
	}
	if (!strcmp(kind, "sandbox")) {
		for (i = 0; i < sizeof(sandbox) / sizeof(*sandbox); i++)
			if (sandbox[i].code == 0x15 && sandbox[i].k == OWN_PID)
				sandbox[i].k = getpid();
		INSTALL(sandbox, FLAG_TSYNC);
		pthread_create(&thread, NULL, in_thread, NULL);
	}
	if (!strcmp(kind, "strict")) {
		INSTALL(strict, 0);
		printf("work %u\n", work(1000));
		return 3;
	}
	try();
	if (!strcmp(kind, "sandbox"))
		printf("trapped: %ld %ld\n", syscall(SYS_vfork), syscall(SYS_open, "/", 0));
	tried = 1;
	if (!strcmp(kind, "tsync") || !strcmp(kind, "sandbox")) {
		pthread_join(thread, &result);
		printf("thread %ld\n", (long)result);
	}
	if (argc > 2) {
		execv(argv[2], argv + 2);
		perror(argv[2]);
	}
	printf("mkdir %ld\n", make_dir("/"));
	return 5;
}
