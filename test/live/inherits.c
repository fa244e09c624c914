/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program makes two functions in one page and calls one. Its child calls the other one, and then
 * the first one, which it has from its parent. Prints what the child got.
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

int main(void)
{
	unsigned char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	function *first = make(page + 128, 5), *second = make(page, 7);
	int v = first(), status;

	if (!fork()) {
		v += 2 * second();
		_exit(v + first());
	}
	wait(&status);
	printf("%d\n", WEXITSTATUS(status));
	return 0;
}
