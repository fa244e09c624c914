/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --kcore: save what a decoder needs of the kernel in DIR/kcore_dir: the code as an ELF core file,
 * kallsyms and modules.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pt/out.h>

#include "own_kernel.h"
#include "record.h"

enum { PAGE = 4096 };

static int make_file(const char *dir, const char *name, struct arena *arena)
{
	size_t size = strlen(dir) + strlen(name) + 16;
	char *path = arena_alloc(arena, size);

	fmt_str(path, size, "%s/kcore_dir/%s", dir, name);
	return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0400);
}

static bool put(int fd, const void *bytes, size_t len)
{
	return write(fd, bytes, len) == (ssize_t)len;
}

static bool put_core(void *fd, const void *bytes, size_t len)
{
	return put(*(int *)fd, bytes, len);
}

static bool copy_file(const char *from, int to)
{
	int fd = open(from, O_RDONLY | O_CLOEXEC);
	u8 buf[PAGE];
	ssize_t n = 0;
	bool ok = fd >= 0;

	while (ok && (n = read(fd, buf, sizeof(buf))) > 0)
		ok = put(to, buf, n);
	if (fd >= 0)
		close(fd);
	return ok && !n;
}

static int copy_code(const char *dir, struct arena *arena)
{
	struct own_kernel_code code;
	struct own_kernel k;
	int fd, err = own_kernel_open(&k);

	if (err)
		return err;
	fd = make_file(dir, "kcore", arena);
	if (fd < 0 || !own_kernel_code(&code, arena))
		err = fd < 0 ? -errno : -EPERM;
	else if (!own_kernel_core(&k, &code, &(struct own_kernel_sink){ put_core, &fd }))
		err = errno ? -errno : -EIO;
	if (fd >= 0)
		close(fd);
	own_kernel_close(&k);
	return err;
}

static int copy_list(const char *dir, const char *name, const char *from, struct arena *arena)
{
	int fd = make_file(dir, name, arena), err;

	if (fd < 0)
		return -errno;
	err = copy_file(from, fd) ? 0 : -EIO;
	close(fd);
	return err;
}

int kcore_copy(struct record *r, const char *dir)
{
	size_t len = strlen(dir);
	char *folder = memcpy(NEW(r->arena, char, len + 11), dir, len);
	int err;

	memcpy(folder + len, "/kcore_dir", 10);
	err = mkdir(folder, 0700) ? -errno : copy_code(dir, r->arena);
	if (!err)
		err = copy_list(dir, "kallsyms", "/proc/kallsyms", r->arena);
	if (!err && !access("/proc/modules", R_OK))
		err = copy_list(dir, "modules", "/proc/modules", r->arena);
	if (err)
		record_say(r, 0, "--kcore: cannot copy the kernel's code: %s", strerror(-err));
	return err;
}
