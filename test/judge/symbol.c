/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * symbol make FILE N OUT: perf.data with samples at N addresses of the code of FILE.
 * symbol print FILE N [SYMFS]: the expected output of 'perf script -F ip,sym,symoff,dso'.
 * symbol make-kernel MAPS N OUT, symbol print-kernel MAPS N KALLSYMS: the same for a kernel;
 * a line of MAPS is "START END PGOFF NAME" (hexadecimal).
 */
#include <stdio.h>
#include <stdlib.h>

#include <pt/image.h>

#include "src/image/image.h"
#include "src/image/segment.h"

enum { X = 1 };			/* PF_X */

static struct arena arena;
static struct images im = { .arena = &arena };

/* Where segment 's' is in memory: position-independent files somewhere high. */
static u64 base(struct bytes elf)
{
	return get16(elf.at + 16) == 3 ? 0x7f1234560000 : 0;
}

static struct bytes whole(const char *path)
{
	struct bytes b = { 0 };
	int fd = file_open(path);

	if (fd < 0 || file_map(&b, fd))
		fprintf(stderr, "cannot read %s\n", path);
	return b;
}

/* Call 'see' for each address. */
static void each_address(struct bytes elf, u64 n, void (*see)(u64 addr))
{
	struct segments all = segments_of(elf);
	struct segment s;
	u64 total = 0, i;

	while (segment_next(&all, &s))
		total += s.type == 1 && s.flags & X ? s.filesz : 0;
	for (all = segments_of(elf); segment_next(&all, &s); ) {
		u64 step = total / n + 1;

		if (s.type != 1 || !(s.flags & X))
			continue;
		for (i = 0; i < s.filesz; i += step)
			see(base(elf) + s.vaddr + i);
	}
}

static u8 *at;

static void put(const void *p, size_t n)
{
	memcpy(at, p, n);
	at += n;
}

static void put32(u32 v) { put(&v, 4); }
static void put64(u64 v) { put(&v, 8); }

static void put_head(u32 type, u16 misc, u16 size)
{
	put32(type);
	put(&misc, 2);
	put(&size, 2);
}

static u16 misc = 2;		/* user; 1: kernel */

static void put_sample(u64 addr)
{
	put_head(9, misc, 32);
	put64(addr);
	put32(42);
	put32(42);
	put64(2000);
}

static void put_text(const char *s, size_t size)
{
	strncpy((char *)at, s, size);
	at += size;
}

static void put_maps(struct bytes elf, const char *path)
{
	struct segments all = segments_of(elf);
	size_t room = round_up(strlen(path) + 1, 8);
	struct segment s;

	put_head(3, 2, 16 + 8);
	put32(42);
	put32(42);
	put_text("judge", 8);
	while (segment_next(&all, &s)) {
		u64 skip = s.vaddr & 4095;

		if (s.type != 1 || !(s.flags & X))
			continue;
		put_head(10, 2, 72 + room);
		put32(42);
		put32(42);
		put64(base(elf) + s.vaddr - skip);
		put64(round_up(s.memsz + skip, 4096));
		put64(s.off - skip);
		put32(0);
		put32(0);
		put64(0);
		put64(0);
		put32(5);
		put32(2);
		put_text(path, room);
	}
}

static u64 n_per_map;

/* Call 'see' for each map, and 'look' for addresses in it. */
static void each_kernel_map(struct bytes maps, void (*see)(const struct mapping *m),
			    void (*look)(u64 addr))
{
	const char *line = (const char *)maps.at, *end = line + maps.len;
	struct mapping m = { .pid = -1 };
	static char name[256];
	u64 stop, i;

	while (line < end && sscanf(line, "%llx %llx %llx %255s", &m.start, &stop, &m.pgoff,
				    name) == 4) {
		m.len = stop - m.start;
		m.name = name;
		if (see)
			see(&m);
		for (i = 0; look && i < n_per_map; i++)
			look(m.start + m.len / n_per_map * i);
		line = strchr(line, '\n') + 1;
	}
}

static void put_kernel_map(const struct mapping *m)
{
	size_t room = round_up(strlen(m->name) + 1, 8);

	put_head(1, 1, 40 + room);
	put32(-1);
	put32(0);
	put64(m->start);
	put64(m->len);
	put64(m->pgoff);
	put_text(m->name, room);
}

static int make(struct bytes file, const char *path, u64 n, const char *to)
{
	u8 *all = calloc(1, (n + 1000) * 64 * 100), *start;
	FILE *f = fopen(to, "w");

	if (!f)
		return 1;
	at = all + 104 + 128;
	start = at;
	if (misc == 1) {
		n_per_map = n;
		each_kernel_map(file, put_kernel_map, NULL);
		each_kernel_map(file, NULL, put_sample);
	} else {
		put_maps(file, path);
		each_address(file, n, put_sample);
	}
	n = at - start;
	at = all;
	put("PERFILE2", 8);
	put64(104);
	put64(128);
	put64(104);
	put64(128);
	put64(start - all);
	put64(n);
	at = all + 104;
	put32(1);			/* software, */
	put32(112);
	put64(0);			/* cpu-clock */
	put64(1);
	put64(7);			/* IP, TID, TIME */
	fwrite(all, 1, start - all + n, f);
	return fclose(f);
}

static struct space *space;

static void print_address(u64 addr)
{
	const struct map *m = space_find(space, addr);
	const struct symbol *s = m ? dso_symbol(&im, m->dso, map_addr(&im, m, addr)) : NULL;

	printf("%17llx ", addr);
	if (s)
		printf("%.*s+0x%llx", (int)s->len, s->name, map_addr(&im, m, addr) - s->start);
	else
		printf("[unknown]");
	printf(" (%s)\n", m ? m->dso->name : "[unknown]");
}

static void say(void *who, const char *what)
{
	fprintf(stderr, "%s\n", what);
}

static int print(struct bytes elf, const char *path, u64 n)
{
	struct segments all = segments_of(elf);
	struct segment s;

	im.say = say;
	space = space_new(&im);
	while (segment_next(&all, &s)) {
		u64 skip = s.vaddr & 4095;

		if (s.type == 1 && s.flags & X)
			space_mmap(&im, space, &(struct mapping){ 42, base(elf) + s.vaddr - skip,
				   round_up(s.memsz + skip, 4096), s.off - skip, 5, 2, path });
	}
	each_address(elf, n, print_address);
	return 0;
}

static void map_kernel(const struct mapping *m)
{
	images_kernel_mmap(&im, m);
}

static int print_kernel(struct bytes maps, u64 n)
{
	im.say = say;
	space = images_kernel(&im);
	n_per_map = n;
	each_kernel_map(maps, map_kernel, NULL);
	each_kernel_map(maps, NULL, print_address);
	return 0;
}

int main(int argc, char **argv)
{
	struct bytes elf;

	if (argc < 4)
		return 1;
	elf = whole(argv[2]);
	if (!elf.len)
		return 1;
	if (!strcmp(argv[1], "make-kernel"))
		misc = 1;
	if (!strncmp(argv[1], "make", 4) && argc == 5)
		return make(elf, argv[2], atoi(argv[3]), argv[4]);
	if (!strcmp(argv[1], "print-kernel") && argc == 5) {
		im.kallsyms = argv[4];
		return print_kernel(elf, atoi(argv[3]));
	}
	if (argc == 5)
		im.symfs = argv[4];
	return print(elf, argv[2], atoi(argv[3]));
}
