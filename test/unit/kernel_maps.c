/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include <pt/image.h>

#include "src/image/kernel.h"
#include "test.h"

/* Does this list have the two recorded modules at their addresses? */
static bool same(const char *list)
{
	struct images im = { .arena = &test_arena };
	struct mapping m = { .start = 0xffffffffc0abc000, .len = 0x3000, .name = "[loop]" };
	int fd = memfd_create("modules", 0);
	bool is;

	images_kernel_mmap(&im, &m);
	m = (struct mapping){ .start = 0xffffffffc0fed000, .len = 0x2000, .name = "[loop_2]" };
	images_kernel_mmap(&im, &m);
	EQ(write(fd, list, strlen(list)), (ssize_t)strlen(list));
	lseek(fd, 0, SEEK_SET);
	is = kernel_modules_same(&im, fd);
	close(fd);
	return is;
}

TEST(modules_are_the_same_if_each_is_where_it_was)
{
	OK(same("dm_mod 155648 2 dm_crypt,dm_log, Live 0xffffffffc0100000\n"
		"loop_2 8192 0 - Live 0xffffffffc0fed000\n"
		"loop 12288 0 - Live 0xffffffffc0abc000 (OE)\n"));
	OK(!same("loop_2 8192 0 - Live 0xffffffffc0fed000\nloop 12288 0 - Live 0xffffffffc0abd000\n"));
	OK(!same("loop_2 8192 0 - Live 0xffffffffc0fed000\n"));
	OK(!same("loop_2 8192 0 - Live 0x0000000000000000\nloop 12288 0 - Live 0x0000000000000000\n"));
	OK(!same(""));
}
