/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Addresses to bytes and names: DSOs, the address spaces they are mapped into,
 * and their symbols.
 */
#ifndef PT_IMAGE_H
#define PT_IMAGE_H

#include <pt/base.h>

/* Where to look for files: what the command line said. */
struct images {
	const char *symfs;	/* prefix of every path, or NULL */
	const char *vmlinux, *kallsyms, *kcore, *vdso;	/* paths, or NULL */
	bool this_machine;	/* the recording was made here (same boot): its own vDSO, kcore
				 * and kallsyms are right */
	struct arena *arena;
	struct dso *dsos;	/* all, by the order they were met */
	struct dso **by_name;	/* hash */
	/* One line about a file that is missing or is another than the one recorded. */
	void (*say)(void *who, const char *what);
	void *who;
};

enum dso_kind { DSO_FILE, DSO_KERNEL, DSO_MODULE, DSO_VDSO, DSO_JIT, DSO_ANON };

/* A file that holds code: opened when its bytes, loaded when its symbols are
 * first asked for. */
struct dso {
	struct dso *next;
	const char *name;	/* as recorded: "/bin/ls", "[vdso]", "[kernel.kallsyms]", "//anon" */
	const char *short_name;	/* what perf shows without -v: last part, or "[module]" */
	u8 build_id[20];
	u8 build_id_size;	/* 0: not known */
	u8 kind;		/* enum dso_kind */
	bool missing;		/* its bytes cannot be had; said once */
	u32 index;		/* counts dsos */
	struct dso_file *file;	/* private to image.c */
	struct symbols *symbols;/* private to symbol.c */
};

/* The DSO of that name (and build-id, if one is given and known). */
struct dso *dso_get(struct images *im, const char *name, const u8 *build_id, unsigned int size);

/* Bytes of the file from offset 'off' on: at least one, as far as they are at
 * hand in one piece (usually to the end of the file), empty if there are none.
 * They stay as long as the arena. */
struct bytes dso_bytes(struct images *im, struct dso *dso, u64 off);

/* A symbol, by addresses as its DSO's symbol table counts (see map_addr()). */
struct symbol {
	u64 start, end;		/* end is the first address behind it */
	const char *name;
	u32 len;		/* of name */
};

/* The symbol at 'addr' of 'dso', or NULL. Loads the table at first. */
const struct symbol *dso_symbol(struct images *im, struct dso *dso, u64 addr);

/* What is mapped from start up to end. Maps do not change once made. */
struct map {
	u64 start, end, pgoff;	/* kernel maps: pgoff == start */
	struct dso *dso;
	u32 prot, flags;
};

/* An address space: a process's maps, or the kernel's. */
struct space {
	struct map **maps;	/* sorted, without overlaps */
	u32 n, room;
	u32 id;			/* unique; what (space, ip) keys are made of */
	u32 version;		/* counts changes: what was decoded before is void if it differs */
	bool is_kernel;
	struct space *copy_of;	/* a fork that has not changed yet looks there */
};

struct space *space_new(struct images *im);

/* The child of a fork: the same maps, until one of the two changes. */
struct space *space_fork(struct images *im, struct space *parent);

/* Map [start, start+len); what it covers is cut or goes away. Returns the map. */
const struct map *space_map(struct images *im, struct space *s, u64 start, u64 len, u64 pgoff,
			    struct dso *dso, u32 prot, u32 flags);
void space_clear(struct space *s);	/* exec */

/* The map at 'addr', or NULL. */
const struct map *space_find(const struct space *s, u64 addr);

/* An address as the map's DSO counts: what dso_symbol() takes, and what perf
 * prints for unsymbolised callchains. */
u64 map_addr(struct images *im, const struct map *m, u64 addr);

/* Code bytes at 'addr', as many as are at hand in one piece, empty if none. */
struct bytes space_bytes(struct images *im, struct space *s, u64 addr);

/* The kernel's side: [kernel.kallsyms] and modules, made from MMAP records
 * (image.c knows perf's ways of naming them). */
bool image_is_kernel_map(const char *name);

#endif
