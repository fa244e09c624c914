/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A thread under ptrace, as its instruction set has it: registers, and what its
 * system calls are.
 */
#ifndef PT_TRACEE_H
#define PT_TRACEE_H

#include <sys/user.h>

#include <pt/arch.h>

/* What the recorder has to know of a system call, whatever its number is. */
enum tracee_call {
	CALL_OTHER,
	CALL_MAP,	/* mmap: args are those of mmap(2) */
	CALL_PROTECT,	/* mprotect and its kind: addr, len, prot */
	CALL_UNMAP,	/* addr, len */
	CALL_REMAP,	/* anything else that may change what is mapped */
	CALL_MASK,	/* may change which signals are blocked */
	CALL_PTRACE,	/* asks for another tracer */
	CALL_NAME,	/* prctl: perhaps the thread's name */
	CALL_CLONE, CALL_CLONE3, CALL_FORK, CALL_VFORK,
	CALL_GET_AFFINITY, CALL_SET_AFFINITY,
};

struct tracee_regs {
	struct user_regs_struct raw;
};

/* The registers of the stopped thread 'tid'; -errno (-ESRCH: it is gone). */
int tracee_get(i32 tid, struct tracee_regs *regs);
int tracee_set(i32 tid, const struct tracee_regs *regs);

/* General registers by their number in instructions. Setting them means that
 * whatever system call was going on is over. */
void tracee_general(const struct tracee_regs *regs, u64 r[16]);
void tracee_set_general(struct tracee_regs *regs, const u64 r[16]);

static inline u64 tracee_ip(const struct tracee_regs *regs)
{
	return regs->raw.rip;
}

/* By the code segment. */
enum insn_mode tracee_mode(const struct tracee_regs *regs);

/* The program traps itself: the trap flag is on. */
bool tracee_traps(const struct tracee_regs *regs);

/* It is off. */
void tracee_untrap(struct tracee_regs *regs);

/* The system call that 'regs', in front of it, are going to make; 'narrow': by
 * the way and the numbers of 32-bit programs. */
enum tracee_call tracee_call(const struct tracee_regs *regs, bool narrow, u64 args[6]);
/* The same of 'regs' inside it. */
enum tracee_call tracee_call_made(const struct tracee_regs *regs, u64 args[6]);
/* Its result; *again if it is to be made once more, unless a signal decides otherwise. */
/* It is, or was, in one: tracee_result() means something. */
bool tracee_in_call(const struct tracee_regs *regs);
i64 tracee_result(const struct tracee_regs *regs, bool *again);

/* As the kernel does it where no signal comes: the call is made once more. */
void tracee_settle(struct tracee_regs *regs);

/* It returned EINTR because its thread was stopped, of a kind that may be made again: make it so
 * that the thread makes it again when it goes on. The caller knows that no signal waits. */
bool tracee_make_again(struct tracee_regs *regs);

/* Is the instruction 'code', of kind INSN_INT or INSN_SYSCALL, a system call? */
bool tracee_is_call(const struct insn *insn, struct bytes code);

/* Does the processor do it again and again, stopping at each round? */
bool tracee_repeats(struct bytes code);

/* The value that PTWRITE 'code', which is next, would write; 'mem': /proc/PID/mem. Returns its
 * size; 0 if it cannot be had. */
u32 tracee_ptwrite(const struct tracee_regs *regs, struct bytes code, int mem, u64 *value);

/* Does it take all flags from the stack? */
bool tracee_pops_flags(struct bytes code);

/* A step over 'code' ended: take the step's own trap flag out of where it shows.
 * True if 'regs' were changed. */
bool tracee_stepped(struct tracee_regs *regs, struct bytes code, int mem);

/* It is in a restartable sequence, and will not go on in it but at its abort
 * handler, because it was stopped there: make it so. 'mem': /proc/PID/mem. */
bool tracee_restarts(i32 tid, struct tracee_regs *regs, int mem);

/* Is it in the page where the kernel does calls by itself (vsyscall)? */
bool tracee_kernel_page(u64 ip);

#endif
