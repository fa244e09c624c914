/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pt/image.h>

#include "test.h"

/* An ELF file that is made section by section. */
enum { N_SECTIONS = 12, SIZE = 16 << 10, TEXT = 0x1000, BASE = 0x400000 };

static struct {
	u8 bytes[SIZE];
	size_t len;
	Elf64_Shdr section[N_SECTIONS];
	u32 n_sections;
	char names[512], section_names[256];
	u32 names_len, section_names_len;
	Elf64_Sym symbol[64];
	u32 n_symbols;
} file;

static struct images im;
static char root[64];
static int n_said;

static void say(void *who, const char *what)
{
	n_said++;
}

static u32 name_at(char *names, u32 *len, const char *name)
{
	u32 at = *len;

	strcpy(names + at, name);
	*len += strlen(name) + 1;
	return at;
}

static Elf64_Shdr *add_section(const char *name, u32 type, u64 flags, u64 off, u64 size)
{
	Elf64_Shdr *s = &file.section[file.n_sections++];

	*s = (Elf64_Shdr){
		.sh_name = name_at(file.section_names, &file.section_names_len, name),
		.sh_type = type, .sh_flags = flags, .sh_offset = off, .sh_size = size,
		.sh_addr = flags & SHF_ALLOC ? BASE + off : 0,
	};
	return s;
}

static void add_symbol(const char *name, u64 at, u64 size, u8 bind, u8 type, u16 section)
{
	file.symbol[file.n_symbols++] = (Elf64_Sym){
		.st_name = name_at(file.names, &file.names_len, name),
		.st_value = at, .st_size = size, .st_info = ELF64_ST_INFO(bind, type),
		.st_shndx = section,
	};
}

/* Functions in .text, section 1. */
static void add_function(const char *name, u64 at, u64 size)
{
	add_symbol(name, BASE + TEXT + at, size, STB_GLOBAL, STT_FUNC, 1);
}

static void start_file(void)
{
	memset(&file, 0, sizeof(file));
	file.len = 0x2000;
	file.names_len = 1;
	file.n_symbols = 1;
	file.section_names_len = 1;
	file.n_sections = 1;
	add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, 0x800);
}

static u64 append(const void *bytes, size_t n)
{
	u64 at = file.len;

	memcpy(file.bytes + at, bytes, n);
	file.len = round_up(at + n, 16);
	return at;
}

/* Put the symbols into sections 'table' and 'strings', which come next. */
static u32 end_symbols(const char *table, u32 type, const char *strings)
{
	u32 i = file.n_sections;
	Elf64_Shdr *s = add_section(table, type, 0, append(file.symbol, file.n_symbols * sizeof(
		file.symbol[0])), file.n_symbols * sizeof(file.symbol[0]));

	s->sh_entsize = sizeof(Elf64_Sym);
	s->sh_link = i + 1;
	add_section(strings, SHT_STRTAB, 0, append(file.names, file.names_len), file.names_len);
	return i;
}

static void end_file(void)
{
	Elf64_Ehdr h = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_ehsize = sizeof(h), .e_shentsize = sizeof(Elf64_Shdr),
		.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1, .e_phoff = 64,
	};
	Elf64_Phdr text = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = BASE,
		.p_filesz = 0x2000, .p_memsz = 0x2000,
	};

	add_section(".shstrtab", SHT_STRTAB, 0, file.len, file.section_names_len + 10);
	append(file.section_names, sizeof(file.section_names));
	h.e_shstrndx = file.n_sections - 1;
	h.e_shnum = file.n_sections;
	h.e_shoff = append(file.section, file.n_sections * sizeof(file.section[0]));
	memcpy(file.bytes, &h, sizeof(h));
	memcpy(file.bytes + 64, &text, sizeof(text));
}

static void write_file(const char *path)
{
	char full[128];
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", root, path);
	unlink(full);			/* writing over a file may wait for the disk */
	f = fopen(full, "w");
	OK(f);
	EQ(fwrite(file.bytes, 1, file.len, f), file.len);
	fclose(f);
}

static void start(void)
{
	strcpy(root, "/tmp/pt-symbol-XXXXXX");
	OK(mkdtemp(root));
	im = (struct images){ .arena = &test_arena, .symfs = root, .say = say };
	n_said = 0;
}

static void end(void)
{
	char command[128];

	images_close(&im);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	OK(!system(command));
}

/* The name at an offset of .text: "name+off", or "". */
static const char *at(u64 off)
{
	static char text[256];
	const struct symbol *s = dso_symbol(&im, dso_get(&im, "/a", NULL, 0), TEXT + off);

	if (!s)
		return "";
	snprintf(text, sizeof(text), "%s+%llx", s->name, TEXT + off - s->start);
	return text;
}

static void load(void)
{
	end_symbols(".symtab", SHT_SYMTAB, ".strtab");
	end_file();
	start();
	write_file("/a");
}

TEST(a_symbol_without_a_size_goes_on_to_the_next)
{
	start_file();
	add_function("one", 0, 0);
	add_function("two", 0x40, 0x10);
	add_function("three", 0x80, 0);
	load();
	STR_EQ(at(0x3f), "one+3f");
	STR_EQ(at(0x40), "two+0");
	STR_EQ(at(0x50), "");
	STR_EQ(at(0x80), "three+0");
	STR_EQ(at(0x1fff), "three+1f7f");
	STR_EQ(at(0x2000), "");
	EQ(n_said, 0);
	end();
}

TEST(the_best_of_several_names_is_shown)
{
	start_file();
	add_symbol("weak", BASE + TEXT, 16, STB_WEAK, STT_FUNC, 1);
	add_function("_under", 0, 16);
	add_function("plain", 0, 16);
	add_function("longer_but_local", 16, 16);
	file.symbol[file.n_symbols - 1].st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC);
	add_function("x", 16, 16);
	add_function("short", 32, 16);
	add_function("longest", 32, 16);
	add_function("long", 32, 16);
	load();
	STR_EQ(at(0), "plain+0");
	STR_EQ(at(16), "x+0");
	STR_EQ(at(32), "longest+0");
	end();
}

/* Is the symbol at 'off' in the text known by that name? */
static bool is_known(const char *name, u64 off)
{
	struct dso *dso = dso_get(&im, "/a", NULL, 0);
	const struct symbol *sym = dso_symbol_named(&im, dso, name);

	return sym && sym == dso_symbol(&im, dso, TEXT + off);
}

TEST(a_symbol_is_known_by_all_its_names)
{
	start_file();
	add_function("__read", 0, 16);
	add_symbol("read", BASE + TEXT, 16, STB_WEAK, STT_FUNC, 1);
	add_function("__libc_read", 0, 16);
	add_symbol("_read", BASE + TEXT, 16, STB_WEAK, STT_FUNC, 1);
	add_function("copy@@V_2.14", 32, 16);
	add_function("copy@V_2.2", 48, 16);
	add_function("copy2", 64, 16);
	load();
	STR_EQ(at(0), "__libc_read+0");
	OK(is_known("read", 0));
	OK(is_known("_read", 0));
	OK(is_known("__read", 0));
	OK(is_known("__libc_read", 0));
	OK(is_known("copy", 32));
	OK(is_known("copy@@V_2.14", 32));
	OK(is_known("copy@V_2.2", 48));
	OK(!dso_symbol_named(&im, dso_get(&im, "/a", NULL, 0), "rea"));
	OK(!dso_symbol_named(&im, dso_get(&im, "/a", NULL, 0), "cop"));
	OK(!dso_symbol_named(&im, dso_get(&im, "/a", NULL, 0), ""));
	OK(symbol_in_list(dso_symbol(&im, dso_get(&im, "/a", NULL, 0), TEXT), "copy,_read,x"));
	OK(!symbol_in_list(dso_symbol(&im, dso_get(&im, "/a", NULL, 0), TEXT), "copy,,rea"));
	end();
}

TEST(names_of_the_dynamic_table_are_known_too)
{
	start_file();
	add_function("__memcpy_fast", 0, 16);
	end_symbols(".symtab", SHT_SYMTAB, ".strtab");
	file.n_symbols = 1;
	add_function("memcpy", 0, 16);
	add_function("__memcpy_fast", 0, 16);
	end_symbols(".dynsym", SHT_DYNSYM, ".dynstr");
	end_file();
	start();
	write_file("/a");
	STR_EQ(at(0), "memcpy+0");
	OK(is_known("__memcpy_fast", 0));
	OK(is_known("memcpy", 0));
	end();
}

TEST(what_is_no_code_or_data_has_no_say)
{
	start_file();
	add_symbol("file.c", 0, 0, STB_LOCAL, STT_FILE, SHN_ABS);
	add_symbol("section", BASE + TEXT, 0, STB_LOCAL, STT_SECTION, 1);
	add_symbol("undefined", BASE + TEXT, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF);
	add_symbol("absolute", BASE + TEXT, 0, STB_GLOBAL, STT_FUNC, SHN_ABS);
	add_symbol("hidden", BASE + TEXT, 0, STB_LOCAL, STT_NOTYPE, 1);
	file.symbol[file.n_symbols - 1].st_other = STV_HIDDEN;
	add_symbol("label", BASE + TEXT + 16, 0, STB_LOCAL, STT_NOTYPE, 1);
	load();
	STR_EQ(at(0), "");
	STR_EQ(at(16), "label+0");
	end();
}

TEST(where_symbols_overlap_each_address_has_one)
{
	start_file();
	add_function("outer", 0, 0x100);
	add_function("inner", 0x40, 0x10);
	add_function("after", 0x100, 0x10);
	load();
	STR_EQ(at(0), "outer+0");
	STR_EQ(at(0x48), "inner+8");
	STR_EQ(at(0x100), "after+0");
	STR_EQ(at(0x110), "");
	end();
}

TEST(entries_of_the_plt_are_named_by_their_relocations)
{
	Elf64_Rela rel[2] = { { 0, ELF64_R_INFO(1, 7), 0 }, { 8, ELF64_R_INFO(2, 7), 0 } };
	Elf64_Shdr *s;
	u32 table;

	start_file();
	add_symbol("puts", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF);
	add_symbol("exit", 0, 0, STB_GLOBAL, STT_FUNC, SHN_UNDEF);
	add_function("main", 0, 0x20);
	table = end_symbols(".dynsym", SHT_DYNSYM, ".dynstr");
	s = add_section(".rela.plt", SHT_RELA, 0, append(rel, sizeof(rel)), sizeof(rel));
	s->sh_entsize = sizeof(*rel);
	s->sh_link = table;
	s = add_section(".plt", SHT_PROGBITS, SHF_ALLOC, TEXT + 0x100, 0x30);
	s->sh_entsize = 16;
	end_file();
	start();
	write_file("/a");
	STR_EQ(at(0x10), "main+10");
	STR_EQ(at(0x108), "");
	STR_EQ(at(0x110), "puts@plt+0");
	STR_EQ(at(0x12f), "exit@plt+f");
	STR_EQ(at(0x130), "");
	end();
}

TEST(names_come_from_a_debug_file)
{
	char path[128];

	start_file();
	add_function("from_debug", 0, 0x20);
	load();
	snprintf(path, sizeof(path), "%s/usr/lib/debug", root);
	OK(!mkdir(strcat(strcpy(path, root), "/usr"), 0755));
	OK(!mkdir(strcat(path, "/lib"), 0755));
	OK(!mkdir(strcat(path, "/debug"), 0755));
	write_file("/usr/lib/debug/a.debug");
	start_file();
	end_file();
	write_file("/a");
	STR_EQ(at(0x10), "from_debug+10");
	end();
}

TEST(a_compressed_table_is_inflated)
{
	static const u8 stored[] = { 0x78, 0x01, 1 };	/* zlib, one stored block */
	u8 all[24 + sizeof(stored) + 4 + 512] = { ELFCOMPRESS_ZLIB };
	size_t size;
	Elf64_Shdr *s;

	start_file();
	add_function("zipped", 0, 0x20);
	size = file.n_symbols * sizeof(file.symbol[0]);
	set64(all + 8, size);
	memcpy(all + 24, stored, sizeof(stored));
	set16(all + 27, size);
	set16(all + 29, ~size);
	memcpy(all + 31, file.symbol, size);
	s = add_section(".symtab", SHT_SYMTAB, SHF_COMPRESSED, append(all, sizeof(all)), 31 + size);
	s->sh_link = file.n_sections;
	s->sh_entsize = sizeof(Elf64_Sym);
	add_section(".strtab", SHT_STRTAB, 0, append(file.names, file.names_len), file.names_len);
	end_file();
	start();
	write_file("/a");
	STR_EQ(at(0x10), "zipped+10");
	end();
}

TEST(damage_makes_no_symbols)
{
	u32 i;

	start_file();
	add_function("one", 0, 0x20);
	add_function("two", 0x40, 0x20);
	load();
	for (i = 0; i < file.len; i += 7) {
		u8 was = file.bytes[i];

		if (i == 128)
			i = 0x2000;
		file.bytes[i] ^= 0xff;
		write_file("/a");
		im = (struct images){ .arena = &test_arena, .symfs = root };
		at(0x10);
		images_close(&im);
		file.bytes[i] = was;
	}
	end();
}
