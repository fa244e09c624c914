/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A thread under ptrace: its registers and system calls, which depend on the instruction set.
 */
#ifndef PT_TRACEE_H
#define PT_TRACEE_H

#include <sys/user.h>

#include <pt/arch.h>

/* Kinds of system calls that the recorder handles. */
enum tracee_call {
	CALL_OTHER,
	CALL_MAP,	/* mmap: args are those of mmap(2) */
	CALL_PROTECT,	/* mprotect, pkey_mprotect: addr, len, prot */
	CALL_UNMAP,	/* addr, len */
	CALL_REMAP,	/* any other call that may change mappings */
	CALL_MASK,	/* may change which signals are blocked */
	CALL_PTRACE,	/* requests another tracer */
	CALL_NAME,	/* prctl: may set the thread's name */
	CALL_CLONE, CALL_CLONE3, CALL_FORK, CALL_VFORK,
	CALL_GET_AFFINITY, CALL_SET_AFFINITY,
};

struct tracee_regs {
	struct user_regs_struct raw;
};

/* Read, and write, the registers of the stopped thread 'tid'. Return 0 or -errno (-ESRCH: the
 * thread has exited). */
int tracee_get(i32 tid, struct tracee_regs *regs);
int tracee_set(i32 tid, const struct tracee_regs *regs);

/* General registers, indexed by their number in instructions. Setting them also ends the current
 * system call: it is not restarted. */
void tracee_general(const struct tracee_regs *regs, u64 r[16]);
void tracee_set_general(struct tracee_regs *regs, const u64 r[16]);

static inline u64 tracee_ip(const struct tracee_regs *regs)
{
	return regs->raw.rip;
}

/* The kernel's code segments. */
enum { TRACEE_CODE_32 = 0x23, TRACEE_CODE_64 = 0x33 };

/* The mode that the code segment selects. */
enum insn_mode tracee_mode(const struct tracee_regs *regs);

/* Is the trap flag set? */
bool tracee_traps(const struct tracee_regs *regs);

/* Clear the trap flag. */
void tracee_untrap(struct tracee_regs *regs);

/* The kind and the arguments of the system call that the next instruction makes. 'narrow': it uses
 * the numbers and registers of 32-bit programs. */
enum tracee_call tracee_call(const struct tracee_regs *regs, bool narrow, u64 args[6]);
/* The same for a thread inside the call. */
enum tracee_call tracee_call_made(const struct tracee_regs *regs, bool narrow, u64 args[6]);
/* Was the thread stopped in, or after, a system call? If so, tracee_result() is valid. */
bool tracee_in_call(const struct tracee_regs *regs);
/* The result of the call. Sets '*again' if the kernel restarts the call, which a signal may
 * prevent. */
i64 tracee_result(const struct tracee_regs *regs, bool *again);

/* If the kernel would continue the call by restart_syscall(), let it make the whole call again,
 * whose timeout then starts again; or fail with EINTR, as before, if a handler comes first. True if
 * 'regs' changed. */
bool tracee_whole_call(struct tracee_regs *regs);

/* Restart the call, as the kernel does when no signal arrives. */
void tracee_settle(struct tracee_regs *regs);

/* If the call returned EINTR only because the thread was stopped, and may be repeated: change
 * 'regs' so that the thread repeats it. The caller has checked that no signal is pending. */
bool tracee_make_again(struct tracee_regs *regs);

/* Is the instruction 'code', of kind INSN_INT or INSN_SYSCALL, a system call? */
bool tracee_is_call(const struct insn *insn, struct bytes code);

/* Is it a REP string instruction? A single step executes one repetition of it. */
bool tracee_repeats(struct bytes code);

/* Is it XBEGIN, of the instructions that continue elsewhere? */
bool tracee_is_xbegin(struct bytes code);

/* The value that the next instruction 'code', a PTWRITE, would write. 'mem' is the descriptor of
 * /proc/PID/mem. Returns the value's size in bytes; 0 if the value cannot be read. */
u32 tracee_ptwrite(const struct tracee_regs *regs, struct bytes code, int mem, u64 *value);

/* Does it load the flags from the stack (POPF, IRET)? */
bool tracee_pops_flags(struct bytes code);

/* After a single step over 'code': remove the trap flag of the step where the program can read it.
 * Returns true if 'regs' changed. */
bool tracee_stepped(struct tracee_regs *regs, struct bytes code, int mem);

/* If the thread was stopped in a restartable sequence, set its IP to the abort handler, as the
 * kernel would do. 'mem': /proc/PID/mem. Returns true if 'regs' changed. */
bool tracee_restarts(i32 tid, struct tracee_regs *regs, int mem);

/* Does it read the time-stamp counter (RDTSC, RDTSCP)? */
bool tracee_reads_tsc(const u8 code[INSN_MAX]);

/* Return from a function of the vDSO that reads the time-stamp counter (clock_gettime(),
 * gettimeofday()), where the registers were 'entry' when it began: its system call is made for the
 * thread. 'mem': /proc/PID/mem. False if its memory could not be accessed. */
bool tracee_tell_time(struct tracee_regs *regs, const struct tracee_regs *entry, int mem);

/* Is 'ip' in the vsyscall page? The kernel emulates calls to it. */
bool tracee_kernel_page(u64 ip);

#endif
