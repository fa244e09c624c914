/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program makes two functions in one page and calls one. Its child calls the other one, and then
 * the first one, which it has from its parent. At once, both make different code in another page,
 * which had none before. Prints what the child got.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int function(void);

static function *make(unsigned char *at, unsigned char v)
{
	memcpy(at, (unsigned char[]){ 0xb8, v, 0, 0, 0, 0xc3 }, 6);	/* mov $v, %eax; ret */
	return (function *)at;
}

/* Functions that differ in where their branches are. */
static int both(unsigned char *page, int is_child)
{
	int n = 0, i;

	for (i = 0; i < 16; i++) {
		memset(page + i * 16, 0x90, 10);
		memcpy(page + i * 16 + (is_child ? 0 : 3), (unsigned char[]){ 0xeb, 0 }, 2);
		n += make(page + i * 16 + 10, i)();
		n += ((function *)(page + i * 16))();
	}
	return n;
}

int main(void)
{
	unsigned char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	function *first = make(page + 128, 5), *second = make(page, 7);
	int v = first(), status;

	if (!fork()) {
		v += 2 * second() + both(page + 4096, 1) - 240;
		_exit(v + first());
	}
	both(page + 4096, 0);
	wait(&status);
	printf("%d\n", WEXITSTATUS(status));
	return 0;
}
