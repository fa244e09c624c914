/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Addresses to bytes and names: DSOs, the address spaces they are mapped into,
 * and their symbols.
 */
#ifndef PT_IMAGE_H
#define PT_IMAGE_H

#include <pt/base.h>

/* Where to look for files (what the command line said), and what was found. */
struct images {
	const char *symfs;	/* no file recorded by name is opened outside of it; or NULL */
	const char *vmlinux, *kallsyms, *kcore, *vdso;	/* paths, or NULL */
	const struct bundle *bundle;	/* what the recording brought along, or NULL: comes before
					 * all but what the command line names */
	const char *cache;	/* perf's copies of files by build-id (~/.debug), or NULL; not used
				 * with symfs */
	const char *release;	/* of the kernel recorded ("6.1.0-9-amd64"), or NULL */
	bool this_machine;	/* the recording was made here (same boot): its own vDSO, kcore
				 * and kallsyms are right */
	bool mangled;		/* names of C++ and Rust stay as the file has them */
	bool any_file_is_code;	/* what is named need not be ELF: --map */
	struct arena *arena;
	/* One line about a file that is missing or is another than the one recorded;
	 * names in it are as recorded: print it by out_name(). May be NULL. */
	void (*say)(void *who, const char *what);
	void *who;

	/* From here on zero at the start, and not for others to write. */
	struct dso *dsos;	/* all, by the order they were met */
	struct dso **last;	/* where the next one is linked */
	struct dso **by_name;	/* hash */
	u32 n_dsos, n_buckets, n_spaces, n_lists;
	struct map_node *spare_maps;	/* private to space.c */
	struct space *kernel;	/* images_kernel() */
	struct kernel *loaded;	/* private to kernel.c */
};

enum dso_kind {
	DSO_FILE, DSO_KERNEL, DSO_MODULE, DSO_VDSO, DSO_JIT, DSO_ANON,
	DSO_GENERATED,		/* by the kernel: BPF programs, trampolines, vsyscall */
};

/* A file that holds code: opened when its bytes, loaded when its symbols are
 * first asked for. */
struct dso {
	struct dso *next;
	struct dso *same_hash;
	const char *name;	/* what perf script prints: "/bin/ls", "[vdso]",
				 * "[kernel.kallsyms]", "[ext4]", "/tmp/perf-42.map" for code
				 * made at run time, "//anon" */
	const char *short_name;	/* what perf report prints: the last part of it */
	const char *path;	/* where its file is, if that is not its name, or NULL */
	u8 build_id[20];
	u8 build_id_size;	/* 0: not known */
	u8 kind;		/* enum dso_kind */
	bool missing;		/* its bytes cannot be had; said once */
	bool loaded;		/* its symbols were looked for */
	bool by_name;		/* dso_get() finds it */
	u32 index;		/* counts dsos */
	u64 start;		/* modules: where it was loaded */
	u64 holes;		/* how often a trace went into it, and its code was missing: */
	u64 unread, unread_ticks;	/* branches that were not followed, and how long */
	struct dso_file *file;	/* private to dso.c */
	struct symbols *symbols;/* private to symbol.c */
	struct line_rows *lines;/* the same; NULL: not looked for yet */
};

/* The DSO of that name (and build-id, if one is given and known). */
struct dso *dso_get(struct images *im, const char *name, const u8 *build_id, unsigned int size);

/* Bytes of the file from offset 'off' on: at least one, as far as they are at
 * hand in one piece (usually to the end of the file), empty if there are none.
 * They stay until images_close(). */
struct bytes dso_bytes(struct images *im, struct dso *dso, u64 off);

/* A symbol, by addresses as its DSO's symbol table counts (see map_addr()). */
struct symbol {
	u64 start, end;		/* end is the first address behind it */
	const char *name;
	u32 len;		/* of name */
};

/* The symbol at 'addr' of 'dso', or NULL. Loads the table at first. */
const struct symbol *dso_symbol(struct images *im, struct dso *dso, u64 addr);

/* The build-id in hexadecimal; "" if it is not known. */
enum { DSO_ID_TEXT = 2 * 20 + 1 };
void dso_id_text(const struct dso *dso, char *to);

/* What the code at 'addr', the same way, was made of: the name of a source file, without its
 * folder, and a line. False if that is not known. Loads the table at first. */
struct source_line {
	const char *file;
	u32 line;
};
bool dso_source_line(struct images *im, struct dso *dso, u64 addr, struct source_line *to);

/* What is mapped from start up to end. Maps do not change once made. */
struct map {
	u64 start, end, pgoff;	/* kernel maps: pgoff == start */
	struct dso *dso;
	u32 prot, flags;
};

/* An address space: a process's maps, or the kernel's. */
struct space {
	struct map_list *list;	/* private to space.c; forks share it until one changes */
	u32 id;			/* names what is mapped: spaces of the same id have the same code
				 * at each address, so (id, ip) is the key of what was decoded. A
				 * space gets a new one when some of its code goes or changes */
	u32 version;		/* counts changes: where there was no code there may be now */
	bool is_kernel;
};

struct space *space_new(struct images *im);

/* The child of a fork: the same maps and id, until one of the two changes. */
struct space *space_fork(struct images *im, struct space *parent);

/* Map [start, start+len); what it covers is cut or goes away. Returns the map,
 * or NULL if the range is empty or wraps around. */
const struct map *space_map(struct images *im, struct space *s, u64 start, u64 len, u64 pgoff,
			    struct dso *dso, u32 prot, u32 flags);
void space_clear(struct images *im, struct space *s);	/* no maps */

/* The map at 'addr', or NULL. */
const struct map *space_find(const struct space *s, u64 addr);

/* The first map that ends behind 'addr', or NULL. */
const struct map *space_next(const struct space *s, u64 addr);

/* An address as the map's DSO counts: what dso_symbol() takes, and what perf
 * prints for unsymbolised callchains. */
u64 map_addr(struct images *im, const struct map *m, u64 addr);

/* Code bytes at 'addr', as many as are at hand in one piece, empty if none. */
struct bytes space_bytes(struct images *im, struct space *s, u64 addr);

/* What MMAP and MMAP2 records say. 'name' and 'build_id' are borrowed. */
struct mapping {
	i32 pid;
	u64 start, len, pgoff;
	u32 prot, flags;	/* MMAP: prot is PROT_EXEC (4) unless misc has MMAP_DATA */
	const char *name;
	const u8 *build_id;
	u8 build_id_size;
};

/* A record about a process: map it in 's'. Finds the DSO by perf's rules (the
 * vDSO, code made at run time, huge pages). Returns the map, or NULL. */
const struct map *space_mmap(struct images *im, struct space *s, const struct mapping *m);

/* The kernel's space, and its records (those whose misc says kernel): the
 * kernel itself, modules, what BPF and kprobes generate, changed text. */
struct space *images_kernel(struct images *im);
const struct map *images_kernel_mmap(struct images *im, const struct mapping *m);
void images_ksymbol(struct images *im, u64 addr, u32 len, bool gone, const char *name);
void images_text_poke(struct images *im, u64 addr, struct bytes now);

/* Where the kernel has the symbol of that name; 0: it is not known. */
u64 images_kernel_address(struct images *im, const char *name);

/* What the BUILD_ID feature says of a file. */
void images_build_id(struct images *im, const char *name, const u8 *id, unsigned int size);

/* Give back the files. The rest is the arena's. */
void images_close(struct images *im);

#endif
