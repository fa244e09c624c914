/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>
#include <limits.h>
#include <unistd.h>

#include <pt/out.h>

#include "src/record/hw.h"
#include "test.h"

static char said[1024];

static void say(void *who, int level, const char *line)
{
	fmt_str(said, sizeof(said), "%s", line);
}

static struct record r = { .say = say, .arena = &test_arena };

/* The filter that the kernel would get, or the message if 'text' is refused. */
static const char *made(const char *text, bool on_tasks)
{
	char *to = NULL;

	said[0] = 0;
	return filter_translate(&r, text, on_tasks, &to) ? said : to;
}

TEST(numbers_go_through)
{
	STR_EQ(made("filter 0x100 / 0x20", true), "filter 0x100/0x20");
	STR_EQ(made("filter 256/32", true), "filter 0x100/0x20");
	STR_EQ(made("start 0x10", true), "start 0x10");
	STR_EQ(made("tracestop 0x10/8", true), "stop 0x10/0x8");
	STR_EQ(made("filter 1/2, filter 3/4", true), "filter 0x1/0x2,filter 0x3/0x4");
	STR_EQ(made("filter 1/2 stop 3/4", true), "filter 0x1/0x2,stop 0x3/0x4");
}

TEST(files_are_named_in_full)
{
	STR_EQ(made("filter 0x10/0x20@/proc/../proc/version", true),
	       "filter 0x10/0x20@/proc/version");
	OK(strstr(made("filter 0x10/0x20 @ /no/such/file", true), "No such file"));
}

/* The kernel wants the whole path. */
static const char *in_elf(const char *filter)
{
	static const char file[] = "test/fuzz/corpus/elf/exec64";
	static char path[PATH_MAX], text[PATH_MAX + 64];
	const char *got;
	char *at;

	if (!realpath(file, path))
		return "no file";
	fmt_str(text, sizeof(text), "%s @ %s", filter, file);
	got = made(text, true);
	at = strstr(got, path);
	if (at)
		*at = 0;
	return got;
}

TEST(symbols_are_looked_up)
{
	STR_EQ(in_elf("filter f"), "filter 0x1000/0x1@");
	STR_EQ(in_elf("filter f#g"), "filter 0x1000/0x1@");
	STR_EQ(in_elf("filter f#1 / 6"), "filter 0x1000/0x6@");
	STR_EQ(in_elf("stop d"), "stop 0x1008@");
	STR_EQ(in_elf("filter f / d"), "filter 0x1000/0x10@");
	STR_EQ(in_elf("filter *"), "filter 0x1000/0x1@");
	OK(strstr(in_elf("filter f#2"), "no symbol 'f'"));
	OK(strstr(in_elf("filter lab#g"), "no symbol 'lab'"));
	OK(strstr(in_elf("filter g"), "no size"));
}

/* A file whose symbols have the names f, f, f and end. 'end' is the end of its only segment. */
static struct {
	Elf64_Ehdr head;
	Elf64_Phdr segment;
	Elf64_Shdr sections[3];
	Elf64_Sym symbols[5];
	char names[7];
	char code[0x2000];
} several = {
	.head = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		  .e_phoff = offsetof(typeof(several), segment), .e_phnum = 1,
		  .e_phentsize = sizeof(Elf64_Phdr), .e_shentsize = sizeof(Elf64_Shdr),
		  .e_shoff = offsetof(typeof(several), sections), .e_shnum = 3 },
	.segment = { PT_LOAD, PF_R | PF_X, .p_vaddr = 0x400000, .p_filesz = 0x2000,
		     .p_memsz = 0x2000 },
	.sections = { { 0 }, { .sh_type = SHT_SYMTAB, .sh_link = 2, .sh_entsize = sizeof(Elf64_Sym),
			       .sh_offset = offsetof(typeof(several), symbols),
			       .sh_size = sizeof(several.symbols) },
		      { .sh_type = SHT_STRTAB, .sh_offset = offsetof(typeof(several), names),
			.sh_size = sizeof(several.names) } },
	.symbols = { { 0 }, { 1, STT_FUNC, 0, 1, 0x401000, 1 }, { 1, STT_FUNC, 0, 1, 0x401100, 2 },
		     { 1, STT_FUNC, 0, 1, 0x401200, 3 }, { 3, STT_FUNC, 0, 1, 0x402000, 4 } },
	.names = "\0f\0end",
};

TEST(symbols_of_one_name_have_numbers)
{
	char path[] = "/tmp/pt-filter-XXXXXX", text[64];
	int fd = mkstemp(path), i;

	OK(write(fd, &several, sizeof(several)) == sizeof(several));
	for (i = 1; i <= 3; i++) {
		fmt_str(text, sizeof(text), "filter f#%d @ %s", i, path);
		OK(strstr(made(text, true), i == 1 ? "filter 0x1000/0x1@" :
					    i == 2 ? "filter 0x1100/0x2@" : "filter 0x1200/0x3@"));
	}
	fmt_str(text, sizeof(text), "filter end @ %s", path);
	OK(strstr(made(text, true), "no symbol 'end'"));
	close(fd);
	unlink(path);
}

TEST(what_is_wrong_is_said)
{
	OK(strstr(made("filter", true), "filter|start"));
	OK(strstr(made("filters 1/2", true), "filter|start"));
	OK(strstr(made("filter 1/", true), "filter|start"));
	OK(strstr(made("filter nothing @ /proc/self/exe", true), "no symbol 'nothing'"));
	OK(strstr(made("filter 0x10", true), "no size"));
	OK(strstr(made("filter 1/2 @ /proc/version", false), "not CPUs"));
}
