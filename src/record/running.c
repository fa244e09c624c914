/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Write records for what runs before the recording: tasks and their maps, from /proc, and the
 * kernel's text and modules, from /proc/kallsyms and /proc/modules.
 *
 * All of them have the time 0, which is before the start of the recording.
 */
#include <errno.h>

#include <pt/config/RECORD_MORE.h>
#include <pt/lines.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/target.h>
#include <pt/textfile.h>

#include "own_kernel.h"
#include "record.h"

enum { CPUMODE_KERNEL = 1, CPUMODE_USER = 2, PROT_R = 1, PROT_X = 4, SHARED = 1,
       PRIVATE = 2, MISC_DATA = 1 << 13 };

static const struct perf_stamp before;

static void write_comm(struct record *r, i32 pid, i32 tid)
{
	char name[64];		/* kernel threads have long ones */

	if (target_comm(tid, name, sizeof(name)) >= 0)
		perf_write_comm(&r->w, &(struct perf_comm){ .pid = pid, .tid = tid,
				.name = name }, &before);
}

/* The parent in a thread's record is its process; in a process's record it is the parent
 * process. */
static void write_thread(struct record *r, i32 pid, i32 tid, i32 ppid)
{
	struct perf_task fork = { .pid = pid, .tid = tid, .ppid = pid, .ptid = pid };

	if (pid == tid)
		fork.ppid = fork.ptid = ppid;
	perf_write_task(&r->w, PERF_FORK, &fork, &before);
	if (CONFIG_RECORD_MORE)
		record_namespaces(r, pid, tid);
	write_comm(r, pid, tid);
}

bool record_map(const char *line, struct perf_mmap *m)
{
	u64 end, maj, min;
	const char *s;

	*m = (struct perf_mmap){ 0 };
	s = num_read(line, 16, &m->start);
	if (!s || *s != '-' || !(s = num_read(s + 1, 16, &end)) || strlen(s) < 6)
		return false;
	m->len = end - m->start;
	m->prot = (s[1] == 'r') | (s[2] == 'w') << 1 | (s[3] == 'x') << 2;
	m->flags = s[4] == 's' ? SHARED : PRIVATE;
	s = num_read(s + 6, 16, &m->pgoff);
	if (!s || !(s = num_read(s + 1, 16, &maj)) || !(s = num_read(s + 1, 16, &min)) ||
	    !(s = num_read(s + 1, 10, &m->ino)))
		return false;
	m->maj = maj;
	m->min = min;
	m->name = s + strspn(s, " ");
	if (!*m->name)
		m->name = "//anon";
	return true;
}

static int write_maps(struct record *r, i32 pid)
{
	bool data = r->samples.track >> PERF_F_MMAP_DATA & 1;
	struct perf_mmap m;
	struct lines lines;
	char path[40], *line;
	int err;

	fmt_str(path, sizeof(path), "/proc/%d/maps", pid);
	err = lines_open(&lines, path);
	if (err)
		return err;
	while ((line = lines_next(&lines))) {
		if (!record_map(line, &m) || !(m.prot & (data ? PROT_X | PROT_R : PROT_X)))
			continue;
		m.pid = m.tid = pid;
		perf_write_mmap(&r->w, CPUMODE_USER | (m.prot & PROT_X ? 0 : MISC_DATA), &m,
				&before);
	}
	lines_close(&lines);
	return 0;
}

int record_running(struct record *r, i32 pid)
{
	i32 ppid = target_status(pid, "\nPPid", 10);
	struct textfile_dir dir;
	u64 tid;
	int err = target_tasks(pid, &dir);

	if (err)
		return err;
	write_thread(r, pid, pid, ppid);
	while (textfile_dir_number(&dir, &tid))
		if ((i32)tid != pid)
			write_thread(r, pid, tid, ppid);
	return CONFIG_RECORD_MORE && r->leave_out & RECORD_MAPS ? 0 : write_maps(r, pid);
}

void record_all_running(struct record *r)
{
	struct textfile_dir dir;
	u64 pid;

	if (textfile_dir_open(&dir, "/proc"))
		return;
	while (textfile_dir_number(&dir, &pid))
		record_running(r, pid);
}

/* The kernel. */

static void write_modules(struct record *r)
{
	struct kernel_module *list;
	u32 n = own_kernel_modules(&list, r->arena), i;

	own_kernel_files(list, n, r->arena);
	for (i = 0; i < n; i++)
		perf_write_mmap(&r->w, CPUMODE_KERNEL, &(struct perf_mmap){
			.pid = -1, .start = list[i].start, .len = list[i].len, .name = list[i].name,
		}, &before);
}

void record_kernel(struct record *r)
{
	struct kernel_text k;

	if (!own_kernel_text(&k))
		return;
	perf_write_mmap(&r->w, CPUMODE_KERNEL, &(struct perf_mmap){
		.pid = -1, .start = k.start, .len = k.end - k.start, .pgoff = k.start,
		.name = k.name,
	}, &before);
	write_modules(r);
}
