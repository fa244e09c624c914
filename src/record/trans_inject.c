/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Putting the agent into a stopped process.
 *
 * The thread itself makes a memory file and maps it, by a few instructions that stand in a page
 * of the program's code for that moment. pt opens the file by /proc, writes its head and the
 * agent's code, and starts the thread there: one stop in all. The addresses are far from where
 * the kernel or a program puts anything, so that the program's own are what they always were;
 * the sanitizers' shadows do not reach there either.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pt/inject.h>
#include <pt/out.h>

#include "trans.h"

enum {
	PAGE = 4096,
	NR_CLOSE = 3, NR_MMAP = 9, NR_MUNMAP = 11, NR_MEMFD_CREATE = 319,	/* of x86-64 */
	NAME_AT = INJECT_CODE - 8,
	FIXED_NOREPLACE = 0x100000,
	DO_FILE = 0, DO_SHARED, DO_BLOB, N_DO,
};

#define SHARED_AT 0x680000000000ull
#define BLOB_AT 0x67ff00000000ull

/* Let it run up to a trap, all signals but SIGTRAP being blocked. A stopping signal comes
 * nevertheless, and is sent again later. 0; or -ESRCH if it ended, which is told to the
 * recorder. */
static int run_to_trap(struct soft *s, i32 tid, u64 *later)
{
	int status, got;

	for (;;) {
		if (ptrace(PTRACE_CONT, tid, 0, 0))
			return -ESRCH;
		do
			got = waitpid(tid, &status, __WALL);
		while (got < 0 && errno == EINTR);	/* by the timer of record_soft.c */
		if (got != tid)
			return -ESRCH;
		if (!WIFSTOPPED(status) || status >> 16 == PTRACE_EVENT_EXIT) {
			soft_stopped(s, tid, status);
			return -ESRCH;
		}
		if (WSTOPSIG(status) == SIGTRAP && !(status >> 16))
			return 0;
		if (!(status >> 16))
			*later |= 1ull << (WSTOPSIG(status) - 1);
	}
}

void trans_send_again(const struct thread *t, u64 signals)
{
	int i;

	for (i = 1; i < 64; i++)
		if (signals >> (i - 1) & 1)
			syscall(SYS_tgkill, t->pid, t->tid, i);
}

/* Make the calls, with code written over that at 'page', which comes back. The page's last bytes
 * are the name of a file meanwhile. */
static int make_calls(struct soft *s, struct thread *t, u64 page, const struct inject_call *calls,
		      u32 n, struct tracee_regs *after)
{
	u64 mask = 0, open = ~(1ull << (SIGTRAP - 1)), later = 0;
	u8 code[INJECT_CODE], old[INJECT_CODE];
	struct tracee_regs regs = t->regs;
	int mem = t->vm->mem, err;

	inject_code(code, calls, n);
	memcpy(code + NAME_AT, "pt", 3);
	if (pread(mem, old, sizeof(old), page) != sizeof(old) ||
	    pwrite(mem, code, sizeof(code), page) != sizeof(code))
		return -EFAULT;
	ptrace(PTRACE_GETSIGMASK, t->tid, 8, &mask);
	ptrace(PTRACE_SETSIGMASK, t->tid, 8, &open);
	regs.raw.rip = page;
	regs.raw.orig_rax = -1;
	tracee_set(t->tid, &regs);
	err = run_to_trap(s, t->tid, &later);
	if (err)
		return err;
	err = tracee_get(t->tid, after);
	pwrite(mem, old, sizeof(old), page);
	ptrace(PTRACE_SETSIGMASK, t->tid, 8, &mask);
	trans_send_again(t, later);
	t->set_regs = true;
	return err;
}

/* The file of the thread's descriptor 'fd', mapped here. */
static int open_memory(struct image *image, i32 tid, int fd)
{
	char path[64];
	int own, err = 0;

	fmt_str(path, sizeof(path), "/proc/%d/fd/%d", tid, fd);
	own = open(path, O_RDWR | O_CLOEXEC);
	if (own < 0)
		return -errno;
	image->shared = MAP_FAILED;
	if (!ftruncate(own, image->size))
		image->shared = mmap(NULL, image->size, PROT_READ | PROT_WRITE, MAP_SHARED, own,
				     0);
	if (image->shared == MAP_FAILED)
		err = -errno;
	close(own);
	return err;
}

/* It cannot be: nothing of ours stays. */
static void undo(struct soft *s, struct thread *t, u64 page, i64 fd, i64 shared, u64 size)
{
	const struct inject_call calls[] = {
		{ NR_CLOSE, .args = { fd } },
		{ NR_MUNMAP, .args = { shared, size } },
	};
	struct tracee_regs after;

	if (fd >= 0)
		make_calls(s, t, page, calls, shared > 0 ? 2 : 1, &after);
}

static int map_agent(struct soft *s, struct thread *t, struct image *image, u64 page, u64 *blob_at)
{
	struct bytes blob = trans_blob();
	u64 size = image->size - PAGE;
	const struct inject_call calls[N_DO] = {
		[DO_FILE] = { NR_MEMFD_CREATE, .args = { page + NAME_AT, MFD_CLOEXEC } },
		[DO_SHARED] = { NR_MMAP, 5, DO_FILE, { SHARED_AT, size, PROT_READ | PROT_WRITE,
			MAP_SHARED | FIXED_NOREPLACE } },
		[DO_BLOB] = { NR_MMAP, .args = { BLOB_AT, round_up(blob.len, PAGE),
			PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | FIXED_NOREPLACE,
			-1 } },
	};
	struct tracee_regs after;
	i64 fd, shared, code;
	int err = make_calls(s, t, page, calls, N_DO, &after);

	if (err)
		return err;
	fd = inject_result(&after, DO_FILE);
	shared = inject_result(&after, DO_SHARED);
	code = inject_result(&after, DO_BLOB);
	err = fd < 0 ? fd : shared < 0 ? shared : code < 0 ? code : open_memory(image, t->tid, fd);
	if (!err && pwrite(t->vm->mem, blob.at, blob.len, code) != (ssize_t)blob.len)
		err = -EFAULT;
	if (err) {
		undo(s, t, page, fd, shared, size);
		return err;
	}
	image->at = shared;
	image->shared->fd = fd;
	*blob_at = code;
	return 0;
}

int trans_inject(struct soft *s, struct thread *t, struct image *image)
{
	int err = tracee_get(t->tid, &t->regs);
	u64 blob_at;

	if (!err && tracee_mode(&t->regs) != INSN_64)
		err = -ENOEXEC;		/* the agent is 64-bit code */
	if (!err)
		err = map_agent(s, t, image, tracee_ip(&t->regs) & -(u64)PAGE, &blob_at);
	if (err)
		return err;
	trans_prepare(s, image, blob_at);
	trans_take_slot(s, image, 0, t);
	return 0;
}

void trans_unmap(struct soft *s, struct thread *t)
{
	const struct inject_call calls[] = {
		{ NR_MUNMAP, .args = { t->image->at, t->image->size - PAGE } },
		{ NR_MUNMAP, .args = { t->image->shared->blob, round_up(trans_blob().len, PAGE) } },
	};
	struct tracee_regs after;

	make_calls(s, t, tracee_ip(&t->regs) & -(u64)PAGE, calls, N_ELEM(calls), &after);
}
