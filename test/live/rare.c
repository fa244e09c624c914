/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Instructions that are rare in programs, and faults at them: rare NUMBER
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifdef __x86_64__
#define SP "rsp"
#else
#define SP "esp"
#endif

static sigjmp_buf back;

static void jump_back(int sig)
{
	siglongjmp(back, sig);
}

/* Transactions: each of them begins, and either ends or is aborted. With a prefix, too; 66h makes
 * the displacement shorter. */
#define TRANSACTION(...) do { \
		int status = -1; \
		__asm__ volatile(".byte " #__VA_ARGS__ : "+a"(status) : : "memory"); \
		n++; \
		if (status == -1) \
			__asm__ volatile(".byte 0x0f, 0x01, 0xd5" : : : "memory"); \
	} while (0)

static int transactions(void)
{
	int n = 0, i;

	for (i = 0; i < 100; i++) {
		TRANSACTION(0xc7, 0xf8, 0, 0, 0, 0);
		TRANSACTION(0x2e, 0xc7, 0xf8, 1, 0, 0, 0, 0x90);
#ifdef __x86_64__
		TRANSACTION(0x66, 0xc7, 0xf8, 1, 0, 0x90);
		TRANSACTION(0x66, 0x48, 0xc7, 0xf8, 1, 0, 0, 0, 0x90);
#endif
	}
	return n;
}

static int lock_xbegin(void)
{
	__asm__ volatile(".byte 0xf0, 0xc7, 0xf8, 0, 0, 0, 0");
	return 0;
}

/* What the kernel emulates, and MOV SS: a single step over these executes two instructions. */
static int two_steps(void)
{
	long r = 0, n = 0;

	__asm__ volatile("smsw	%0\n"
			 "	inc	%1\n"
			 "	str	%0\n"
			 "	jmp	1f\n"
			 "1:	inc	%1\n"
			 "	smsw	%0\n"
			 "	cmp	$4, %1\n"
			 "	jb	1b\n"
			 "	sldt	%0\n"
			 "	loop	2f\n"
			 "2:	mov	%%ss, %0\n"
			 "	mov	%0, %%ss\n"
			 "	nop\n"
			 "	mov	%0, %%ss\n"
			 "	call	3f\n"
			 "3:	pop	%0\n" : "+a"(r), "+b"(n) : : "rcx", "memory");
	return n;
}

/* A gather without a SIB byte is invalid. */
static int gather(void)
{
	__asm__ volatile(".byte 0xc4, 0xe2, 0x6d, 0x90, 0x05, 0, 0, 0, 0");
	return 0;
}

/* ENTER writes to the end of the frame that it makes. */
static int enter(void)
{
	char *stack = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(stack, 1 << 15, PROT_READ);
	__asm__ volatile("mov	%0, %%" SP "; enter $0xa000, $0; ud2" : : "a"(stack + (1 << 16)));
	return 0;
}

/* INT1 */
static int int1(void)
{
	__asm__ volatile(".byte 0xf1");
	return 0;
}

/* VMCALL: the machine below may answer. */
static int vmcall(void)
{
	long r = 99;

	__asm__ volatile(".byte 0x0f, 0x01, 0xc1" : "+a"(r) : : "rbx", "rcx", "rdx", "memory");
	return r;
}

/* MOV from a control register: its ModRM byte never means memory. In 32-bit code, too. */
static int control(void)
{
	__asm__ volatile(".byte 0x0f, 0x20, 0x05");
	return 0;
}

static int control2(void)
{
	__asm__ volatile(".byte 0x0f, 0x21, 0x44");
	return 0;
}

/* Code that has changed, and that must not be executed any more. */
static int not_code(void)
{
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*call)(void) = (void (*)(void))page;
	int i;

	for (i = 0; i < 5; i++) {
		page[i] = 0x90;
		page[i + 1] = 0xc3;
		call();
	}
	mprotect(page, 4096, PROT_READ | PROT_WRITE);
	page[0] = 0x90;
	call();
	return 0;
}

/* What LOCK forbids, and a POP whose ModRM byte is wrong. In 32-bit code, too. */
static int lock_pop(void)
{
	__asm__ volatile(".byte 0xf0, 0x58");
	return 0;
}

static int lock_inc(void)
{
	__asm__ volatile(".byte 0xf0, 0x40, 0x90");
	return 0;
}

static int wrong_pop(void)
{
	static long word;

	__asm__ volatile(".byte 0x8f, 0x20" : : "a"(&word) : "memory");
	return 0;
}

#ifdef __x86_64__
/* A REX before another prefix has no effect: MOV from EBX to EAX, with a prefix GS. */
static int dead_rex(void)
{
	int r = 0;

	__asm__ volatile(".byte 0x4d, 0x65, 0x89, 0xd8" : "+a"(r) : "b"(77) : "r8");
	return r;
}
#endif

/* Old programs find an 80486 by the flag AC. With it misaligned accesses fault, also those that pt
 * makes: there are calls and branches meanwhile. */
static int aligned(void)
{
	enum { AC = 1 << 18 };
	unsigned long was, now, later;
	int i, n = 0;

	for (i = 0; i < 100; i++) {
		__asm__ volatile("pushf\n"
				 "	pop	%0\n"
				 "	mov	%0, %1\n"
				 "	xor	%3, %1\n"
				 "	push	%1\n"
				 "	popf\n"
				 "	pushf\n"
				 "	pop	%1\n"
				 "	xor	%0, %1\n"
				 "	jz	1f\n"
				 "	call	2f\n"
				 "1:	push	%0\n"
				 "	popf\n"
				 "	pushf\n"
				 "	pop	%2\n"
				 "	jmp	3f\n"
				 "2:	ret\n"
				 "3:" : "=&r"(was), "=&r"(now), "=&r"(later) : "i"(AC) : "memory",
				 "cc");
		n += now == AC && later == was && !(was & AC);
	}
	return n;
}

static volatile int steps;

static void stepped(int sig)
{
	steps++;
}

/* The program steps itself: three NOPs, and the end of that. */
static int trap_flag(void)
{
	signal(SIGTRAP, stepped);
	__asm__ volatile("lea	-256(%%" SP "), %%" SP "\n"
			 "	pushf\n"
			 "	orl	$0x100, (%%" SP ")\n"
			 "	popf\n"
			 "	nop\n"
			 "	nop\n"
			 "	nop\n"
			 "	pushf\n"
			 "	andl	$~0x100, (%%" SP ")\n"
			 "	popf\n"
			 "	lea	256(%%" SP "), %%" SP "\n" : : : "memory", "cc");
	return steps;
}

int main(int argc, char **argv)
{
	static int (*const all[])(void) = {
		transactions, int1, control, control2, not_code, vmcall, lock_pop, lock_inc,
		wrong_pop, two_steps, lock_xbegin, gather, enter, aligned, trap_flag,
#ifdef __x86_64__
		dead_rex,
#endif
	};
	static const int sigs[] = { SIGILL, SIGSEGV, SIGTRAP, SIGBUS };
	unsigned int i = argc > 1 ? atoi(argv[1]) : 0;
	int sig;

	for (sig = 0; sig < 4; sig++)
		signal(sigs[sig], jump_back);
	sig = sigsetjmp(back, 1);
	if (sig)
		printf("%u: signal %d\n", i, sig);
	else
		printf("%u: %d\n", i, all[i]());
	return 3;
}
