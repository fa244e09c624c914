/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt trace -s: which system calls each thread made, how often, and how long they took.
 *
 * Both tracepoints of raw_syscalls have the number of the call; the second one has its result. As
 * in perf, a call counts when it returns. If its start is not known, its time is 0.
 */
#include <pt/config/SANDBOX.h>
#include <pt/count.h>
#include <pt/fail.h>
#include <pt/hash.h>
#include <pt/real.h>
#include <pt/sandbox.h>
#include <pt/sort.h>
#include <pt/text.h>
#include "ask.h"
#include "syscalls.h"

/* Fields of the samples, the same in every kernel since 2.6.33. */
enum { ID = 8, RESULT = 16 };

enum event { NO_EVENT, ENTER, EXIT };

struct syscall {
	struct hashed in;	/* by thread and number */
	struct caller *caller;
	i64 id;
	u64 n, errors, min, max;
	struct mean mean;
};

struct caller {
	struct hashed in;	/* by thread */
	struct thread *thread;
	u64 entered;		/* when its last call began; 0: none did */
	u64 n_events, n_calls;
};

struct syscalls {
	struct ask ask;
	struct listing list;
	struct out *out;
	struct hash_table callers, calls;
	u64 n_events;
	u8 *kinds;		/* of each event of the file: enum event */
	u32 n_kinds;
};

static struct syscalls the;

/* Names by number, from the kernel's arch/x86/entry/syscalls/syscall_64.tbl; later ones have the
 * same number on all architectures. */
enum { LATER = 424 };

static const char first[] =
	"read\0write\0open\0close\0stat\0fstat\0lstat\0poll\0lseek\0mmap\0mprotect\0munmap\0"
	"brk\0rt_sigaction\0rt_sigprocmask\0rt_sigreturn\0ioctl\0pread64\0pwrite64\0readv\0"
	"writev\0access\0pipe\0select\0sched_yield\0mremap\0msync\0mincore\0madvise\0shmget\0"
	"shmat\0shmctl\0dup\0dup2\0pause\0nanosleep\0getitimer\0alarm\0setitimer\0getpid\0"
	"sendfile\0socket\0connect\0accept\0sendto\0recvfrom\0sendmsg\0recvmsg\0shutdown\0bind\0"
	"listen\0getsockname\0getpeername\0socketpair\0setsockopt\0getsockopt\0clone\0fork\0"
	"vfork\0execve\0exit\0wait4\0kill\0uname\0semget\0semop\0semctl\0shmdt\0msgget\0msgsnd\0"
	"msgrcv\0msgctl\0fcntl\0flock\0fsync\0fdatasync\0truncate\0ftruncate\0getdents\0getcwd\0"
	"chdir\0fchdir\0rename\0mkdir\0rmdir\0creat\0link\0unlink\0symlink\0readlink\0chmod\0"
	"fchmod\0chown\0fchown\0lchown\0umask\0gettimeofday\0getrlimit\0getrusage\0sysinfo\0"
	"times\0ptrace\0getuid\0syslog\0getgid\0setuid\0setgid\0geteuid\0getegid\0setpgid\0"
	"getppid\0getpgrp\0setsid\0setreuid\0setregid\0getgroups\0setgroups\0setresuid\0"
	"getresuid\0setresgid\0getresgid\0getpgid\0setfsuid\0setfsgid\0getsid\0capget\0capset\0"
	"rt_sigpending\0rt_sigtimedwait\0rt_sigqueueinfo\0rt_sigsuspend\0sigaltstack\0utime\0"
	"mknod\0uselib\0personality\0ustat\0statfs\0fstatfs\0sysfs\0getpriority\0setpriority\0"
	"sched_setparam\0sched_getparam\0sched_setscheduler\0sched_getscheduler\0"
	"sched_get_priority_max\0sched_get_priority_min\0sched_rr_get_interval\0mlock\0munlock\0"
	"mlockall\0munlockall\0vhangup\0modify_ldt\0pivot_root\0_sysctl\0prctl\0arch_prctl\0"
	"adjtimex\0setrlimit\0chroot\0sync\0acct\0settimeofday\0mount\0umount2\0swapon\0"
	"swapoff\0reboot\0sethostname\0setdomainname\0iopl\0ioperm\0create_module\0init_module\0"
	"delete_module\0get_kernel_syms\0query_module\0quotactl\0nfsservctl\0getpmsg\0putpmsg\0"
	"afs_syscall\0tuxcall\0security\0gettid\0readahead\0setxattr\0lsetxattr\0fsetxattr\0"
	"getxattr\0lgetxattr\0fgetxattr\0listxattr\0llistxattr\0flistxattr\0removexattr\0"
	"lremovexattr\0fremovexattr\0tkill\0time\0futex\0sched_setaffinity\0sched_getaffinity\0"
	"set_thread_area\0io_setup\0io_destroy\0io_getevents\0io_submit\0io_cancel\0"
	"get_thread_area\0lookup_dcookie\0epoll_create\0epoll_ctl_old\0epoll_wait_old\0"
	"remap_file_pages\0getdents64\0set_tid_address\0restart_syscall\0semtimedop\0fadvise64\0"
	"timer_create\0timer_settime\0timer_gettime\0timer_getoverrun\0timer_delete\0"
	"clock_settime\0clock_gettime\0clock_getres\0clock_nanosleep\0exit_group\0epoll_wait\0"
	"epoll_ctl\0tgkill\0utimes\0vserver\0mbind\0set_mempolicy\0get_mempolicy\0mq_open\0"
	"mq_unlink\0mq_timedsend\0mq_timedreceive\0mq_notify\0mq_getsetattr\0kexec_load\0"
	"waitid\0add_key\0request_key\0keyctl\0ioprio_set\0ioprio_get\0inotify_init\0"
	"inotify_add_watch\0inotify_rm_watch\0migrate_pages\0openat\0mkdirat\0mknodat\0"
	"fchownat\0futimesat\0newfstatat\0unlinkat\0renameat\0linkat\0symlinkat\0readlinkat\0"
	"fchmodat\0faccessat\0pselect6\0ppoll\0unshare\0set_robust_list\0get_robust_list\0"
	"splice\0tee\0sync_file_range\0vmsplice\0move_pages\0utimensat\0epoll_pwait\0signalfd\0"
	"timerfd_create\0eventfd\0fallocate\0timerfd_settime\0timerfd_gettime\0accept4\0"
	"signalfd4\0eventfd2\0epoll_create1\0dup3\0pipe2\0inotify_init1\0preadv\0pwritev\0"
	"rt_tgsigqueueinfo\0perf_event_open\0recvmmsg\0fanotify_init\0fanotify_mark\0prlimit64\0"
	"name_to_handle_at\0open_by_handle_at\0clock_adjtime\0syncfs\0sendmmsg\0setns\0getcpu\0"
	"process_vm_readv\0process_vm_writev\0kcmp\0finit_module\0sched_setattr\0sched_getattr\0"
	"renameat2\0seccomp\0getrandom\0memfd_create\0kexec_file_load\0bpf\0execveat\0"
	"userfaultfd\0membarrier\0mlock2\0copy_file_range\0preadv2\0pwritev2\0pkey_mprotect\0"
	"pkey_alloc\0pkey_free\0statx\0io_pgetevents\0rseq\0";

static const char later[] =
	"pidfd_send_signal\0io_uring_setup\0io_uring_enter\0io_uring_register\0open_tree\0"
	"move_mount\0fsopen\0fsconfig\0fsmount\0fspick\0pidfd_open\0clone3\0close_range\0"
	"openat2\0pidfd_getfd\0faccessat2\0process_madvise\0epoll_pwait2\0mount_setattr\0"
	"quotactl_fd\0landlock_create_ruleset\0landlock_add_rule\0landlock_restrict_self\0"
	"memfd_secret\0process_mrelease\0futex_waitv\0set_mempolicy_home_node\0cachestat\0"
	"fchmodat2\0map_shadow_stack\0futex_wake\0futex_wait\0futex_requeue\0statmount\0"
	"listmount\0lsm_get_self_attr\0lsm_set_self_attr\0lsm_list_modules\0mseal\0";

static void name_of(char *to, size_t size, i64 id)
{
	const char *name = NULL;

	if (id >= 0)
		name = id < LATER ? text_nth(first, id) : text_nth(later, id - LATER);
	if (name)
		fmt_str(to, size, "%s", name);
	else
		fmt_str(to, size, "syscall_%lld", id);
}

/* Reading */

static void settle(struct syscalls *s)
{
	struct perf_file *file = &s->list.session.file;
	u32 i;

	s->kinds = arena_grow(&s->list.session.arena, s->kinds, 1, s->n_kinds, file->n_events + 1);
	s->n_kinds = file->n_events;
	for (i = 0; i < file->n_events; i++) {
		const char *name = file->events[i]->name;

		s->kinds[i] = !strcmp(name, "raw_syscalls:sys_enter") ? ENTER :
			      !strcmp(name, "raw_syscalls:sys_exit") ? EXIT : NO_EVENT;
	}
}

static struct caller *caller_of(struct syscalls *s, struct thread *t)
{
	u64 hash = hash_mix(0, t->tid);
	struct hashed *in = hash_first(&s->callers, hash);
	struct caller *c;

	for (; in; in = in->next)
		if (((struct caller *)in)->thread == t)
			return (struct caller *)in;
	c = NEW(&s->list.session.arena, struct caller, 1);
	*c = (struct caller){ .in.hash = hash, .thread = t };
	hash_put(&s->list.session.arena, &s->callers, &c->in);
	return c;
}

static struct syscall *call_of(struct syscalls *s, struct caller *by, i64 id)
{
	u64 hash = hash_mix(by->in.hash, id);
	struct hashed *in = hash_first(&s->calls, hash);
	struct syscall *c;

	for (; in; in = in->next) {
		c = (struct syscall *)in;
		if (c->caller == by && c->id == id)
			return c;
	}
	c = NEW(&s->list.session.arena, struct syscall, 1);
	*c = (struct syscall){ .in.hash = hash, .caller = by, .id = id };
	hash_put(&s->list.session.arena, &s->calls, &c->in);
	by->n_calls++;
	return c;
}

static void returns(struct syscalls *s, struct caller *by, i64 id, i64 result, u64 time)
{
	struct syscall *c = call_of(s, by, id);
	u64 ns = by->entered && time > by->entered ? time - by->entered : 0;

	c->min = c->n++ ? MIN(c->min, ns) : ns;
	c->max = MAX(c->max, ns);
	c->errors += result < 0;
	mean_add(&c->mean, ns);
}

static void take_sample(struct syscalls *s, const struct entry *e)
{
	const struct perf_sample *sample = e->recorded;
	u32 i = sample->event->index;
	struct caller *by;

	if (!e->wanted || !e->thread || i >= s->n_kinds || !s->kinds[i] ||
	    sample->raw.len < RESULT + 8)
		return;
	s->n_events++;
	if ((i64)get64(sample->raw.at + ID) < 0)
		return;		/* the end of sigreturn(), which has no number any more */
	by = caller_of(s, e->thread);
	by->n_events++;
	if (s->kinds[i] == ENTER)
		by->entered = sample->time;
	else
		returns(s, by, get64(sample->raw.at + ID), get64(sample->raw.at + RESULT),
			sample->time);
}

/* Printing */

/* Rounded as in perf. */
static double total_ms(const struct syscall *c)
{
	return c->n * (c->mean.value / 1e6);
}

static void put_call(struct syscalls *s, const struct syscall *c)
{
	double average = c->mean.value;
	char name[40];

	name_of(name, sizeof(name), c->id);
	out_fmt(s->out, "   %-15s %8llu %6llu ", name, c->n, c->errors);
	out_real(s->out, total_ms(c), 9, 3);
	out_char(s->out, ' ');
	out_real(s->out, c->min / 1e6, 9, 3);
	out_char(s->out, ' ');
	out_real(s->out, average / 1e6, 9, 3);
	out_char(s->out, ' ');
	out_real(s->out, c->max / 1e6, 9, 3);
	out_char(s->out, ' ');
	out_real(s->out, average ? 100 * mean_error(&c->mean) / average : 0, 9, 2);
	out_str(s->out, "%\n");
}

/* As in perf: by the total time, the longest first, then by number. */
static i64 by_time(const void *who, const void *a, const void *b)
{
	const struct syscall *x = a, *y = b;
	double left = total_ms(x), right = total_ms(y);

	return left == right ? x->id - y->id : left > right ? -1 : 1;
}

static void put_caller(struct syscalls *s, const struct caller *by)
{
	struct arena *arena = &s->list.session.arena;
	struct syscall **calls = NEW(arena, struct syscall *, 2 * by->n_calls + 1);
	struct hashed *in;
	u32 n = 0, i;

	out_char(s->out, ' ');
	out_name(s->out, by->thread->comm);
	out_fmt(s->out, " (%d), %llu events, ", by->thread->tid, by->n_events);
	out_real(s->out, 100.0 * by->n_events / s->n_events, 0, 1);
	out_str(s->out, "%\n\n"
		"   syscall            calls  errors  total       min       avg       max       "
		"stddev\n"
		"                                     (msec)    (msec)    (msec)    (msec)        "
		"(%)\n"
		"   --------------- --------  ------ -------- --------- --------- ---------     "
		"------\n");
	for (i = 0; i < s->calls.room; i++)
		for (in = s->calls.at[i]; in; in = in->next)
			if (((struct syscall *)in)->caller == by)
				calls[n++] = (struct syscall *)in;
	sort_pointers((const void **)calls, n, (const void **)calls + n, by_time, NULL);
	for (i = 0; i < n; i++)
		put_call(s, calls[i]);
	out_str(s->out, "\n\n");
}

/* The order of perf's threads: in 256 groups by their numbers, and there by events, then number. */
static u64 order_of(const struct caller *c)
{
	enum { TID_BITS = 24, EVENT_BITS = 32 };
	u32 tid = c->thread->tid;

	return (u64)(tid % 256) << (TID_BITS + EVENT_BITS) |
	       MIN(c->n_events, ~0U) << TID_BITS | tid % (1 << TID_BITS);
}

static void put_summary(struct syscalls *s)
{
	struct arena *arena = &s->list.session.arena;
	struct caller **all = NEW(arena, struct caller *, s->callers.n + 1);
	struct sort_item *items = NEW(arena, struct sort_item, 2 * s->callers.n + 1);
	struct hashed *in;
	u32 n = 0, i;

	out_str(s->out, "\n Summary of events:\n\n");
	for (i = 0; i < s->callers.room; i++)
		for (in = s->callers.at[i]; in; in = in->next) {
			all[n] = (struct caller *)in;
			items[n] = (struct sort_item){ order_of(all[n]), n };
			n++;
		}
	sort_items(items, n, items + n);
	for (i = 0; i < n; i++)
		put_caller(s, all[items[i].index]);
}

int syscalls_read(const char *path, struct out *out)
{
	struct syscalls *s = &the;
	struct entry e;
	int status, err;

	ask_begin(&s->ask, &s->list, out);
	s->out = out;
	s->list.path = path;
	s->list.options.no_decode = true;
	if (CONFIG_SANDBOX)
		sandbox_enter(false);
	if ((status = ask_open(&s->ask)) || (status = ask_start(&s->ask)))
		return status;
	while ((err = listing_next(&s->list, &e)) > 0)
		if (e.kind == ENTRY_EVENTS)
			settle(s);
		else if (e.kind == ENTRY_RECORDED)
			take_sample(s, &e);
	status = ask_read(&s->ask, err);
	if (!status && !s->n_events)
		return fail(0, "%s has no system calls; record with -e 'raw_syscalls:*'", path);
	if (!status)
		put_summary(s);
	return status;
}
