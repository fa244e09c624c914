/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Paths to bytes: files are mapped, and only regular files are ever opened.
 *
 * Names come from recordings, so they may be anything. Below a root every component is checked
 * before it is entered: symbolic links are followed as if that root were "/", and ".." stops
 * there.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "image.h"
#include <pt/out.h>

enum { LINKS_MAX = 40 };

/* A path while it moves from 'rest' to 'done', which contains no link. The used part is at the
 * front: each page of the stack that is touched costs 1 us. */
struct walk {
	int root;
	unsigned int links;
	const char *rest;
	bool but_last;		/* the last component is not checked for a link */
	bool now;		/* which buffer contains 'rest', after a link */
	char done[PATH_MAX], text[2][PATH_MAX];
};

/* Remove the last component. */
static void step_back(char *done)
{
	char *slash = strrchr(done, '/');

	if (slash)
		*slash = 0;
	else
		*done = 0;
}

/* Replace the last component of 'done' by a link of 'len' bytes, followed by 'rest'. */
static int follow(struct walk *w, char *link, size_t len, const char *rest)
{
	size_t more = strlen(rest);

	if (++w->links > LINKS_MAX)
		return -ELOOP;
	if (len + more + 2 > PATH_MAX)
		return -ENAMETOOLONG;
	link[len] = '/';
	memcpy(link + len + 1, rest, more + 1);
	if (*link == '/')
		*w->done = 0;
	else
		step_back(w->done);
	w->rest = link;
	w->now = !w->now;
	return 0;
}

/* Move one component from 'rest' to 'done'. */
static int step(struct walk *w)
{
	const char *name = w->rest + strspn(w->rest, "/"), *rest;
	size_t len = strcspn(name, "/"), at = strlen(w->done);
	char *link = w->text[!w->now];
	ssize_t n;

	rest = name + len;
	rest += strspn(rest, "/");
	if (len == 2 && !memcmp(name, "..", 2)) {
		step_back(w->done);
	} else if (len && !(len == 1 && *name == '.')) {
		if (at + len + 2 > sizeof(w->done))
			return -ENAMETOOLONG;
		if (at)
			w->done[at++] = '/';
		memcpy(w->done + at, name, len);
		w->done[at + len] = 0;
		n = w->but_last && !*rest ? 0 : readlinkat(w->root, w->done, link, PATH_MAX);
		if (n > 0)
			return follow(w, link, n, rest);
		if (n < 0 && errno != EINVAL)
			return -errno;
	}
	w->rest = rest;
	return 0;
}

static int resolve(struct walk *w, const char *path)
{
	int err;

	if (strlen(path) >= PATH_MAX)
		return -ENAMETOOLONG;
	w->rest = path;
	*w->done = 0;
	w->links = 0;
	w->now = false;
	while (*w->rest) {
		err = step(w);
		if (err)
			return err;
	}
	return *w->done ? 0 : -EISDIR;
}

/* Open the file that 'path' names below 'dir', if it is a regular file. It is checked first,
 * because opening a device may already have an effect. */
static int open_regular(int dir, const char *path, int flags)
{
	struct stat st;
	int fd;

	if (fstatat(dir, path, &st, flags ? AT_SYMLINK_NOFOLLOW : 0))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | flags);
	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return -EINVAL;
}

int file_open(const char *path)
{
	return open_regular(AT_FDCWD, path, 0);
}

int file_open_below(const char *root, const char *path)
{
	struct walk w;
	int fd;

	if (*path != '/')
		return -ENOENT;
	if (!root || !*root || !strcmp(root, "/"))
		return file_open(path);
	w.root = openat(AT_FDCWD, root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (w.root < 0)
		return -errno;
	/* A regular file is not a link; anything else is checked again, to the end. */
	w.but_last = true;
	do {
		fd = resolve(&w, path);
		if (!fd)
			fd = open_regular(w.root, w.done, O_NOFOLLOW);
		w.but_last = !w.but_last;
	} while (fd == -EINVAL && !w.but_last);
	close(w.root);
	return fd;
}

/* libc's getcwd() would link malloc(). */
int file_cwd(char *to)
{
	if (syscall(SYS_getcwd, to, PATH_MAX) < 0)
		return -errno;
	return *to == '/' ? 0 : -ENOENT;
}

int file_real_path(const char *path, char *to)
{
	char from[PATH_MAX] = "";
	struct walk w;
	size_t len;
	int err = *path == '/' ? 0 : file_cwd(from);

	if (err)
		return err;
	len = strlen(from);
	if (fmt_str(from + len, sizeof(from) - len, "/%s", path) >= (int)(sizeof(from) - len))
		return -ENAMETOOLONG;
	w.but_last = false;
	w.root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (w.root < 0)
		return -errno;
	err = resolve(&w, from);
	close(w.root);
	if (!err && fmt_str(to, PATH_MAX, "/%s", w.done) >= PATH_MAX)
		err = -ENAMETOOLONG;
	return err;
}

int file_map(struct bytes *b, int fd)
{
	struct stat st;
	void *at;

	if (fstat(fd, &st))
		return -errno;
	if (st.st_size <= 0 || (u64)st.st_size > SIZE_MAX / 2)
		return -ENODATA;
	/* Into a private mapping the kernel writes the breakpoints of uprobes. */
	at = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return -errno;
	*b = (struct bytes){ at, st.st_size };
	return 0;
}

void file_unmap(struct bytes *b)
{
	if (b->len)
		munmap((void *)b->at, b->len);
	*b = (struct bytes){ 0 };
}
