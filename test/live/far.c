/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Calls code in 40 places that are 64 GiB from each other.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(void)
{
	/* lea 1(%rdi), %eax; ret */
	static const unsigned char code[] = { 0x8d, 0x47, 0x01, 0xc3 };
	char *at;
	int i, n = 0;

	for (i = 0; i < 40; i++) {
		at = mmap((void *)(0x10000000000 + 0x1000000000 * i), 4096,
			  PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memcpy(at, code, sizeof(code));
		n = ((int (*)(int))at)(n);
	}
	printf("%d\n", n);
	return 4;
}
