/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Makes the targets of CALL, JMP, Jcc and LEA in the agent's code absolute: then all calls of a
 * function are the same bytes, and gzip makes the code 6 % smaller. It runs during the build; pt
 * reverses it (src/record/trans_blob.c). usage: absolute < CODE > CODE
 *
 * A displacement becomes the target's offset in the code plus a constant. Those that would be
 * ambiguous, because they look like an offset, become negative. Bytes that only look like a call
 * are changed, too, and changed back.
 */
#include <stdio.h>
#include <string.h>

enum { MOST = 1 << 20, SIZE = 5 };

int main(void)
{
	static unsigned char code[MOST];
	int n = fread(code, 1, MOST, stdin), i, v;

	for (i = 1; i + SIZE <= n; i++) {
		if ((code[i] & 0xfe) != 0xe8 && ((code[i] & 0xf0) != 0x80 || code[i - 1] != 0x0f) &&
		    ((code[i] & 0xc7) != 0x05 || code[i - 1] != 0x8d))
			continue;
		memcpy(&v, code + i + 1, 4);
		if (v >= -i && v < n - i)
			v += i;
		else if (v >= n - i && v < n)
			v -= n;
		memcpy(code + i + 1, &v, 4);
		i += SIZE - 1;
	}
	return n == MOST || fwrite(code, 1, n, stdout) != (size_t)n;
}
