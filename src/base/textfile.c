/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Small files and folders of /sys and /proc, without stdio, and without malloc(), which libc's
 * opendir() needs.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <pt/num.h>
#include <pt/out.h>
#include <pt/textfile.h>

int textfile_read(const char *path, char *to, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n = 0;

	if (fd < 0)
		return -errno;
	while (len < size - 1 && (n = read(fd, to + len, size - 1 - len)) > 0)
		len += n;
	if (n < 0)
		n = -errno;
	close(fd);
	if (n < 0)
		return n;
	while (len && (to[len - 1] == '\n' || to[len - 1] == ' '))
		len--;
	to[len] = 0;
	return len;
}

int textfile_readf(char *to, size_t size, const char *path, ...)
{
	char full[512];
	va_list ap;
	int len;

	va_start(ap, path);
	len = fmt_vstr(full, sizeof(full), path, ap);
	va_end(ap);
	return len < (int)sizeof(full) ? textfile_read(full, to, size) : -ENAMETOOLONG;
}

int textfile_value(const char *path, unsigned int base, u64 *v)
{
	char text[64], *s = text;
	int len = textfile_read(path, text, sizeof(text));

	if (len < 0)
		return len;
	if (base == 16 && s[0] == '0' && s[1] == 'x')
		s += 2;
	return num_read(s, base, v) ? 0 : -EBADMSG;
}

/* The format of getdents64(). */
struct entry {
	u64 ino;
	i64 off;
	u16 size;
	u8 type;
	char name[];
};

int textfile_dir_open(struct textfile_dir *d, const char *path)
{
	d->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	d->at = d->len = 0;
	return d->fd < 0 ? -errno : 0;
}

const char *textfile_dir_next(struct textfile_dir *d)
{
	const struct entry *e;
	long n;

	for (;;) {
		if (d->at >= d->len) {
			n = syscall(SYS_getdents64, d->fd, d->buf, sizeof(d->buf));
			if (n <= 0) {
				textfile_dir_close(d);
				return NULL;
			}
			d->len = n;
			d->at = 0;
		}
		e = (const void *)((const char *)d->buf + d->at);
		d->at += e->size;
		if (e->name[0] != '.' || (e->name[1] && (e->name[1] != '.' || e->name[2])))
			return e->name;
	}
}

bool textfile_dir_number(struct textfile_dir *d, u64 *number)
{
	const char *name;

	while ((name = textfile_dir_next(d)))
		if (num_parse(name, number))
			return true;
	return false;
}

void textfile_dir_close(struct textfile_dir *d)
{
	close(d->fd);
	d->fd = -1;
}
