/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The speed of insn_decode(): linear sweeps over the executable sections of an ELF file, the best
 * of many. usage: insn FILE; prints a line in the format of test/bench/run.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <pt/arch.h>

enum { ROUNDS = 20, MAX_PARTS = 8 };

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* The kinds are summed so that nothing of a result is optimized away. */
static u64 sweep(struct bytes code, u64 *n_branches)
{
	struct insn insn;
	u64 n = 0;

	while (code.len) {
		int len = insn_decode(&insn, INSN_64, code);

		if (len > 0)
			*n_branches += insn.kind >= INSN_JUMP;
		code = bytes_skip(code, len > 0 ? len : 1);
		n++;
	}
	return n;
}

int main(int argc, char **argv)
{
	const char *path = argv[argc - 1];
	u64 best = ~0ull, n = 0, branches = 0;
	struct bytes parts[MAX_PARTS];
	const Elf64_Ehdr *eh;
	const Elf64_Phdr *ph;
	struct stat st;
	int i, round, n_parts = 0, fd = open(path, O_RDONLY);
	u8 *file;

	if (fd < 0 || fstat(fd, &st))
		return perror(path), 1;
	file = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED)
		return perror(path), 1;
	eh = (const void *)file;
	ph = (const void *)(file + eh->e_phoff);
	for (i = 0; i < eh->e_phnum && n_parts < MAX_PARTS; i++)
		if (ph[i].p_type == PT_LOAD && (ph[i].p_flags & PF_X))
			parts[n_parts++] = (struct bytes){ file + ph[i].p_offset, ph[i].p_filesz };
	for (round = 0; round < ROUNDS; round++) {
		u64 start = now_ns(), took;

		n = branches = 0;
		for (i = 0; i < n_parts; i++)
			n += sweep(parts[i], &branches);
		took = now_ns() - start;
		best = MIN(best, took);
	}
	printf("instructions of %s\t%.1f\t-\t60\tM/s\n", path, n * 1e3 / best);
	return branches == 0;
}
