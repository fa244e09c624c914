/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Four pages of code to map from the program's own file, not beside each other, or to copy. Each
 * has its branch at another place.
 */
#ifndef PT_TEST_PLUGINS_H
#define PT_TEST_PLUGINS_H

enum { N = 4, PAGE = 4096 };

#define CODE(name, n) \
	".balign 8192\n" name ":	xor %eax, %eax\n .skip " #n ", 0x90\n" \
	"mov $" #n ", %ecx\n 1: inc %eax\n .skip " #n ", 0x90\n loop 1b\n ret\n"
extern const char code0[], code1[], code2[], code3[];
__asm__(".pushsection .text.plugins, \"ax\"\n"
	CODE("code0", 1) CODE("code1", 5) CODE("code2", 9) CODE("code3", 14)
	".balign 4096\n .popsection\n");

extern const char __executable_start[];
static const char *const codes[N] = { code0, code1, code2, code3 };

#endif
