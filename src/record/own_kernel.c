/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The code of the running kernel: its ranges, and its bytes.
 *
 * /proc/kcore maps all memory of the kernel, in segments that are much larger than the code.
 * Therefore the ranges of code come from kallsyms and the list of modules, and only those are read.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <pt/lines.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/text.h>

#include "own_kernel.h"

enum { PAGE = 4096 };

bool own_kernel_text(struct kernel_text *k)
{
	struct lines lines;
	char *line, *name;
	u64 at, text = 0;

	*k = (struct kernel_text){ 0 };
	if (lines_open(&lines, "/proc/kallsyms"))
		return false;
	while ((line = lines_next(&lines)) && !k->end) {
		if (!num_read(line, 16, &at) || strlen(line) < 20)
			continue;
		name = line + 19;
		if (!strcmp(name, "_text"))
			text = at;
		else if (!strcmp(name, "_stext"))
			k->start = at;
		else if (!strcmp(name, "_etext"))
			k->end = at;
	}
	lines_close(&lines);
	k->name = "[kernel.kallsyms]_stext";
	if (text) {
		k->start = text;
		k->name = "[kernel.kallsyms]_text";
	}
	return k->start && k->end > k->start;
}

/* Read a line of /proc/modules: "name size users names state address". */
static bool read_module(const char *line, struct kernel_module *m, struct arena *arena)
{
	size_t len = strcspn(line, " ");
	const char *s = text_after(line, " 0x");
	char *name;

	if (!s || !line[len] || !num_read(line + len + 1, 10, &m->len) ||
	    !num_read(s, 16, &m->start) || !m->start)
		return false;
	name = arena_strn(arena, line, len + 2);
	fmt_str(name, len + 3, "[%.*s]", (int)len, line);
	m->name = name;
	return true;
}

u32 own_kernel_modules(struct kernel_module **list, struct arena *arena)
{
	u32 n = 0, room = 0;
	struct lines lines;
	char *line;

	*list = NULL;
	if (lines_open(&lines, "/proc/modules"))
		return 0;
	while ((line = lines_next(&lines))) {
		if (n == room) {
			room = MAX(64, 2 * room);
			*list = arena_grow(arena, *list, sizeof(**list), n, room);
		}
		n += read_module(line, &(*list)[n], arena);
	}
	lines_close(&lines);
	return n;
}

/* Is 'file', "kernel/fs/ext4/ext4.ko.xz", the file of module "[ext4]"? A '-' in the name of a file
 * is '_' in the name of a module. */
static bool is_file_of(const char *file, const char *module)
{
	const char *base = strrchr(file, '/');

	base = base ? base + 1 : file;
	for (module++; *module && *module != ']'; base++, module++)
		if (*base != *module && !(*base == '-' && *module == '_'))
			return false;
	return !strncmp(base, ".ko", 3);
}

/* Set the paths of the modules' files, from modules.dep. */
void own_kernel_files(struct kernel_module *list, u32 n, struct arena *arena)
{
	struct utsname un;
	struct lines lines;
	char folder[160], path[512], *line;
	u32 i;

	uname(&un);
	fmt_str(folder, sizeof(folder), "/lib/modules/%s", un.release);
	fmt_str(path, sizeof(path), "%s/modules.dep", folder);
	if (lines_open(&lines, path))
		return;
	while ((line = lines_next(&lines))) {
		line[strcspn(line, ":")] = 0;
		for (i = 0; i < n && !(*list[i].name == '[' && is_file_of(line, list[i].name)); i++)
			;
		if (i == n)
			continue;
		fmt_str(path, sizeof(path), "%s/%s", folder, line);
		list[i].name = arena_str(arena, path);
	}
	lines_close(&lines);
}

/* The ranges of code */

static void add_range(struct own_kernel_code *c, u64 start, u64 end, struct arena *arena)
{
	if (c->n == c->room) {
		c->room = MAX(64, 2 * c->room);
		c->at = arena_grow(arena, c->at, sizeof(*c->at), c->n, c->room);
	}
	start &= ~(u64)(PAGE - 1);
	c->at[c->n++] = (struct own_kernel_range){ start, round_up(end, PAGE) };
}

/* Code that was generated at run time has symbols but no module: BPF programs, kprobe and ftrace
 * trampolines. Add the page of the symbol and the next page. */
static void add_generated(struct own_kernel_code *c, struct arena *arena)
{
	struct lines lines;
	char *line;
	u64 at;

	if (lines_open(&lines, "/proc/kallsyms"))
		return;
	while ((line = lines_next(&lines)))
		if ((text_after(line, "[bpf]") || text_after(line, "[__builtin__")) &&
		    num_read(line, 16, &at) && at)
			add_range(c, at, at + PAGE, arena);
	lines_close(&lines);
}

static void sort(struct own_kernel_code *c)
{
	u32 i, j;

	for (i = 1; i < c->n; i++) {
		struct own_kernel_range r = c->at[i];

		for (j = i; j && c->at[j - 1].start > r.start; j--)
			c->at[j] = c->at[j - 1];
		c->at[j] = r;
	}
}

static void merge(struct own_kernel_code *c)
{
	u32 i, n = 0;

	for (i = 0; i < c->n; i++) {
		if (n && c->at[i].start <= c->at[n - 1].end)
			c->at[n - 1].end = MAX(c->at[n - 1].end, c->at[i].end);
		else
			c->at[n++] = c->at[i];
	}
	c->n = n;
}

bool own_kernel_code(struct own_kernel_code *c, struct arena *arena)
{
	struct kernel_module *modules;
	struct kernel_text text;
	u32 n, i;

	*c = (struct own_kernel_code){ 0 };
	if (!own_kernel_text(&text))
		return false;
	add_range(c, text.start, text.end, arena);
	n = own_kernel_modules(&modules, arena);
	for (i = 0; i < n; i++)
		add_range(c, modules[i].start, modules[i].start + modules[i].len, arena);
	add_generated(c, arena);
	sort(c);
	merge(c);
	return true;
}

/* The bytes */

int own_kernel_open(struct own_kernel *k)
{
	Elf64_Ehdr h;

	k->fd = open("/proc/kcore", O_RDONLY | O_CLOEXEC);
	if (k->fd < 0)
		return -errno;
	if (pread(k->fd, &h, sizeof(h), 0) != sizeof(h) || memcmp(h.e_ident, ELFMAG, SELFMAG) ||
	    h.e_phentsize != sizeof(Elf64_Phdr)) {
		close(k->fd);
		return -EBADMSG;
	}
	k->phoff = h.e_phoff;
	k->phnum = h.e_phnum;
	return 0;
}

/* The offset of 'addr' in the file. It is in the last segment that begins at or before it. */
static bool find_offset(const struct own_kernel *k, u64 addr, u64 *off)
{
	Elf64_Phdr p;
	u64 start = 0;
	u32 i;

	for (i = 0; i < k->phnum; i++) {
		if (pread(k->fd, &p, sizeof(p), k->phoff + i * sizeof(p)) != sizeof(p))
			break;
		if (p.p_type != PT_LOAD || p.p_vaddr > addr || p.p_vaddr < start ||
		    addr - p.p_vaddr >= p.p_memsz)
			continue;
		start = p.p_vaddr;
		*off = p.p_offset + (addr - p.p_vaddr);
	}
	return start;
}

void own_kernel_read(const struct own_kernel *k, u64 addr, u8 *to, size_t len)
{
	u64 off = 0;

	memset(to, 0, len);
	if (find_offset(k, addr, &off) && pread(k->fd, to, len, off) < 0)
		memset(to, 0, len);
}

void own_kernel_close(struct own_kernel *k)
{
	close(k->fd);
}

/* A core file of the code */

static u64 core_head(const struct own_kernel_code *c)
{
	return round_up(sizeof(Elf64_Ehdr) + c->n * sizeof(Elf64_Phdr), PAGE);
}

u64 own_kernel_core_size(const struct own_kernel_code *c)
{
	u64 size = core_head(c);
	u32 i;

	for (i = 0; i < c->n; i++)
		size += c->at[i].end - c->at[i].start;
	return size;
}

static bool put_headers(const struct own_kernel_code *c, const struct own_kernel_sink *to)
{
	Elf64_Ehdr h = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_CORE, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_phoff = sizeof(h), .e_ehsize = sizeof(h), .e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = c->n,
	};
	u64 at = core_head(c);
	bool ok = to->put(to->who, &h, sizeof(h));
	u32 i;

	for (i = 0; i < c->n && ok; i++) {
		u64 len = c->at[i].end - c->at[i].start;
		Elf64_Phdr p = {
			.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = at,
			.p_vaddr = c->at[i].start, .p_filesz = len, .p_memsz = len, .p_align = PAGE,
		};

		ok = to->put(to->who, &p, sizeof(p));
		at += len;
	}
	return ok;
}

bool own_kernel_core(const struct own_kernel *k, const struct own_kernel_code *c,
		     const struct own_kernel_sink *to)
{
	u8 page[PAGE] = { 0 };
	u64 at = sizeof(Elf64_Ehdr) + c->n * sizeof(Elf64_Phdr);
	bool ok = put_headers(c, to) && to->put(to->who, page, core_head(c) - at);
	u32 i;

	for (i = 0; i < c->n && ok; i++) {
		for (at = c->at[i].start; at < c->at[i].end && ok; at += PAGE) {
			own_kernel_read(k, at, page, PAGE);
			ok = to->put(to->who, page, PAGE);
		}
	}
	return ok;
}
