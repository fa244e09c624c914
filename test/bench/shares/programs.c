/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Programs whose functions have very different times per instruction, for shares.sh.
 *
 * usage: programs lz|sort|interpreter ROUNDS
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALONE static __attribute__((noinline))

static uint32_t seed = 1;

static uint32_t any(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	return seed ^= seed << 5;
}

/* A compressor: pairs of a place before and a length, found by a hash of four bytes. */

enum { TEXT = 1 << 13, HASH = 1 << 12, CHAIN = 16 };

static uint8_t text[TEXT + 16], packed[2 * TEXT], again[TEXT + 16];
static int heads[HASH], earlier[TEXT];

ALONE void make_text(void)
{
	static const char *const words[] = { "the ", "trace ", "of a ", "branch", ", ", "goes on ",
					     "where it ", "ended. ", "\n", "packet " };
	int n = 0;

	while (n < TEXT) {
		const char *word = words[any() % 10];

		while (*word && n < TEXT)
			text[n++] = *word++;
		if (any() % 8 == 0 && n < TEXT)
			text[n++] = 'a' + any() % 26;
	}
}

static uint32_t hash_at(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, 4);
	return v * 2654435761u >> 20;
}

ALONE void note(int at)
{
	uint32_t h = hash_at(text + at);

	earlier[at] = heads[h];
	heads[h] = at;
}

ALONE int longest_match(int at, int *where)
{
	int best = 3, from = heads[hash_at(text + at)], i, n;

	for (i = 0; i < CHAIN && from >= 0; i++, from = earlier[from]) {
		for (n = 0; n < 255 && at + n < TEXT && text[from + n] == text[at + n]; n++)
			;
		if (n > best) {
			best = n;
			*where = from;
		}
	}
	return best > 3 ? best : 0;
}

ALONE int compress(void)
{
	int at = 0, n = 0, len, where = 0;

	memset(heads, 0xff, sizeof(heads));
	while (at < TEXT - 4) {
		len = longest_match(at, &where);
		packed[n++] = len;
		if (!len) {
			packed[n++] = text[at];
			note(at++);
			continue;
		}
		packed[n++] = (at - where) >> 8;
		packed[n++] = at - where;
		while (len-- && at < TEXT - 4)
			note(at++);
	}
	return n;
}

ALONE int expand(int n)
{
	int at = 0, i = 0, len, back;

	while (i < n) {
		len = packed[i++];
		if (!len) {
			again[at++] = packed[i++];
			continue;
		}
		back = packed[i] << 8 | packed[i + 1];
		i += 2;
		for (; len-- && at < TEXT; at++)
			again[at] = again[at - back];
	}
	return at;
}

ALONE uint32_t checksum(const uint8_t *p, int n)
{
	uint32_t sum = ~0u;
	int i, bit;

	for (i = 0; i < n; i++)
		for (sum ^= p[i], bit = 0; bit < 8; bit++)
			sum = sum >> 1 ^ (sum & 1 ? 0xedb88320 : 0);
	return sum;
}

static uint32_t lz(void)
{
	make_text();
	return checksum(again, expand(compress()) / 8);
}

/* Sorting: heapsort of numbers, and quicksort of names by a function that compares. */

enum { NUMBERS = 3000, NAMES = 800 };

static uint32_t numbers[NUMBERS];
static char names[NAMES][12];

ALONE void sift(uint32_t *a, int at, int n)
{
	int child;
	uint32_t v = a[at];

	while ((child = 2 * at + 1) < n) {
		child += child + 1 < n && a[child + 1] > a[child];
		if (a[child] <= v)
			break;
		a[at] = a[child];
		at = child;
	}
	a[at] = v;
}

ALONE void heap_sort(uint32_t *a, int n)
{
	uint32_t v;
	int i;

	for (i = n / 2; i--; )
		sift(a, i, n);
	while (--n > 0) {
		v = a[0];
		a[0] = a[n];
		a[n] = v;
		sift(a, 0, n);
	}
}

ALONE int compare_names(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a - *b;
}

ALONE void swap_names(char *a, char *b)
{
	char c[12];

	memcpy(c, a, 12);
	memcpy(a, b, 12);
	memcpy(b, c, 12);
}

ALONE void quick_sort(int low, int high)
{
	int i = low, j = high;
	char middle[12];

	memcpy(middle, names[(low + high) / 2], 12);
	while (i <= j) {
		while (compare_names(names[i], middle) < 0)
			i++;
		while (compare_names(names[j], middle) > 0)
			j--;
		if (i <= j)
			swap_names(names[i++], names[j--]);
	}
	if (low < j)
		quick_sort(low, j);
	if (i < high)
		quick_sort(i, high);
}

ALONE void make_names(void)
{
	int i, n;

	for (i = 0; i < NAMES; i++)
		for (n = 0; n < 11; n++)
			names[i][n] = 'a' + any() % (n < 3 ? 3 : 26);
}

static uint32_t sort(void)
{
	int i;

	for (i = 0; i < NUMBERS; i++)
		numbers[i] = any();
	make_names();
	heap_sort(numbers, NUMBERS);
	quick_sort(0, NAMES - 1);
	return numbers[NUMBERS / 2] + names[NAMES / 2][3];
}

/* An interpreter of a stack machine, whose program divides, calls and looks up variables. */

enum { PUSH, ADD, MULTIPLY, DIVIDE, LOAD, STORE, DROP, LOOP, HALT, VARIABLES = 64 };

static int64_t stack[64], variables[VARIABLES];
static int top;

ALONE int slot_of(int name)
{
	uint32_t h = name * 2654435761u;

	h ^= h >> 15;
	return h % VARIABLES;
}

ALONE void arithmetic(int op)
{
	int64_t b = stack[--top], *a = &stack[top - 1];

	*a = op == ADD ? *a + b : op == MULTIPLY ? *a * b : b ? *a / b : 0;
}

ALONE int64_t power(int64_t base, int n)
{
	double v = 1;

	while (n--)
		v *= (double)base / 3;
	return v > 1e15 ? 1 : v;
}

ALONE int64_t run(const int *code)
{
	const int *p = code;
	int left = 1000;

	for (top = 0;;) {
		switch (*p++) {
		case PUSH: stack[top++] = *p++; break;
		case ADD: arithmetic(ADD); break;
		case MULTIPLY: arithmetic(MULTIPLY); break;
		case DIVIDE: arithmetic(DIVIDE); break;
		case LOAD: stack[top++] = variables[slot_of(*p++)]; break;
		case STORE: variables[slot_of(*p++)] = stack[--top]; break;
		case DROP: stack[0] += power(stack[--top] & 7, 12); break;
		case LOOP:
			if (--left)
				p = code;
			break;
		case HALT: return stack[0];
		}
	}
}

static uint32_t interpreter(void)
{
	static const int code[] = {
		PUSH, 7, LOAD, 1, ADD, STORE, 1, LOAD, 1, PUSH, 13, MULTIPLY, LOAD, 2, ADD, PUSH, 5,
		DIVIDE, STORE, 2, LOAD, 2, PUSH, 3, ADD, STORE, 3, LOAD, 3, LOAD, 1, ADD, PUSH, 9,
		DIVIDE, STORE, 4, LOAD, 4, DROP, LOOP, HALT,
	};

	return run(code);
}

int main(int argc, char **argv)
{
	uint32_t sum = 0;
	long n;

	if (argc < 3)
		return 2;
	for (n = atol(argv[2]); n > 0; n--)
		sum += *argv[1] == 'l' ? lz() : *argv[1] == 's' ? sort() : interpreter();
	printf("%u\n", sum);
	return 0;
}
