/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --kcore: add modules that were loaded during the recording to the copy of the kernel, with their
 * code, symbols and lines of the list. A module that is no longer there when the recording ends
 * stays missing, and so does one at the place of a module that was there before.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <pt/lines.h>
#include <pt/out.h>
#include <pt/text.h>

#include "own_kernel.h"
#include "record.h"

enum { PAGE = 4096 };

/* The copy's core file. */
struct core {
	int fd;
	Elf64_Ehdr head;
	u64 room;		/* headers end before this offset */
	u64 end;		/* of the file */
};

static char *path_of(const struct record *r, const char *name)
{
	size_t size = strlen(r->output) + strlen(name) + 16;
	char *path = arena_alloc(r->arena, size);

	fmt_str(path, size, "%s/kcore_dir/%s", r->output, name);
	return path;
}

static int open_core(struct core *c, const char *path)
{
	Elf64_Phdr first;
	off_t end;

	c->fd = open(path, O_RDWR | O_CLOEXEC);
	if (c->fd < 0)
		return -errno;
	end = lseek(c->fd, 0, SEEK_END);
	if (end >= 0 && pread(c->fd, &c->head, sizeof(c->head), 0) == sizeof(c->head) &&
	    pread(c->fd, &first, sizeof(first), c->head.e_phoff) == sizeof(first)) {
		c->room = first.p_offset;
		c->end = end;
		return 0;
	}
	return -EIO;
}

/* Is there code of the copy at these addresses? Also true if that is not known. */
static bool covers(const struct core *c, u64 start, u64 end)
{
	Elf64_Phdr p;
	u32 i;

	for (i = 0; i < c->head.e_phnum; i++)
		if (pread(c->fd, &p, sizeof(p), c->head.e_phoff + i * sizeof(p)) != sizeof(p) ||
		    (p.p_vaddr < end && start < p.p_vaddr + p.p_memsz))
			return true;
	return false;
}

/* Add a segment to the file; the header counts it when all of it is there. */
static int add_code(struct core *c, const struct own_kernel *k, u64 start, u64 end)
{
	Elf64_Phdr p = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = c->end,
			 .p_vaddr = start, .p_filesz = end - start, .p_memsz = end - start,
			 .p_align = PAGE };
	u64 at = c->head.e_phoff + c->head.e_phnum * sizeof(p);
	u8 page[PAGE];

	if (at + sizeof(p) > c->room)
		return -ENOSPC;
	for (; start < end; start += PAGE, c->end += PAGE) {
		own_kernel_read(k, start, page, PAGE);
		if (pwrite(c->fd, page, PAGE, c->end) != PAGE)
			return -EIO;
	}
	c->head.e_phnum++;
	return pwrite(c->fd, &p, sizeof(p), at) == sizeof(p) &&
	       pwrite(c->fd, &c->head, sizeof(c->head), 0) == sizeof(c->head) ? 0 : -EIO;
}

/* Does a line of kallsyms or modules belong to the module '[name]'? */
static bool is_of(const char *line, const char *module)
{
	size_t len = strlen(module) - 2;

	return text_after(line, module) || (!strncmp(line, module + 1, len) && line[len] == ' ');
}

static int add_lines(const char *from, const char *to, const char *module)
{
	int fd = open(to, O_WRONLY | O_APPEND | O_CLOEXEC), err = 0;
	struct lines lines;
	char *line;

	if (fd < 0)
		return -errno;
	if (!lines_open(&lines, from)) {
		while (!err && (line = lines_next(&lines))) {
			size_t len = strlen(line);

			if (!is_of(line, module))
				continue;
			line[len] = '\n';
			err = write(fd, line, len + 1) == (ssize_t)len + 1 ? 0 : -EIO;
		}
		lines_close(&lines);
	}
	close(fd);
	return err;
}

static int add_module(const struct record *r, struct core *c, const struct own_kernel *k,
		      const struct kernel_module *m)
{
	u64 start = m->start & ~(u64)(PAGE - 1), end = round_up(m->start + m->len, PAGE);
	int err;

	if (covers(c, start, end))
		return 0;
	err = add_code(c, k, start, end);
	if (!err)
		err = add_lines("/proc/kallsyms", path_of(r, "kallsyms"), m->name);
	if (!err)
		err = add_lines("/proc/modules", path_of(r, "modules"), m->name);
	return err;
}

int kcore_add_modules(struct record *r)
{
	struct kernel_module *list;
	u32 n = own_kernel_modules(&list, r->arena), i;
	struct own_kernel k;
	struct core c;
	int err = own_kernel_open(&k);

	if (!err) {
		err = open_core(&c, path_of(r, "kcore"));
		for (i = 0; i < n && !err; i++)
			err = add_module(r, &c, &k, &list[i]);
		if (c.fd >= 0)
			close(c.fd);
		own_kernel_close(&k);
	}
	if (err)
		record_say(r, 0, "--kcore: cannot add modules that were loaded: %s",
			   strerror(-err));
	return err;
}
