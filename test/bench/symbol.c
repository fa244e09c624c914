/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The time for the first symbol of a kernel with 200,000 symbols, from kallsyms, and of an ELF file
 * of 100 MB with 500,000; then the time for one symbol when all are loaded.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <pt/image.h>

enum { KERNEL = 200000, FILE_SYMBOLS = 500000, TEXT = 70 << 20, ROUNDS = 5 };
static const u64 kernel_text = 0xffffffff81000000, elf_text = 0x400000;
static char list[64], file[64];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

/* Names as long as the kernel's are: 22 bytes in the middle. */
static int name(char *to, unsigned int i)
{
	static const char *const words[] = { "ext4", "do", "user", "alloc", "lock", "irq", "x",
		"schedule", "page", "tcp", "init", "get", "memory", "queue", "update", "node" };
	unsigned int h = i * 2654435761u;

	return sprintf(to, "__%s_%s_%s_%x", words[h >> 28], words[h >> 24 & 15],
		       words[h >> 20 & 15], i);
}

static void make_list(void)
{
	FILE *f = fopen(list, "w");
	char text[64];
	unsigned int i;

	if (!f)
		exit(1);
	for (i = 0; i < KERNEL; i++) {
		name(text, i);
		fprintf(f, "%016llx %c %s\n", kernel_text + i * 0x50ULL, i ? "tTtD"[i & 3] : 'T',
			i ? text : "_text");
	}
	fclose(f);
}

static void make_file(void)
{
	static const char names[] = "\0.text\0.symtab\0.strtab";
	Elf64_Sym *sym = calloc(FILE_SYMBOLS + 1, sizeof(*sym));
	char *str = calloc(FILE_SYMBOLS, 40);
	FILE *f = fopen(file, "w");
	size_t len = 1;
	unsigned int i;

	if (!f || !sym || !str)
		exit(1);
	for (i = 1; i <= FILE_SYMBOLS; i++) {
		sym[i] = (Elf64_Sym){ .st_name = len, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_shndx = 1, .st_size = 0x80,
			/* Not in order: no linker sorts them. */
			.st_value = elf_text + i * 7919ULL % FILE_SYMBOLS * 0x80 };
		len += name(str + len, i) + 1;
	}
	{
		u64 syms = 4096 + TEXT, strs = syms + (FILE_SYMBOLS + 1) * sizeof(*sym);
		Elf64_Shdr s[4] = {
			{ 0 },
			{ 1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, elf_text, 4096, TEXT },
			{ 7, SHT_SYMTAB, 0, 0, syms, (FILE_SYMBOLS + 1) * sizeof(*sym), 3, 1, 8,
			  sizeof(*sym) },
			{ 15, SHT_STRTAB, 0, 0, strs, len + sizeof(names) },
		};
		Elf64_Ehdr e = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
			.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = 1,
			.e_shoff = 64, .e_ehsize = 64, .e_shentsize = 64, .e_shnum = 4,
			.e_shstrndx = 3 };

		for (i = 1; i < 4; i++)
			s[i].sh_name += len;
		fwrite(&e, 1, sizeof(e), f);
		fwrite(s, 1, sizeof(s), f);
		fseek(f, syms, SEEK_SET);
		fwrite(sym, sizeof(*sym), FILE_SYMBOLS + 1, f);
		fwrite(str, 1, len, f);
		fwrite(names, 1, sizeof(names), f);
	}
	fclose(f);
	free(sym);
	free(str);
}

/* The symbol at an address of the kernel, or of the file. */
static const struct symbol *look(struct images *im, bool kernel, u64 addr)
{
	const struct map *m;

	if (!kernel)
		return dso_symbol(im, dso_get(im, file, NULL, 0), addr);
	m = space_find(images_kernel(im), addr);
	return m ? dso_symbol(im, m->dso, map_addr(im, m, addr)) : NULL;
}

static void measure(const char *what, bool kernel, const char *budget)
{
	enum { LOOKS = 1000000 };
	double first = 1e9, later = 1e9;
	u64 base = kernel ? kernel_text : 4096;
	unsigned int n = kernel ? KERNEL : FILE_SYMBOLS, size = kernel ? 0x50 : 0x80, i, round;

	for (round = 0; round < ROUNDS; round++) {
		struct arena arena = { 0 };
		struct images im = { .arena = &arena, .kallsyms = list };
		double start = now(), loaded;

		images_kernel_mmap(&im, &(struct mapping){ -1, kernel_text, 0x2000000, kernel_text,
							   .name = "[kernel.kallsyms]_text" });
		if (!look(&im, kernel, base + n / 2 * size + 4)) {
			fprintf(stderr, "symbol: %s has none\n", what);
			exit(1);
		}
		loaded = now();
		first = MIN(first, loaded - start);
		for (i = 0; i < LOOKS; i++)
			look(&im, kernel, base + i * 2654435761ULL % n * size);
		later = MIN(later, now() - loaded);
		images_close(&im);
		arena_free(&arena);
	}
	printf("symbols, %s: load\t%.1f\t-\t%s\tms\n", what, first, budget);
	printf("symbols, %s: one\t%.0f\t-\t2000\tns\n", what, later * 1e6 / LOOKS);
}

int main(void)
{
	const char *dir = getenv("BENCH") ? getenv("BENCH") : "/tmp";

	snprintf(list, sizeof(list), "%s/kallsyms", dir);
	snprintf(file, sizeof(file), "%s/symbols.elf", dir);
	make_list();
	make_file();
	measure("200k kallsyms", true, "50");
	measure("500k in 100 MB of ELF", false, "200");
	unlink(list);
	unlink(file);
	return 0;
}
