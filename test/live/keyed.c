/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Executes code that a protection key forbids to read. Prints what it returned; 0 if there are no
 * keys.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGE = 4096, NO_ACCESS = 1 };

int main(void)
{
	const unsigned char code[] = { 0xb8, 42, 0, 0, 0, 0xc3 };	/* mov $42, %eax; ret */
	unsigned char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				   -1, 0);
	int key = syscall(SYS_pkey_alloc, 0, NO_ACCESS);

	memcpy(page, code, sizeof(code));
	printf("%d\n", key < 0 ||
	       syscall(SYS_pkey_mprotect, page, PAGE, PROT_READ | PROT_EXEC, key) ?
	       0 : ((int (*)(void))page)());
	return 0;
}
