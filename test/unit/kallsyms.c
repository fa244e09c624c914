/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <unistd.h>

#include <pt/image.h>

#include "test.h"

static struct images im;
static char dir[64], said[1024];
static int n_said;

static void say(void *who, const char *what)
{
	snprintf(said, sizeof(said), "%s", what);
	n_said++;
}

static const char *in_dir(const char *name)
{
	static char full[4][128];
	static int i;

	i = (i + 1) % 4;
	snprintf(full[i], sizeof(full[i]), "%s/%s", dir, name);
	return full[i];
}

static void write_file(const char *name, const void *bytes, size_t n)
{
	FILE *f = fopen(in_dir(name), "w");

	OK(f);
	EQ(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

static void map(const char *name, u64 start, u64 len, u64 pgoff)
{
	images_kernel_mmap(&im, &(struct mapping){ -1, start, len, pgoff, .name = name });
}

/* A kernel at 0xffffffff81000000 with a module behind it. */
static void start(const char *list)
{
	strcpy(dir, "/tmp/pt-kernel-XXXXXX");
	OK(mkdtemp(dir));
	write_file("kallsyms", list, strlen(list));
	im = (struct images){ .arena = &test_arena, .say = say };
	im.kallsyms = arena_str(&test_arena, in_dir("kallsyms"));
	n_said = 0;
	*said = 0;
	map("[kernel.kallsyms]_text", 0xffffffff81000000, 0x1000000, 0xffffffff81000000);
	map("/lib/modules/6.1.0/kernel/net/my-mod.ko", 0xffffffffc0000000, 0x4000, 0);
	map("[other]", 0xffffffffc0004000, 0x4000, 0);
}

static void end(void)
{
	char command[128];

	images_close(&im);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	OK(!system(command));
}

/* The name at 'addr', with its dso: "name+off dso". */
static const char *at(u64 addr)
{
	static char text[256];
	const struct map *m = space_find(images_kernel(&im), addr);
	const struct symbol *s;

	if (!m)
		return "";
	s = dso_symbol(&im, m->dso, map_addr(&im, m, addr));
	if (s)
		snprintf(text, sizeof(text), "%s+%llx %s", s->name, addr - s->start, m->dso->name);
	else
		snprintf(text, sizeof(text), "? %s", m->dso->name);
	return text;
}

static const char usual[] =
	"0000000000000000 A fixed_percpu_data\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81000000 T _text\n"
	"ffffffff81000000 t start_kernel_here\n"
	"ffffffff81000100 t helper\n"
	"ffffffff81000200 W weak_one\n"
	"ffffffff81000200 T strong\n"
	"ffffffff81000300 T SyS_read\n"
	"ffffffff81000300 T sys_read\n"
	"ffffffff81000400 r not_code\n"
	"ffffffff81000500 T last\n"
	"ffffffffc0004010 t other_func\t[other]\n"
	"ffffffffc0000020 t mod_two\t[my_mod]\n"
	"ffffffffc0000010 t mod_one\t[my_mod]\n";

TEST(a_symbol_goes_on_to_the_next)
{
	start(usual);
	STR_EQ(at(0xffffffff81000100), "helper+0 [kernel.kallsyms]");
	STR_EQ(at(0xffffffff810001ff), "helper+ff [kernel.kallsyms]");
	STR_EQ(at(0xffffffff81000420), "sys_read+120 [kernel.kallsyms]");
	EQ(n_said, 0);
	end();
}

TEST(of_several_at_one_address_the_last_stays_because_it_has_a_size)
{
	start(usual);
	STR_EQ(at(0xffffffff81000000), "start_kernel_here+0 [kernel.kallsyms]");
	STR_EQ(at(0xffffffff81000200), "strong+0 [kernel.kallsyms]");
	end();
}

TEST(a_symbol_is_known_by_all_its_names)
{
	const struct symbol *sym;

	start(usual);
	STR_EQ(at(0xffffffff81000300), "sys_read+0 [kernel.kallsyms]");
	sym = dso_symbol(&im, space_find(images_kernel(&im), 0xffffffff81000300)->dso,
			 0xffffffff81000300);
	OK(symbol_is(sym, "SyS_read", 8));
	OK(symbol_is(sym, "sys_read", 8));
	OK(!symbol_is(sym, "strong", 6));
	end();
}

TEST(the_last_of_the_kernel_and_of_a_module_end_with_a_page)
{
	start(usual);
	STR_EQ(at(0xffffffff81001fff), "last+1aff [kernel.kallsyms]");
	STR_EQ(at(0xffffffff81002000), "? [kernel.kallsyms]");
	STR_EQ(at(0xffffffffc0005fff), "other_func+1fef [other]");
	STR_EQ(at(0xffffffffc0006000), "? [other]");
	end();
}

TEST(modules_are_named_by_their_file_and_keep_to_their_symbols)
{
	start(usual);
	STR_EQ(at(0xffffffffc0000010), "mod_one+0 [my_mod]");
	STR_EQ(at(0xffffffffc0000028), "mod_two+8 [my_mod]");
	STR_EQ(at(0xffffffffc0000000), "? [my_mod]");
	STR_EQ(at(0xffffffffc0004000), "? [other]");
	STR_EQ(at(0xffffffffc0004010), "other_func+0 [other]");
	end();
}

TEST(a_list_of_another_boot_is_moved_to_where_the_kernel_was)
{
	start("ffffffff9a000000 T _text\nffffffff9a000100 t helper\nffffffff9a000200 T next\n");
	STR_EQ(at(0xffffffff81000110), "helper+10 [kernel.kallsyms]");
	STR_EQ(at(0xffffffff81001fff), "next+1dff [kernel.kallsyms]");
	STR_EQ(at(0xffffffff81002000), "? [kernel.kallsyms]");
	end();
}

TEST(a_list_without_the_reference_or_without_addresses_is_not_used)
{
	start("ffffffff9a000100 t helper\n");
	STR_EQ(at(0xffffffff81000110), "? [kernel.kallsyms]");
	EQ(n_said, 1);
	end();
	start("0000000000000000 T _text\n0000000000000000 T other\n");
	STR_EQ(at(0xffffffff81000110), "? [kernel.kallsyms]");
	STR_EQ(at(0xffffffff81000110), "? [kernel.kallsyms]");
	EQ(n_said, 1);
	end();
}

TEST(hostile_lines_are_passed_over)
{
	static char list[200000];
	size_t n;

	n = sprintf(list, "\n\n \nffffffff81000000\nffffffff81000000 T\nffffffff81000000 T \n"
		    "ffffffff81000000 T _text\nzzzz T no\nffffffff81000100 T yes\n");
	memset(list + n, 'a', 150000);
	n += 150000;
	n += sprintf(list + n, "\nffffffff81000200 T ");
	memset(list + n, 'b', 3000);
	n += 3000;
	sprintf(list + n, "\nffffffff81000300 T $x\nffffffff81000400 T end");
	start(list);
	STR_EQ(at(0xffffffff81000100), "yes+0 [kernel.kallsyms]");
	OK(!strncmp(at(0xffffffff81000200), "bbbbbbbb", 8));
	/* A symbol of an assembler, whose name begins with a dollar, is none. */
	OK(!strncmp(at(0xffffffff81000310), "bbbbbbbb", 8));
	STR_EQ(at(0xffffffff81000410), "end+10 [kernel.kallsyms]");
	end();
}

TEST(an_empty_list_is_no_list)
{
	start("");
	STR_EQ(at(0xffffffff81000110), "? [kernel.kallsyms]");
	end();
}

/* A kcore of one part: 'text' is 'skip' bytes behind 'addr'. */
static void write_kcore(const char *name, u64 addr, size_t skip, const char *text)
{
	u8 elf[128 + 0x2000] = "\x7f" "ELF\2\1\1";

	set64(elf + 32, 64);		/* e_phoff */
	set16(elf + 56, 1);		/* e_phnum */
	set32(elf + 64, 1);		/* PT_LOAD */
	set32(elf + 68, 5);
	set64(elf + 64 + 8, 128);
	set64(elf + 64 + 16, addr);
	set64(elf + 64 + 32, skip + strlen(text));
	set64(elf + 64 + 40, skip + strlen(text));
	memcpy(elf + 128 + skip, text, strlen(text));
	write_file(name, elf, sizeof(elf));
}

static const char *code(u64 addr)
{
	static char text[256];
	struct bytes b = space_bytes(&im, images_kernel(&im), addr);

	if (b.len)
		memcpy(text, b.at, MIN(b.len, sizeof(text) - 1));
	text[MIN(b.len, sizeof(text) - 1)] = 0;
	return text;
}

static void write_modules(const char *list)
{
	write_file("modules", list, strlen(list));
}

TEST(kernel_code_comes_from_the_kcore_beside_kallsyms)
{
	start(usual);
	write_kcore("kcore", 0xffffffff81000000, 0, "0123456789");
	write_modules("other 16384 0 - Live 0xffffffffc0004000\n"
		      "my_mod 16384 1 other, Live 0xffffffffc0000000 (OE)\n");
	images_ksymbol(&im, 0xffffffffc0100000, 0x80, false, "bpf_prog_12_x");
	STR_EQ(code(0xffffffff81000003), "3456789");
	STR_EQ(code(0xffffffff8100000a), "");
	STR_EQ(code(0xffffffffc0000000), "");
	STR_EQ(at(0xffffffff81000001), "start_kernel_here+1 [kernel.kallsyms]");
	STR_EQ(at(0xffffffffc0000010), "");
	STR_EQ(at(0xffffffffc0100010), "bpf_prog_12_x+10 bpf_prog_12_x");
	EQ(n_said, 0);
	end();
}

TEST(a_kcore_whose_modules_are_elsewhere_is_not_used)
{
	start(usual);
	write_kcore("kcore", 0xffffffff81000000, 0, "0123456789");
	write_modules("my_mod 16384 0 - Live 0xffffffffc0000000\nother 1 0 - Live 0x1\n");
	STR_EQ(code(0xffffffff81000003), "");
	EQ(n_said, 1);
	STR_EQ(at(0xffffffffc0000010), "mod_one+0 [my_mod]");
	end();
}

TEST(no_kernel_code_is_said_once)
{
	start(usual);
	STR_EQ(code(0xffffffff81000003), "");
	STR_EQ(code(0xffffffff81000004), "");
	EQ(n_said, 1);
	end();
}

TEST(what_was_written_over_code_is_seen)
{
	u32 id;

	start(usual);
	write_kcore("core", 0xffffffff81000000, 0xff8, "0123456789abcdef");
	im.kcore = arena_str(&test_arena, in_dir("core"));
	id = images_kernel(&im)->id;
	images_text_poke(&im, 0xffffffff81000ffe, (struct bytes){ (const u8 *)"XYZ", 3 });
	OK(images_kernel(&im)->id != id);
	STR_EQ(code(0xffffffff81000ff8), "012345XY");
	OK(!strncmp(code(0xffffffff81001000), "Z9abcdef", 8));
	images_text_poke(&im, 0xffffffff00000000, (struct bytes){ (const u8 *)"XYZ", 3 });
	images_text_poke(&im, 0xffffffff81500000, (struct bytes){ (const u8 *)"XYZ", 3 });
	STR_EQ(code(0xffffffff81500000), "");
	end();
}

TEST(generated_code_has_its_name_and_what_was_written)
{
	start(usual);
	images_ksymbol(&im, 0xffffffffc0100000, 0x80, false, "bpf_prog_12_x");
	STR_EQ(at(0xffffffffc0100010), "bpf_prog_12_x+10 bpf_prog_12_x");
	STR_EQ(at(0xffffffffc0100080), "");
	images_text_poke(&im, 0xffffffffc0100000, (struct bytes){ (const u8 *)"code", 4 });
	OK(!strncmp(code(0xffffffffc0100000), "code", 4));
	images_ksymbol(&im, 0xffffffffc0100000, 0x80, true, "bpf_prog_12_x");
	STR_EQ(at(0xffffffffc0100010), "");
	images_ksymbol(&im, 0xffffffff81000100, 0x80, true, "no");
	STR_EQ(at(0xffffffff81000100), "helper+0 [kernel.kallsyms]");
	end();
}
