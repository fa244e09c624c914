/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * libelf's libc: what it has too much of, or a libelf made for glibc does not
 * find in musl. src/rules.mk renames what libelf asks for to these.
 *
 * Its memory is an arena that goes when the headers are read, it has no messages,
 * and neither archives nor descriptors are ever given to it.
 * Together 15 kB less than malloc(), stdio and the rest.
 */
#include "elf.h"

void *elf_malloc(size_t size);
void *elf_calloc(size_t n, size_t size);
void elf_free(void *at);
void elf_libelf_seterrno(int err);
void *elf_rawmemchr(const void *s, int c);
void *elf_memccpy(void *to, const void *from, int c, size_t n);
int elf_fcntl(int fd, int what, ...);
long elf_strtol(const char *s, char **end, int base);
long elf_isoc23_strtol(const char *s, char **end, int base);
const unsigned short **elf_ctype_b_loc(void);
_Noreturn void elf_assert_fail(const char *what, const char *file, int line, const char *function);
void elf_eu_search_tree_init(void *tree);
void elf_eu_search_tree_fini(void *tree, void (*free_one)(void *));

enum { SIZE_MOST = 256 << 20 };

struct arena *elf_heap;

void *elf_malloc(size_t size)
{
	return size > SIZE_MOST ? NULL : arena_alloc(elf_heap, size);
}

void *elf_calloc(size_t n, size_t size)
{
	return size && n > SIZE_MOST / size ? NULL : arena_alloc(elf_heap, n * size);
}

void elf_free(void *at)
{
}

/* With libelf's own would come the text of every message. */
void elf_libelf_seterrno(int err)
{
}

void *elf_rawmemchr(const void *s, int c)
{
	return memchr(s, c, (size_t)-1 / 2);
}

_Noreturn void elf_assert_fail(const char *what, const char *file, int line, const char *function)
{
	__builtin_trap();
}

/* For archives and descriptors. */

int elf_fcntl(int fd, int what, ...)
{
	return -1;
}

void *elf_memccpy(void *to, const void *from, int c, size_t n)
{
	return NULL;
}

long elf_strtol(const char *s, char **end, int base)
{
	return 0;
}

long elf_isoc23_strtol(const char *s, char **end, int base)
{
	return 0;
}

/* The libelf.a of elfutils 0.192 (Debian 13) was packed without these two. What grows in such
 * a tree are chunks that are asked for by offset; elf_calloc() left it empty. */
void elf_eu_search_tree_init(void *tree)
{
}

void elf_eu_search_tree_fini(void *tree, void (*free_one)(void *))
{
}

/* glibc's table of what is a digit and so on: nothing is. */
const unsigned short **elf_ctype_b_loc(void)
{
	static unsigned short none[384];
	static const unsigned short *at;

	at = none + 128;
	return &at;
}
