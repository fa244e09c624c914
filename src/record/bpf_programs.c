/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * BPF programs of the running kernel: their symbols as records at the start, and their code as
 * the feature BPF_PROG_INFO at the end, of those that ran at the start or at the end. A program
 * that lived only in between has its symbol, but no code.
 *
 * Users without rights cannot see them, and the kernel hides the code of programs if
 * addresses are hidden (kptr_restrict); then there is nothing to write.
 */
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <pt/lines.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/text.h>

#include "record.h"

enum { PROGRAMS_MAX = 4096, DATA_MAX = 4 << 20 };

struct bpf_program {
	struct bpf_program *next;
	struct bpf_prog_info info;	/* pointers are offsets in 'data', as in the file */
	u32 len;
	u8 *data;
	const char **names;	/* of its functions; NULL where one is not known */
};

static long bpf(int what, union bpf_attr *attr)
{
	return syscall(SYS_bpf, what, attr, sizeof(*attr));
}

/* The next program's id, or 0. */
static u32 next_id(u32 id)
{
	union bpf_attr attr = { .start_id = id };

	return bpf(BPF_PROG_GET_NEXT_ID, &attr) ? 0 : attr.next_id;
}

static bool get_info(int fd, struct bpf_prog_info *info)
{
	union bpf_attr attr = { .info = { .bpf_fd = fd, .info_len = sizeof(*info),
					  .info = (u64)(uintptr_t)info } };

	return !bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

/* The arrays of a program that are wanted. */
struct array { __aligned_u64 *at; u32 size; };

enum { N_ARRAYS = 4 };

static u64 arrays_of(struct bpf_prog_info *info, struct array *to)
{
	u64 len = 0;
	u32 i;

	to[0] = (struct array){ &info->jited_prog_insns, info->jited_prog_len };
	to[1] = (struct array){ &info->jited_ksyms, 8 * info->nr_jited_ksyms };
	to[2] = (struct array){ &info->jited_func_lens, 4 * info->nr_jited_func_lens };
	to[3] = (struct array){ &info->prog_tags, 8 * info->nr_prog_tags };
	for (i = 0; i < N_ARRAYS; i++)
		len += round_up(to[i].size, 8);
	return len;
}

/* Read what 'fd' is into 'p'. False if it has no code that may be seen. */
static bool read_program(struct arena *arena, struct bpf_program *p, int fd)
{
	struct bpf_prog_info first = { 0 };
	struct array arrays[N_ARRAYS];
	u64 len, off = 0;
	u32 i;

	if (!get_info(fd, &first))
		return false;
	len = arrays_of(&first, arrays);
	if (!first.jited_prog_len || !first.nr_jited_ksyms || len > DATA_MAX)
		return false;
	/* Only the sizes of these arrays go in: the others are not written. */
	p->info = (struct bpf_prog_info){
		.jited_prog_len = first.jited_prog_len, .nr_jited_ksyms = first.nr_jited_ksyms,
		.nr_jited_func_lens = first.nr_jited_func_lens, .nr_prog_tags = first.nr_prog_tags,
	};
	p->data = NEW(arena, u8, len);
	p->len = len;
	arrays_of(&p->info, arrays);
	for (i = 0; i < N_ARRAYS; off += round_up(arrays[i++].size, 8))
		*arrays[i].at = (u64)(uintptr_t)(p->data + off);
	if (!get_info(fd, &p->info) || arrays_of(&p->info, arrays) != len ||
	    !p->info.jited_prog_insns || !p->info.jited_ksyms)
		return false;
	for (i = 0, off = 0; i < N_ARRAYS; off += round_up(arrays[i++].size, 8))
		*arrays[i].at = off;
	return get64(p->data + p->info.jited_ksyms);
}

static bool is_known(const struct record *r, u32 id)
{
	const struct bpf_program *p = r->programs;

	while (p && p->info.id != id)
		p = p->next;
	return p;
}

/* Add the programs that are not known yet, in front of the others. */
static void look(struct record *r)
{
	u32 id = 0, n = 0;

	while ((id = next_id(id)) && n++ < PROGRAMS_MAX) {
		union bpf_attr attr = { .prog_id = id };
		struct bpf_program *p;
		int fd;

		if (is_known(r, id))
			continue;
		fd = bpf(BPF_PROG_GET_FD_BY_ID, &attr);
		if (fd < 0)
			continue;
		p = NEW(r->arena, struct bpf_program, 1);
		if (read_program(r->arena, p, fd)) {
			p->names = NEW(r->arena, const char *, p->info.nr_jited_ksyms);
			p->next = r->programs;
			r->programs = p;
		}
		close(fd);
	}
}

static u32 functions(const struct bpf_program *p)
{
	return MIN(p->info.nr_jited_ksyms, p->info.nr_jited_func_lens);
}

static u64 function_at(const struct bpf_program *p, u32 i)
{
	return get64(p->data + p->info.jited_ksyms + 8 * (u64)i);
}

static void set_name(struct record *r, u64 addr, const char *name)
{
	struct bpf_program *p;
	u32 i;

	for (p = r->programs; p; p = p->next)
		for (i = 0; i < functions(p); i++)
			if (function_at(p, i) == addr)
				p->names[i] = arena_str(r->arena, name);
}

/* The names that the kernel gave to the functions: "ffffffffc0022114 t NAME\t[bpf]". */
static void read_names(struct record *r)
{
	struct lines lines;
	char *line, *name;
	u64 addr;

	if (!r->programs || lines_open(&lines, "/proc/kallsyms"))
		return;
	while ((line = lines_next(&lines))) {
		name = (char *)text_after(line, " t ");
		if (!name || !text_after(name, "[bpf]") || !num_read(line, 16, &addr))
			continue;
		name[strcspn(name, "\t ")] = 0;
		set_name(r, addr, name);
	}
	lines_close(&lines);
}

static void write_symbol(struct perf_writer *w, const struct bpf_program *p, u32 i)
{
	static const struct perf_stamp none;
	enum { TYPE_BPF = 1, NAME = 16, NAME_MAX = 256 };
	u8 body[NAME + NAME_MAX] = { 0 };
	char *name = (char *)body + NAME;

	set64(body, function_at(p, i));
	set32(body + 8, get32(p->data + p->info.jited_func_lens + 4 * (u64)i));
	set16(body + 12, TYPE_BPF);
	fmt_str(name, NAME_MAX, "%s", p->names[i]);
	perf_write_record(w, PERF_KSYMBOL, 0, (struct bytes){ body, NAME + strlen(name) + 1 },
			  &none);
}

static void write_records(struct perf_writer *w, const struct bpf_program *p)
{
	static const struct perf_stamp none;
	u8 body[16] = { 1 };	/* it was loaded */
	u32 i;

	for (i = 0; i < functions(p); i++)
		if (p->names[i])
			write_symbol(w, p, i);
	set32(body + 4, p->info.id);
	memcpy(body + 8, p->info.tag, 8);
	perf_write_record(w, PERF_BPF_EVENT, 0, (struct bytes){ body, sizeof(body) }, &none);
}

void bpf_programs_start(struct record *r)
{
	const struct bpf_program *p;

	r->sees_kernel = true;
	look(r);
	read_names(r);
	for (p = r->programs; p; p = p->next)
		write_records(&r->w, p);
}

void bpf_programs_write(struct record *r)
{
	/* Instructions, symbols, lengths and tags are there: perf's numbers of arrays. */
	const u64 arrays = 1 << 0 | 1 << 3 | 1 << 4 | 1 << 8;
	const u32 size = offsetof(struct bpf_prog_info, run_time_ns);	/* all readers know */
	const struct bpf_program *p;
	u32 n = 0;

	look(r);
	for (p = r->programs; p; p = p->next)
		n++;
	if (!n)
		return;
	perf_write_feature_start(&r->w, PERF_FEAT_BPF_PROG_INFO);
	perf_write_u32(&r->w, n);
	for (p = r->programs; p; p = p->next) {
		perf_write_u32(&r->w, size);
		perf_write_u32(&r->w, p->len);
		perf_write_u64(&r->w, arrays);
		perf_write_bytes(&r->w, &p->info, size);
		perf_write_bytes(&r->w, p->data, p->len);
	}
	perf_write_feature_end(&r->w);
}
