/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt inject --jit: the functions that a program compiled at run time, as a file with symbols.
 *
 * A program that makes code maps a file jit-PID.dump, which is thereby in the recording. It has the
 * code of each function, and when it was loaded where. All code goes into one ELF file, OUT.jit.so;
 * a record maps each function from there.
 *
 *	head | code ... | build-id | symbols | names | names of sections | sections
 *
 * Addresses in the file are offsets, so that no segment has to be described.
 *
 * Source: Linux, tools/perf/Documentation/jitdump-specification.txt.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <pt/digest.h>
#include <pt/fail.h>
#include <pt/file.h>
#include <pt/num.h>
#include "inject.h"

enum {
	MAGIC = 0x4a695444, ARCH_TIMESTAMP = 1, HEAD = 40, ENTRY_HEAD = 16,
	CODE_LOAD = 0, CODE_MOVE = 1,
	ALIGN = 16, ID_BYTES = 20, USER = 2,
};

struct jit_function { u64 at, size, index; const char *name; i32 pid; };

/* A jitdump that is read. */
struct dump {
	struct inject *x;
	struct timescale scale;
	bool ticks;		/* its times are in TSC ticks */
};

int inject_jit_open(struct inject *x)
{
	struct arena *arena = &x->list.session.arena;
	size_t len = strlen(x->output) + sizeof(".jit.so");
	char *name = NEW(arena, char, len), *real = NEW(arena, char, 4096);

	if (x->w.pipe)
		return fail(0, "--jit: give -o FILE; the code is written beside it");
	fmt_str(name, len, "%s.jit.so", x->output);
	x->jit.fd = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (x->jit.fd < 0)
		return fail(-errno, "cannot write %s", name);
	x->jit.path = file_real_path(name, real) ? name : real;
	x->jit.end = round_up(sizeof(Elf64_Ehdr), ALIGN);
	return 0;
}

/* Append to the file. Returns the offset. */
static u64 append(struct inject *x, const void *at, size_t len)
{
	struct inject_jit *j = &x->jit;
	u64 off = j->end;

	if (!j->err && pwrite(j->fd, at, len, off) != (ssize_t)len)
		j->err = errno ? -errno : -EIO;
	j->end = round_up(off + len, ALIGN);
	return off;
}

static void add_function(struct inject *x, struct jit_function f)
{
	struct inject_jit *j = &x->jit;

	if (j->n == j->room) {
		u32 room = MAX(64, 2 * j->room);

		j->functions = arena_grow(&x->list.session.arena, j->functions,
					  sizeof(*j->functions), j->n, room);
		j->room = room;
	}
	j->functions[j->n++] = f;
}

static void write_map(struct dump *d, const struct jit_function *f, u64 addr, i32 tid, u64 time)
{
	enum { READ_EXEC = 5, PRIVATE = 2 };
	struct inject *x = d->x;
	const struct perf_event *e = &x->events[0];
	struct perf_mmap m = {
		.pid = f->pid, .tid = tid, .start = addr, .len = f->size, .pgoff = f->at,
		.prot = READ_EXEC, .flags = PRIVATE, .name = x->jit.path,
	};
	struct perf_stamp stamp = {
		f->pid, tid, d->ticks ? clock_from_tsc(&d->scale, time) : time,
		e->n_ids ? e->ids[0] : 0, 0,
	};

	perf_write_mmap(&x->w, USER, &m, &stamp);
}

/* pid tid vma address size index, name, code */
static void load(struct dump *d, struct bytes b, u64 time)
{
	enum { FIXED = 40 };
	struct inject *x = d->x;
	struct bytes name = bytes_skip(b, FIXED), code;
	const u8 *end = memchr(name.at, 0, name.len);
	struct jit_function f;

	if (b.len < FIXED || !end)
		return;
	f = (struct jit_function){ .pid = get32(b.at), .size = get64(b.at + 24),
				   .index = get64(b.at + 32) };
	code = bytes_skip(name, end + 1 - name.at);
	if (!f.size || f.size > code.len)
		return;
	x->jit.digest = digest_bytes(x->jit.digest, b.at, b.len);
	f.name = arena_str(&x->list.session.arena, (const char *)name.at);
	f.at = append(x, code.at, f.size);
	add_function(x, f);
	write_map(d, &f, get64(b.at + 16), get32(b.at + 4), time);
}

/* pid tid vma, old and new address, size, index */
static void move(struct dump *d, struct bytes b, u64 time)
{
	enum { FIXED = 48 };
	const struct inject_jit *j = &d->x->jit;
	u32 i = j->n;

	if (b.len < FIXED)
		return;
	while (i--)
		if (j->functions[i].pid == (i32)get32(b.at) &&
		    j->functions[i].index == get64(b.at + 40)) {
			write_map(d, &j->functions[i], get64(b.at + 24), get32(b.at + 4), time);
			return;
		}
}

static void read_entries(struct dump *d, struct bytes rest)
{
	while (rest.len >= ENTRY_HEAD) {
		u32 kind = get32(rest.at), size = get32(rest.at + 4);
		u64 time = get64(rest.at + 8);
		struct bytes body = bytes_skip(bytes_first(rest, size), ENTRY_HEAD);

		/* The program may have died while it wrote the last one. */
		if (size < ENTRY_HEAD || size > rest.len)
			return;
		if (kind == CODE_LOAD)
			load(d, body, time);
		else if (kind == CODE_MOVE)
			move(d, body, time);
		rest = bytes_skip(rest, size);
	}
}

/* Do all events have the clock that programs can read? */
static bool is_monotonic(const struct perf_file *f)
{
	enum { CLOCK_MONOTONIC_ID = 1 };
	u32 i;

	for (i = 0; i < f->n_events; i++) {
		const struct perf_attr *attr = &f->events[i]->attr;

		if (!perf_attr_flag(attr, PERF_F_USE_CLOCKID) ||
		    attr->clockid != CLOCK_MONOTONIC_ID)
			return false;
	}
	return true;
}

static int read_dump(struct inject *x, struct bytes file, const char *name)
{
	struct dump d = { x };

	if (file.len < HEAD || get32(file.at) != MAGIC || get32(file.at + 8) < HEAD)
		return fail(0, "%s: not a jitdump of this machine's byte order", name);
	d.ticks = get64(file.at + 32) & ARCH_TIMESTAMP;
	d.scale = (struct timescale){ .shift = x->jit.conv.time_shift,
				      .mult = x->jit.conv.time_mult,
				      .zero = x->jit.conv.time_zero };
	if (d.ticks && !d.scale.mult)
		return fail(0, "%s: its times are in TSC ticks, but %s has no TIME_CONV record",
			    name, x->list.path);
	if (!d.ticks && !is_monotonic(&x->list.session.file))
		return fail(0, "%s: its times are of another clock than those of %s; record with "
			    "-k mono", name, x->list.path);
	x->jit.machine = get32(file.at + 12);
	read_entries(&d, bytes_skip(file, get32(file.at + 8)));
	return 0;
}

/* Is it ".../jit-PID.dump"? */
static bool is_dump(const char *name, i32 pid)
{
	const char *last = strrchr(name, '/'), *end;
	u64 v;

	last = last ? last + 1 : name;
	if (strncmp(last, "jit-", 4))
		return false;
	end = num_read(last + 4, 10, &v);
	return end && v == (u64)pid && !strcmp(end, ".dump");
}

static bool is_anonymous(const char *name)
{
	return !strncmp(name, "//anon", 6) || !strncmp(name, "[anon:", 6) ||
	       !strncmp(name, "/memfd:", 7);
}

static bool has_dump(const struct inject_jit *j, i32 pid)
{
	u32 i;

	for (i = 0; i < j->n_pids; i++)
		if (j->pids[i] == pid)
			return true;
	return false;
}

static void note_pid(struct inject *x, i32 pid)
{
	struct inject_jit *j = &x->jit;

	j->pids = arena_grow(&x->list.session.arena, j->pids, sizeof(*j->pids), j->n_pids,
			     j->n_pids + 1);
	j->pids[j->n_pids++] = pid;
}

bool inject_jit_record(struct inject *x, const struct perf_record *rec)
{
	struct perf_mmap m;
	struct bytes file;
	int fd, err;

	if (!x->jits)
		return false;
	if (rec->type == PERF_TIME_CONV || rec->type == PERF_AUXTRACE_INFO)
		perf_get_pt_info(rec, &x->jit.conv, &x->list.session.arena);
	if ((rec->type != PERF_MMAP && rec->type != PERF_MMAP2) || !perf_get_mmap(rec, &m))
		return false;
	/* A map of the memory would cover the maps of the functions in it. */
	if (is_anonymous(m.name))
		return has_dump(&x->jit, m.pid);
	if (!is_dump(m.name, m.pid) || has_dump(&x->jit, m.pid))
		return false;
	note_pid(x, m.pid);
	fd = file_open_below(x->list.session.images.symfs, m.name);
	err = fd < 0 ? fd : file_map(&file, fd);
	if (fd >= 0)
		close(fd);
	if (err) {
		x->jit.failed |= fail(err, "cannot read %s", m.name);
		return false;
	}
	x->jit.failed |= read_dump(x, file, m.name);
	file_unmap(&file);
	return false;
}

/* The end of the file: what follows the code. */

static const char sections[] = "\0.text\0.note.gnu.build-id\0.symtab\0.strtab\0.shstrtab";
enum { TEXT = 1, NOTE = 7, SYMTAB = 26, STRTAB = 34, SHSTRTAB = 42 };

static u64 write_note(struct inject *x, u8 *id)
{
	u8 note[16 + ID_BYTES] = { 0 };

	set64(id, x->jit.digest);
	set64(id + 8, digest(x->jit.digest, x->jit.end));
	set32(note, 4);
	set32(note + 4, ID_BYTES);
	set32(note + 8, NT_GNU_BUILD_ID);
	memcpy(note + 12, "GNU", 4);
	memcpy(note + 16, id, ID_BYTES);
	return append(x, note, sizeof(note));
}

/* Write symbols and their names, and describe them in two sections. */
static void write_symbols(struct inject *x, Elf64_Shdr *table, Elf64_Shdr *names)
{
	struct inject_jit *j = &x->jit;
	struct arena *arena = &x->list.session.arena;
	Elf64_Sym *syms = NEW(arena, Elf64_Sym, j->n + 1);
	size_t len = 1, at = 1;
	char *text;
	u32 i;

	for (i = 0; i < j->n; i++)
		len += strlen(j->functions[i].name) + 1;
	text = NEW(arena, char, len);
	for (i = 0; i < j->n; i++) {
		const struct jit_function *f = &j->functions[i];

		syms[i + 1] = (Elf64_Sym){ .st_name = at, .st_shndx = 1, .st_value = f->at,
					   .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
					   .st_size = f->size };
		memcpy(text + at, f->name, strlen(f->name));
		at += strlen(f->name) + 1;
	}
	table->sh_size = (j->n + 1) * sizeof(*syms);
	table->sh_offset = append(x, syms, table->sh_size);
	names->sh_size = len;
	names->sh_offset = append(x, text, len);
}

static void write_elf(struct inject *x, u8 *id)
{
	enum { N_SECTIONS = 6, SYMBOLS = 3, NAMES = 4, LAST = 5 };
	u64 code = round_up(sizeof(Elf64_Ehdr), ALIGN), code_end = x->jit.end;
	Elf64_Shdr s[N_SECTIONS] = {
		[1] = { .sh_name = TEXT, .sh_type = SHT_PROGBITS, .sh_addr = code,
			.sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_offset = code,
			.sh_size = code_end - code, .sh_addralign = ALIGN },
		[2] = { .sh_name = NOTE, .sh_type = SHT_NOTE, .sh_flags = SHF_ALLOC,
			.sh_size = 16 + ID_BYTES, .sh_addralign = 4 },
		[SYMBOLS] = { .sh_name = SYMTAB, .sh_type = SHT_SYMTAB, .sh_link = NAMES,
			      .sh_info = 1, .sh_addralign = 8,
			      .sh_entsize = sizeof(Elf64_Sym) },
		[NAMES] = { .sh_name = STRTAB, .sh_type = SHT_STRTAB, .sh_addralign = 1 },
		[LAST] = { .sh_name = SHSTRTAB, .sh_type = SHT_STRTAB, .sh_addralign = 1,
			   .sh_size = sizeof(sections) },
	};
	Elf64_Ehdr head = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			     EV_CURRENT },
		.e_type = ET_DYN, .e_machine = x->jit.machine, .e_version = EV_CURRENT,
		.e_ehsize = sizeof(head), .e_shentsize = sizeof(*s), .e_shnum = N_SECTIONS,
		.e_shstrndx = LAST,
	};

	s[2].sh_addr = s[2].sh_offset = write_note(x, id);
	write_symbols(x, &s[SYMBOLS], &s[NAMES]);
	s[LAST].sh_offset = append(x, sections, sizeof(sections));
	head.e_shoff = append(x, s, sizeof(s));
	x->jit.end = 0;
	append(x, &head, sizeof(head));
}

int inject_jit_close(struct inject *x)
{
	u8 id[ID_BYTES] = { 0 };

	if (!x->jits)
		return 0;
	if (!x->jit.n)
		warn(0, "%s: no program in it wrote a jitdump: there is no code for %s",
		     x->list.path, x->jit.path);
	write_elf(x, id);
	inject_write_id(x, USER, x->jit.path, (struct bytes){ id, ID_BYTES });
	if (close(x->jit.fd) && !x->jit.err)
		x->jit.err = -errno;
	if (x->jit.err)
		return fail(x->jit.err, "cannot write %s", x->jit.path);
	return x->jit.failed;
}
