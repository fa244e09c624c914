/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * --kcore: what a decoder needs of the kernel, beside the file: DIR/kcore_dir
 * with the code as an ELF core file, kallsyms and modules.
 */
#include <elf.h>
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

static bool write_headers(int fd, const struct kernel_code *c, u64 data)
{
	Elf64_Ehdr h = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_CORE, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_phoff = sizeof(h), .e_ehsize = sizeof(h), .e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = c->n,
	};
	u32 i;

	if (!put(fd, &h, sizeof(h)))
		return false;
	for (i = 0; i < c->n; i++) {
		u64 len = c->at[i].end - c->at[i].start;
		Elf64_Phdr p = {
			.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = data,
			.p_vaddr = c->at[i].start, .p_filesz = len, .p_memsz = len, .p_align = PAGE,
		};

		if (!put(fd, &p, sizeof(p)))
			return false;
		data += len;
	}
	return true;
}

static bool write_code(int fd, const struct kernel_code *c, const struct own_kernel *k)
{
	u64 data = round_up(sizeof(Elf64_Ehdr) + c->n * sizeof(Elf64_Phdr), PAGE), at;
	u8 page[PAGE];
	u32 i;

	if (!write_headers(fd, c, data) || lseek(fd, data, SEEK_SET) < 0)
		return false;
	for (i = 0; i < c->n; i++) {
		for (at = c->at[i].start; at < c->at[i].end; at += PAGE) {
			own_kernel_read(k, at, page, PAGE);
			if (!put(fd, page, PAGE))
				return false;
		}
	}
	return true;
}

static int copy_code(const char *dir, struct arena *arena)
{
	struct kernel_code code;
	struct own_kernel k;
	int fd, err = own_kernel_open(&k);

	if (err)
		return err;
	fd = make_file(dir, "kcore", arena);
	if (fd < 0 || !own_kernel_code(&code, arena))
		err = fd < 0 ? -errno : -EPERM;
	else if (!write_code(fd, &code, &k))
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
	char *folder = arena_strn(r->arena, dir, len + 10);
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
