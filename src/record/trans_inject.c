/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Put the agent into a stopped process.
 *
 * The thread itself creates a memfd and maps it, with a few instructions that are written into a
 * page of the program for that moment, and that lead back to the program if pt dies. pt opens the
 * memfd through /proc, writes its head and the agent's code, and starts the thread there. The
 * addresses are below the range in which the kernel begins to map memory downward, so that the
 * program's addresses do not change, and where sanitizers have no shadow memory and allow maps.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pt/config/SOFT_AGAIN.h>
#include <pt/config/SOFT_FILTERS.h>
#include <pt/config/SOFT_SPEED.h>
#include <pt/config/SOFT_TRANSLATE_32.h>
#include <pt/inject.h>
#include <pt/out.h>

#include "trans.h"

enum {
	PAGE = 4096,
	NR_OPEN = 2, NR_MMAP = 9, NR_MUNMAP = 11,	/* of x86-64 */
	NR_MEMFD_CREATE = 319,
	CLASS_AT = 4, SECTIONS_AT = 40, SECTIONS_AT_32 = 32,	/* in an ELF header */
	FIXED_NOREPLACE = 0x100000,
	/* With less, the agent would take too much of it. */
	LEAST = 3 << 20,	/* shared memory, at a limit of 32 MiB (ulimit -v) */
	LEAST_DATA = 32 << 20,	/* the limit of private memory (ulimit -d) */
	DO_FILE = 0, DO_SHARED, DO_BLOB, N_DO,
};

void trans_send_again(const struct tracee *t, u64 signals)
{
	int i;

	/* A stop signal discards a pending SIGCONT; so one that is pending came after it. */
	if (signals & STOP_SIGNALS && soft_pending(t) >> (SIGCONT - 1) & 1)
		signals &= ~STOP_SIGNALS;
	for (i = 1; i < 64; i++)
		if (signals >> (i - 1) & 1)
			syscall(SYS_tgkill, t->pid, t->tid, i);
}

/* Are these bytes the zeros after the code of a file, at the end of its last page? */
static bool is_padding(const struct vm *vm, u64 at)
{
	u8 bytes[INJECT_CODE], any = 0;
	u32 i;

	if (pread(vm->mem, bytes, sizeof(bytes), at) != sizeof(bytes))
		return false;
	for (i = 0; i < sizeof(bytes); i++)
		any |= bytes[i];
	return !any;
}

/* The end of the vDSO, which contains at most section headers, and no program reads these; or the
 * end of the code of a file. Programs do not unmap these. */
u64 trans_spare_place(const struct vm *vm)
{
	u64 headers, at;
	u8 narrow;
	u32 i;

	for (i = 0; i < vm->n_regions; i++) {
		const struct region *r = &vm->regions[i];

		at = r->end - INJECT_CODE;
		headers = narrow = 0;
		if (CONFIG_SOFT_TRANSLATE_32)
			pread(vm->mem, &narrow, 1, r->start + CLASS_AT);
		narrow &= 1;
		if (is_vdso(r) &&
		    pread(vm->mem, &headers, narrow ? 4 : 8,
			  r->start + (narrow ? SECTIONS_AT_32 : SECTIONS_AT)) > 0 &&
		    headers && headers <= at - r->start)
			return at;
	}
	for (i = 0; i < vm->n_regions; i++)
		if (vm->regions[i].ino && is_padding(vm, vm->regions[i].end - INJECT_CODE))
			return vm->regions[i].end - INJECT_CODE;
	return 0;
}

/* Where to write the calls: in the spare place, or else over the program's own code, which is safe
 * while all threads are stopped and pt lives. */
static u64 place_for(const struct tracee *t)
{
	u64 at = trans_spare_place(t->vm);

	return at ? at : tracee_ip(&t->regs) & -(u64)PAGE;
}

static bool is_same(int a, int b)
{
	struct stat of_a, of_b;

	return !fstat(a, &of_a) && !fstat(b, &of_b) && of_a.st_dev == of_b.st_dev &&
	       of_a.st_ino == of_b.st_ino;
}

/* Map the memory that the thread has open as 'fd' into pt. 0 or -errno. If pt has made the memory,
 * 'made' is its descriptor in pt, else -1. Then compare the two, since the thread has opened it
 * through /proc, and may see other processes there. */
static int open_memory(struct image *image, i32 tid, int fd, int made)
{
	char path[64];
	int own, err = 0;

	fmt_str(path, sizeof(path), "/proc/%d/fd/%d", tid, fd);
	own = open(path, O_RDWR | O_CLOEXEC);
	if (own < 0)
		return -errno;
	image->shared = MAP_FAILED;
	if ((made < 0 || is_same(own, made)) && !ftruncate(own, image->size))
		image->shared = mmap(NULL, image->size, PROT_READ | PROT_WRITE, MAP_SHARED, own,
				     0);
	if (image->shared == MAP_FAILED)
		err = made < 0 ? -errno : -EPERM;
	close(own);
	return err;
}

/* The agent's memory: what the thread has made, and pt maps. */
struct making {
	struct image *image;
	int own;		/* the file if pt has made it, else -1 */
	int err;
	i64 shared, code;	/* addresses there */
};

/* Write to memory that may be write-protected. Some kernels allow that only by ptrace()
 * (proc_mem.force_override=never). */
static bool put_code(const struct tracee *t, struct bytes b, u64 at)
{
	u32 i;

	if (pwrite(t->vm->mem, b.at, b.len, at) == (ssize_t)b.len)
		return true;
	for (i = 0; i < b.len; i += 8)
		if (ptrace(PTRACE_POKEDATA, t->tid, at + i, get64(b.at + i)))
			return false;
	return true;
}

/* The thread has made its memory: map it into pt, and write the agent's code. The first bytes are
 * written last: see is_left_over(). */
static int take_memory(const struct tracee *t, struct making *m)
{
	i64 fd = inject_result(&t->regs, DO_FILE), code = inject_result(&t->regs, DO_BLOB);
	struct bytes blob = m->image->agent;
	const u32 first = 8;
	int err;

	m->shared = inject_result(&t->regs, DO_SHARED);
	m->code = code;
	if (fd < 0 || m->shared < 0 || code < 0)
		return fd < 0 ? fd : m->shared < 0 ? m->shared : code;
	err = open_memory(m->image, t->tid, fd, m->own);
	if (!err && (!put_code(t, bytes_skip(blob, first), code + first) ||
		     !put_code(t, (struct bytes){ blob.at, first }, code)))
		err = -EFAULT;
	return err;
}

/* Make the calls. t->regs are the program's, and are restored afterwards. Everything is changed in
 * an order in which pt may be killed at any time. 0 or -errno; -ESRCH: the thread died. */
static int make_calls(struct soft *s, struct tracee *t, const struct inject_call *calls, u32 n,
		      struct making *m, const char *name)
{
	u64 at = place_for(t), all = ~0ull, mask = 0;
	struct tracee_regs regs = t->regs, back = regs;
	u8 code[INJECT_CODE] = { 0 }, old[INJECT_CODE];
	int mem = t->vm->mem, err;
	struct inject_ends ends;

	ptrace(PTRACE_GETSIGMASK, t->tid, 8, &mask);
	tracee_settle(&back);
	ends = inject_code(code, at, calls, n, &back, mask, m);
	memcpy(code + INJECT_SPARE, name, strlen(name));
	if (pread(mem, old, sizeof(old), at) != sizeof(old) ||
	    !put_code(t, (struct bytes){ code, sizeof(code) }, at))
		return -EFAULT;
	t->regs.raw.rip = at;
	t->regs.raw.cs = TRACEE_CODE_64;
	t->regs.raw.orig_rax = -1;
	tracee_set(t->tid, &t->regs);
	ptrace(PTRACE_SETSIGMASK, t->tid, 8, &all);
	err = trans_run_to(s, t, at + ends.made);
	if (!err && m) {
		m->err = take_memory(t, m);
		err = trans_run_to(s, t, at + ends.closed);
	}
	if (err)
		return err;
	t->regs = regs;
	ptrace(PTRACE_SETSIGMASK, t->tid, 8, &mask);
	tracee_set(t->tid, &regs);
	put_code(t, (struct bytes){ old, sizeof(old) }, at);
	return m ? m->err : 0;
}

/* Unmap what was made. If a mapping failed, its address is an error, and munmap() does nothing. */
static void unmap(struct soft *s, struct tracee *t, const struct image *image, u64 shared, u64 size,
		  u64 code)
{
	const struct inject_call calls[] = {
		{ NR_MUNMAP, .args = { shared, MIN(size, image->size - PAGE) } },
		{ NR_MUNMAP, .args = { code, round_up(image->agent.len, PAGE) } },
	};

	make_calls(s, t, calls, N_ELEM(calls), NULL, "");
}

/* Was a pt killed after it mapped both, but before it wrote the agent's code, or before a thread
 * entered? Then no thread uses them. (Memory that a program reserves is not executable.) */
static bool is_left_over(const struct tracee *t, u64 at)
{
	u32 magic;

	return (CONFIG_SOFT_AGAIN && t->vm->unused) ||
	       (soft_in_no_file(t, at) && pread(t->vm->mem, &magic, 4, at) == 4 && !magic);
}

/* With 'opens', pt makes the memory, and the thread opens it. The thread closes its descriptor
 * even if pt dies. */
static int map_at(struct soft *s, struct tracee *t, struct image *image, bool opens, u64 *blob_at)
{
	struct bytes blob = image->agent;
	u64 size = image->size - PAGE, name = place_for(t) + INJECT_SPARE;
	u64 at = trans_is_narrow(image) ? TRANS_BLOB_AT_32 : *blob_at;
	u64 shared_at = trans_is_narrow(image) ? AGENT_SHARED_AT_32 : at + AGENT_SHARED;
	u64 fixed = is_left_over(t, at) ? MAP_FIXED : FIXED_NOREPLACE;
	const struct inject_call calls[N_DO] = {
		[DO_FILE] = { opens ? NR_OPEN : NR_MEMFD_CREATE,
			.args = { name, opens ? O_RDWR | O_CLOEXEC : MFD_CLOEXEC } },
		[DO_SHARED] = { NR_MMAP, 5, DO_FILE, { shared_at, size,
			PROT_READ | PROT_WRITE, MAP_SHARED | fixed } },
		[DO_BLOB] = { NR_MMAP, .args = { at, round_up(blob.len, PAGE),
			PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | fixed,
			-1 } },
	};
	struct making m = { image, opens ? memfd_create("pt", MFD_CLOEXEC) : -1, .code = -1 };
	char path[32] = "pt";
	int err;

	if (opens)		/* without it, open() fails */
		fmt_str(path, sizeof(path), "/proc/%d/fd/%d", getpid(), m.own);
	err = make_calls(s, t, calls, N_DO, &m, path);
	if (err && m.err)
		unmap(s, t, image, m.shared, size, m.code);
	image->at = m.shared;
	*blob_at = m.code;
	if (opens)
		close(m.own);
	return err;
}

/* The same, at the first place that is free. */
static int map_agent(struct soft *s, struct tracee *t, struct image *image, bool opens,
		     u64 *blob_at)
{
	int err;

	*blob_at = AGENT_AT;
	err = map_at(s, t, image, opens, blob_at);
	if (err != -EEXIST || trans_is_narrow(image))
		return err;
	*blob_at = AGENT_ELSE;
	return map_at(s, t, image, opens, blob_at);
}

/* Find the code in the vDSO that returns from signal handlers of 32-bit programs. */
static void find_sigreturn(const struct vm *vm, struct agent_shared *shared)
{
	static const u8 old[] = { 0x58, 0xb8, 119, 0, 0, 0, 0xcd, 0x80 };
	static const u8 new[] = { 0xb8, 173, 0, 0, 0, 0xcd, 0x80 };
	u8 code[2 * PAGE] = { 0 };
	u32 i, k;

	for (i = 0; i < vm->n_regions && !is_vdso(&vm->regions[i]); i++)
		;
	if (i == vm->n_regions || pread(vm->mem, code, sizeof(code), vm->regions[i].start) <= 0)
		return;
	for (k = 0; k + sizeof(old) <= sizeof(code); k++) {
		if (!memcmp(code + k, old, sizeof(old)))
			shared->sigreturn = vm->regions[i].start + k;
		if (!memcmp(code + k, new, sizeof(new)))
			shared->rt_sigreturn = vm->regions[i].start + k;
	}
}

bool trans_suspend(const struct tracee *t, bool on)
{
	const u8 few = FILTER_NO_MEMFD | FILTER_NO_INJECT | AGENT_MUTE;

	return !CONFIG_SOFT_FILTERS || !(t->limits & few) ||
	       !ptrace(PTRACE_SETOPTIONS, t->tid, 0,
		       soft_options | (on ? PTRACE_O_SUSPEND_SECCOMP : 0));
}

/* Name the file of shared blocks, if the thread sees the same file by this name: it may have
 * another /proc. */
static void offer_reuse(struct soft *s, i32 tid, struct agent_shared *shared)
{
	struct stat own, other;
	char path[80];

	if (!s->reuse) {
		s->reuse = memfd_create("pt", MFD_CLOEXEC);
		if (ftruncate(s->reuse, AGENT_REUSE))
			s->reuse = -1;
	}
	fmt_str(path, sizeof(path), "/proc/%d/root/proc/%d/fd/%d", tid, getpid(), s->reuse);
	if (!fstat(s->reuse, &own) && !stat(path, &other) && own.st_ino == other.st_ino &&
	    own.st_dev == other.st_dev)
		fmt_str(shared->reuse, sizeof(shared->reuse), "/proc/%d/fd/%d", getpid(),
			s->reuse);
}

int trans_inject(struct soft *s, struct tracee *t, struct image *image)
{
	int err = tracee_get(t->tid, &t->regs);
	bool opens = !trans_suspend(t, true);
	u64 blob_at;

	if (CONFIG_SOFT_FILTERS && opens && t->limits & FILTER_NO_INJECT)
		err = -EPERM;
	if (!err && tracee_mode(&t->regs) != INSN_64 && !CONFIG_SOFT_TRANSLATE_32)
		err = -ENOEXEC;		/* the agent is 64-bit code */
	if (!err && (image->size < LEAST || image->data < LEAST_DATA))
		err = -ENOMEM;
	if (!err)
		err = map_agent(s, t, image, CONFIG_SOFT_FILTERS && opens, &blob_at);
	if (err != -ESRCH)
		trans_suspend(t, false);
	if (err)
		return err;
	trans_prepare(s, image, blob_at);
	if (CONFIG_SOFT_SPEED)
		offer_reuse(s, t->tid, image->shared);
	if (trans_is_narrow(image))
		find_sigreturn(t->vm, image->shared);
	trans_take_slot(s, image, 0, t);
	return 0;
}

static bool is_agent(int mem, u64 at)
{
	u32 magic = 0;

	return pread(mem, &magic, 4, at) == 4 && magic == AGENT_MAGIC;
}

u64 trans_agent_at(int mem)
{
	return is_agent(mem, AGENT_AT) ? AGENT_AT : is_agent(mem, AGENT_ELSE) ? AGENT_ELSE : 0;
}

enum vm_left trans_was_here(i32 tid)
{
	enum vm_left left;
	int mem = vm_open(tid);

	if (mem < 0)
		return LEFT_NONE;
	left = trans_agent_at(mem) ? LEFT_64 :
		CONFIG_SOFT_TRANSLATE_32 && is_agent(mem, TRANS_BLOB_AT_32) ? LEFT_32 : LEFT_NONE;
	close(mem);
	return left;
}

void trans_unmap(struct soft *s, struct tracee *t)
{
	const struct agent_shared *shared = t->image->shared;

	/* The program may have limited its memory, and may have other memory there now. */
	unmap(s, t, t->image, t->image->at, agent_size(shared), shared->blob);
}
