/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The kernel: where its code and symbols come from, and the changes to its code while it ran.
 *
 * If the command line names a file, only that file is used. Otherwise a file must prove by its
 * build-id that it is the recorded kernel; the running kernel may also be known to be the recorded
 * one.
 */
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include <pt/config/GUESTS.h>
#include <pt/config/LIBELF.h>
#include <pt/mounts.h>
#include <pt/out.h>

#include "image.h"
#include "kernel.h"
#include "segment.h"

enum { PAGE = 4096, N_BUCKETS = 256, POKED_MAX = 16 << 10 };

/* A page of code in its present state. */
struct poked {
	struct poked *next;
	u64 start;
	u8 bytes[PAGE];
};

struct kernel {
	char *reference;	/* the symbol whose address the recording has */
	u64 reference_addr;
	bool looked_for_symbols, looked_for_code, has_code, said;
	struct symbols *symbols;	/* symbols, with those of modules, by address */
	u64 end;		/* of the symbols in the list that belong to no module, or 0 */
	u64 list_delta;		/* how much higher the addresses in kallsyms are than in the
				 * recording */
	struct kcore code;
	struct poked **poked;
	u32 n_poked;
};

static struct kernel *get(struct images *im)
{
	if (!im->loaded)
		im->loaded = NEW(im->arena, struct kernel, 1);
	return im->loaded;
}

void kernel_reference(struct images *im, const char *symbol, u64 addr)
{
	struct kernel *k = get(im);

	if (!addr || !*symbol)
		return;
	k->reference = arena_str(im->arena, symbol);
	k->reference_addr = addr;
}

static struct dso *kernel_dso(struct images *im)
{
	return dso_get(im, dso_kernel_name(im), NULL, 0);
}

/* Is the running kernel the recorded one? */
static bool is_running(struct images *im)
{
	const struct dso *dso = kernel_dso(im);
	struct bytes id = { 0 };
	u8 notes[4096];
	ssize_t n;
	int fd;

	if (im->symfs || (CONFIG_GUESTS && im->host))
		return false;
	if (!dso->build_id_size)
		return im->this_machine;
	fd = file_open("/sys/kernel/notes");
	if (fd < 0)
		return false;
	n = read(fd, notes, sizeof(notes));
	close(fd);
	if (n > 0)
		id = note_find_build_id((struct bytes){ notes, n });
	return id.len == dso->build_id_size && !memcmp(id.at, dso->build_id, id.len);
}

/* Without /proc and /sys nothing is known about the running kernel. */
static bool say_unmounted(struct images *im, const char *what)
{
	const char *missing = mounts_missing("/proc");

	if (!missing)
		missing = mounts_missing("/sys");
	if (!missing || im->symfs)
		return false;
	images_say(im, "%s: %s", what, missing);
	return true;
}

/* The kernel's record ends with its code. Functions that only ran at boot are after it, and in the
 * call chains of idle CPUs. */
const struct map *images_kernel_rest(struct images *im, u64 addr)
{
	struct kernel *k = get(im);
	struct space *s = images_kernel(im);
	const struct map *m = space_next(s, 0);

	while (m && m->dso->kind != DSO_KERNEL)
		m = space_next(s, m->end);
	if (!m || addr < m->end || !kernel_symbols(im) || addr >= k->end)
		return NULL;
	return space_map(im, s, m->start, k->end - m->start, m->start, m->dso, m->prot, m->flags);
}

static struct symbols *load_list(struct images *im, const char *path, int fd)
{
	struct kernel *k = get(im);
	struct kallsyms list = {
		.reference = k->reference, .reference_addr = k->reference_addr,
	};
	struct symbols *s;
	int err;

	if (fd < 0) {
		const char *missing = mounts_missing(path);

		images_say(im, "cannot read %s: %s", path, missing ? missing : strerror(-fd));
		return NULL;
	}
	err = kallsyms_load(&list, fd);
	close(fd);
	if (!err && k->reference && !list.has_reference)
		err = -ESRCH;
	s = kallsyms_finish(&list, im->arena);
	k->list_delta = list.delta;
	if (err == -EPERM)
		images_say(im, "no kernel symbols: %s hides all addresses (kptr_restrict)", path);
	else if (err == -ESRCH)
		images_say(im, "no kernel symbols: %s has no %s", path, k->reference);
	else if (err)
		images_say(im, "cannot read %s: %s", path, strerror(-err));
	if (err)
		return NULL;
	k->end = list.end;
	return s;
}

/* Is 'file' the recorded kernel, as far as that is known? */
static bool is_build(const struct dso *dso, struct bytes file, bool has_to_prove_it)
{
	struct bytes id = note_build_id(file);

	if (!dso->build_id_size)
		return !has_to_prove_it;
	return id.len == dso->build_id_size && !memcmp(id.at, dso->build_id, id.len);
}

/* Open the vmlinux that the command line names, or the one that the system has for this release. */
static int open_vmlinux(struct images *im)
{
	static const char *const places[] = {
		"/boot/vmlinux-%s", "/usr/lib/debug/boot/vmlinux-%s",
		"/lib/modules/%s/build/vmlinux", "/usr/lib/debug/lib/modules/%s/vmlinux",
		"/usr/lib/debug/boot/vmlinux-%s.debug",
	};
	struct dso *dso = kernel_dso(im);
	char path[PATH_MAX];
	struct bytes file;
	bool is_it;
	size_t i;
	int fd;

	if (im->vmlinux)
		return file_open(im->vmlinux);
	for (i = 0; i < N_ELEM(places) && im->release && dso->build_id_size; i++) {
		fmt_str(path, sizeof(path), places[i], im->release);
		fd = file_open_below(im->symfs, path);
		if (fd < 0)
			continue;
		if (!file_map(&file, fd)) {
			is_it = is_build(dso, file, true);
			file_unmap(&file);
			if (is_it)
				return fd;
		}
		close(fd);
	}
	return -ENOENT;
}

/* How much higher the addresses in 'file' are than in the recording. */
static u64 vmlinux_delta(const struct kernel *k, struct bytes file)
{
	struct segments all = segments_of(file);
	struct segment s;
	u64 addr = 0;

	if (!k->reference)
		return 0;
	if (CONFIG_LIBELF)
		addr = symbols_address(file, k->reference);
	while (!addr && segment_next(&all, &s))
		if (s.type == PT_LOAD && s.flags & PF_X)
			addr = s.vaddr;		/* _text, and _stext */
	return addr ? addr - k->reference_addr : 0;
}

static struct symbols *load_vmlinux(struct images *im)
{
	struct symbols *s = NULL;
	struct bytes file;
	int err, fd = open_vmlinux(im);

	if (fd < 0) {
		if (im->vmlinux)
			images_say(im, "cannot read %s: %s", im->vmlinux, strerror(-fd));
		return NULL;
	}
	err = file_map(&file, fd);
	close(fd);
	if (err)
		return NULL;
	if (!is_build(kernel_dso(im), file, false))
		images_say(im, "%s is not the kernel that was recorded",
			   im->vmlinux);
	else if (CONFIG_LIBELF)
		s = symbols_of_vmlinux(im, file, vmlinux_delta(get(im), file));
	file_unmap(&file);
	return s;
}

static struct symbols *load_symbols(struct images *im)
{
	static const char list[] = "/proc/kallsyms";
	char id[NOTE_ID_TEXT];
	struct symbols *s;
	int fd;

	if (im->kallsyms)
		return load_list(im, im->kallsyms, file_open(im->kallsyms));
	fd = im->vmlinux ? -ENOENT : images_open_bundled(im, list, NULL, 0);
	if (fd >= 0)
		return load_list(im, list, fd);
	s = load_vmlinux(im);
	if (s || im->vmlinux)
		return s;
	if (is_running(im))
		return load_list(im, list, file_open(list));
	fd = cache_open_kallsyms(im, kernel_dso(im));
	if (fd >= 0)
		return load_list(im, im->cache, fd);
	if (say_unmounted(im, "no kernel symbols"))
		return NULL;
	dso_id_text(kernel_dso(im), id);
	images_say(im, "no kernel symbols: no kallsyms or vmlinux of the recorded kernel%s%s"
		   "; use --kallsyms or --vmlinux", *id ? ", build-id " : "", id);
	return NULL;
}

static bool use_code(struct images *im, int fd, u64 delta)
{
	struct kernel *k = get(im);

	if (fd < 0 || kcore_open(&k->code, fd, im->arena))
		return false;
	k->code.delta = delta;
	return true;
}

static bool use_vmlinux(struct images *im)
{
	struct kernel *k = get(im);

	if (!use_code(im, open_vmlinux(im), 0))
		return false;
	k->code.delta = vmlinux_delta(k, k->code.map);
	return true;
}

/* Is the running kernel at the address that it had when it was recorded? */
static bool has_not_moved(struct images *im)
{
	struct kernel *k = get(im);
	int fd = file_open("/proc/kallsyms");
	u64 addr;

	if (fd < 0)
		return false;
	addr = k->reference ? kallsyms_address(fd, k->reference) : k->reference_addr;
	close(fd);
	return addr == k->reference_addr;
}

/* The path of 'name' next to a file "kallsyms"; false if the file has another name. */
static bool path_beside(char *path, const char *kallsyms, const char *name)
{
	size_t len = strlen(kallsyms);

	if (len < 9 || len >= PATH_MAX || strcmp(kallsyms + len - 9, "/kallsyms"))
		return false;
	memcpy(path, kallsyms, len - 8);
	*put_str(path + len - 8, name) = 0;
	return true;
}

/* As in perf, a "kcore" next to "kallsyms" is used if "modules" there says that all modules are
 * at their recorded addresses. */
static bool use_kcore_beside(struct images *im, const char *kallsyms)
{
	char path[PATH_MAX];
	int fd;
	bool same;

	if (!path_beside(path, kallsyms, "modules"))
		return false;
	fd = file_open(path);
	same = fd >= 0 && kernel_modules_same(im, fd);
	if (fd >= 0)
		close(fd);
	path_beside(path, kallsyms, "kcore");
	if (!same || !use_code(im, file_open(path), 0))
		return false;
	kernel_adopt(im, &get(im)->code, kernel_dso(im));
	return true;
}

static bool find_code(struct images *im)
{
	struct kernel *k = get(im);
	int fd;

	if (im->kcore) {
		fd = file_open(im->kcore);
		if (fd < 0)
			images_say(im, "cannot read %s: %s", im->kcore, strerror(-fd));
		return use_code(im, fd, 0);
	}
	if (im->kallsyms) {
		kernel_symbols(im);	/* for the delta */
		if (!k->list_delta && use_kcore_beside(im, im->kallsyms))
			return true;
	}
	if (!im->vmlinux && use_code(im, images_open_bundled(im, "/proc/kcore", NULL, 0), 0))
		return true;
	if (!im->vmlinux && is_running(im) && has_not_moved(im) &&
	    use_kcore_beside(im, "/proc/kallsyms"))
		return true;
	return use_vmlinux(im);
}

static void look_for_code(struct images *im)
{
	struct kernel *k = get(im);

	if (k->looked_for_code)
		return;
	k->looked_for_code = true;
	k->has_code = find_code(im);
}

struct symbols *kernel_symbols(struct images *im)
{
	struct kernel *k = get(im);

	if (!k->looked_for_symbols) {
		k->looked_for_symbols = true;
		k->symbols = load_symbols(im);
		look_for_code(im);	/* it may have other maps */
	}
	return k->symbols;
}

u64 images_kernel_address(struct images *im, const char *name)
{
	const struct symbols *s = kernel_symbols(im);
	u32 len = strlen(name), i;

	for (i = 0; s && i < s->n; i++)
		if (s->at[i].len == len && !memcmp(s->at[i].name, name, len))
			return s->at[i].start;
	return 0;
}

static struct bytes code(struct images *im, u64 addr)
{
	struct kernel *k = get(im);

	look_for_code(im);
	if (k->has_code)
		return kcore_bytes(&k->code, addr, im->arena);
	if (!k->said && !say_unmounted(im, "no kernel code"))
		images_say(im, "no kernel code: no kcore or vmlinux of the recorded kernel; "
			   "use --kcore or --vmlinux");
	k->said = true;
	return (struct bytes){ 0 };
}

static struct poked **poked_at(struct kernel *k, u64 page)
{
	struct poked **p = &k->poked[page / PAGE % N_BUCKETS];

	while (*p && (*p)->start != page)
		p = &(*p)->next;
	return p;
}

struct bytes kernel_bytes(struct images *im, struct dso *dso, u64 addr)
{
	struct kernel *k = get(im);
	u64 page = addr & ~(u64)(PAGE - 1);
	struct poked *p;
	struct bytes b;

	p = k->n_poked ? *poked_at(k, page) : NULL;
	if (p)
		return bytes_skip((struct bytes){ p->bytes, PAGE }, addr - page);
	b = code(im, addr);
	dso->missing = !k->has_code;
	return k->n_poked ? bytes_first(b, page + PAGE - addr) : b;
}

/* The page at 'page', for writing; NULL if its bytes are not known. */
static struct poked *get_poked(struct images *im, u64 page, bool generated)
{
	struct kernel *k = get(im);
	struct poked **p, *new;
	struct bytes now;
	u64 done = 0;

	if (!k->poked)
		k->poked = NEW(im->arena, struct poked *, N_BUCKETS);
	p = poked_at(k, page);
	if (*p || k->n_poked == POKED_MAX)
		return *p;
	/* A page may have the code of several programs, and kcore that of some. */
	if (generated)
		look_for_code(im);
	now = generated && !k->has_code ? (struct bytes){ 0 } : bytes_first(code(im, page), PAGE);
	if (!now.len && !generated)
		return NULL;
	new = NEW(im->arena, struct poked, 1);
	new->start = page;
	for (; done < PAGE && now.len; now = bytes_first(code(im, page + done), PAGE - done)) {
		memcpy(new->bytes + done, now.at, now.len);
		done += now.len;
	}
	k->n_poked++;
	return *p = new;
}

void kernel_poke(struct images *im, u64 addr, struct bytes now, bool generated)
{
	while (now.len) {
		u64 in_page = addr & (PAGE - 1), n = MIN(now.len, PAGE - in_page);
		struct poked *p = get_poked(im, addr - in_page, generated);

		if (p)
			memcpy(p->bytes + in_page, now.at, n);
		now = bytes_skip(now, n);
		addr += n;
	}
}

void kernel_close(struct images *im)
{
	if (im->loaded && im->loaded->has_code)
		kcore_close(&im->loaded->code);
}
