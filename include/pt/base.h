/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Basic types for all other headers: fixed-size integers, borrowed bytes, arenas, and unaligned
 * little-endian access.
 */
#ifndef PT_BASE_H
#define PT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;
typedef int8_t i8;
typedef int16_t i16;
typedef int32_t i32;
typedef long long i64;

#define N_ELEM(array) (sizeof(array) / sizeof(*(array)))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
/* In a file compiled for speed: this function runs rarely, so it is compiled for size. */
#define COLD __attribute__((cold))
/* Each argument is evaluated once. Each use has variables of other names (__COUNTER__), so that a
 * use may be an argument of another one. */
#define MIN(a, b) PICK(a, <, b, __COUNTER__)
#define MAX(a, b) PICK(a, >, b, __COUNTER__)
#define PICK(a, is, b, nr) PICK_(a, is, b, nr)
#define PICK_(a, is, b, nr) ({ \
	__typeof__(1 ? (a) : (b)) one_##nr = (a), other_##nr = (b); \
	one_##nr is other_##nr ? one_##nr : other_##nr; \
})

/* A function with a format like out_fmt(): argument 'how' is the format, its values begin at
 * argument 'what'. No value is a float; not saving the registers for floats makes each function 75
 * bytes smaller. */
#if defined(__x86_64__) && !defined(__clang__)
#define PRINTF(how, what) \
	__attribute__((format(printf, how, what), target("general-regs-only")))
#else
#define PRINTF(how, what) __attribute__((format(printf, how, what)))
#endif

/* Borrowed bytes: the owner must outlive them. */
struct bytes {
	const u8 *at;
	size_t len;
};

/* 'b' without its first 'n' bytes; empty if it is not longer than that. */
static inline struct bytes bytes_skip(struct bytes b, size_t n)
{
	if (n > b.len)
		n = b.len;
	return (struct bytes){ b.at + n, b.len - n };
}

/* The first 'n' bytes of 'b', or all of it. */
static inline struct bytes bytes_first(struct bytes b, size_t n)
{
	return (struct bytes){ b.at, MIN(n, b.len) };
}

/* A range of addresses; zeroed, it is empty. */
struct area { u64 at, len; };

static inline bool area_has(const struct area *s, u64 addr)
{
	return addr - s->at < s->len;
}

/* Unaligned little-endian reads and writes. */
static inline u16 get16(const void *p) { u16 v; memcpy(&v, p, 2); return v; }
static inline u32 get32(const void *p) { u32 v; memcpy(&v, p, 4); return v; }
static inline u64 get64(const void *p) { u64 v; memcpy(&v, p, 8); return v; }
static inline void set16(void *p, u16 v) { memcpy(p, &v, 2); }
static inline void set32(void *p, u32 v) { memcpy(p, &v, 4); }
static inline void set64(void *p, u64 v) { memcpy(p, &v, 8); }

/* Read the number at the front of 'b' and move 'b' after it; 0 if 'b' is too short. */
static inline u16 bytes_take16(struct bytes *b)
{
	u16 v = b->len >= 2 ? get16(b->at) : 0;

	*b = bytes_skip(*b, 2);
	return v;
}

static inline u32 bytes_take32(struct bytes *b)
{
	u32 v = b->len >= 4 ? get32(b->at) : 0;

	*b = bytes_skip(*b, 4);
	return v;
}

static inline u64 bytes_take64(struct bytes *b)
{
	u64 v = b->len >= 8 ? get64(b->at) : 0;

	*b = bytes_skip(*b, 8);
	return v;
}

/* 'n' bytes (0 to 8) as a little-endian number. */
static inline u64 get_le(const u8 *p, unsigned int n)
{
	u64 v = 0;

	while (n--)
		v = v << 8 | p[n];
	return v;
}

/* 'v' rounded up to a multiple of 'step', a power of two. */
static inline u64 round_up(u64 v, u64 step)
{
	return (v + step - 1) & ~(step - 1);
}

/* One lifetime: all memory of an arena is freed together. A zeroed struct is an empty arena.
 * Memory is zeroed, and never NULL: if there is no memory left, arena_alloc() prints an error and
 * ends the program. */
struct arena {
	struct arena_block *block;
	u8 *at, *end;
	u64 total;		/* bytes allocated from the system */
};

void *arena_alloc(struct arena *a, size_t size);

/* Give back the part after 'end' of the last allocation. It must not have been written to. */
void arena_trim(struct arena *a, void *end);
void arena_free(struct arena *a);

/* 'n' zeroed objects of a type. */
#define NEW(arena, type, n) ((type *)arena_array((arena), sizeof(type), (n)))
void *arena_array(struct arena *a, size_t size, size_t n);

/* A copy of 'len' bytes, with a NUL after them. */
char *arena_strn(struct arena *a, const void *s, size_t len);
char *arena_str(struct arena *a, const char *s);

/* Grow an array: returns 'old' ('n' objects of 'size' bytes) with room for 'more' objects (> n).
 * It stays in place if it is the last allocation and fits, else it is copied. The old memory is
 * not freed before the arena, so grow by doubling. */
void *arena_grow(struct arena *a, void *old, size_t size, size_t n, size_t more);

#endif
