/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * libc for libelf: functions that are too large in libc, or that a libelf built for glibc does not
 * find in musl. src/rules.mk renames libelf's references to these.
 *
 * Memory comes from an arena that is freed when the headers were read; there are no messages, and
 * libelf is never given archives or descriptors. Together this is 15 kB less than malloc(), stdio
 * and the rest.
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

/* libelf's own function would link the texts of all messages. */
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

/* Used for archives and descriptors only. */

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

/* The libelf.a of elfutils 0.192 (Debian 13) was built without these two. Such a tree contains
 * chunks that are requested by offset; elf_calloc() created it empty. */
void elf_eu_search_tree_init(void *tree)
{
}

void elf_eu_search_tree_fini(void *tree, void (*free_one)(void *))
{
}

/* glibc's table of character classes: no character has one. */
const unsigned short **elf_ctype_b_loc(void)
{
	static unsigned short none[384];
	static const unsigned short *at;

	at = none + 128;
	return &at;
}
