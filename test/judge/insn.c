/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * arch/x86/insn against Zydis: length, kind and branch target.
 *
 *   insn sweep N < LIST    the executable sections of the ELF files in LIST,
 *                          up to N instructions
 *   insn random N          N byte strings in each mode
 *
 * If Zydis accepts an instruction, the result must be the same. An instruction that Zydis rejects
 * may have any length (perf and libipt also read undefined opcodes, and Zydis may not know new
 * ones), but must not be a branch. exceptions[] lists exceptions, with reasons.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <Zydis/Zydis.h>
#include <pt/arch.h>

static const ZydisMachineMode machine[] = {
	[INSN_64] = ZYDIS_MACHINE_MODE_LONG_64,
	[INSN_32] = ZYDIS_MACHINE_MODE_LEGACY_32,
	[INSN_16] = ZYDIS_MACHINE_MODE_LEGACY_16,
};
static const ZydisStackWidth width[] = {
	[INSN_64] = ZYDIS_STACK_WIDTH_64,
	[INSN_32] = ZYDIS_STACK_WIDTH_32,
	[INSN_16] = ZYDIS_STACK_WIDTH_16,
};
static const char *const mode_name[] = { "64", "32", "16" };

static ZydisDecoder decoder[3];
static u64 n_compared, n_rejected, n_failed, n_kinds[N_INSN_KINDS];

static enum insn_kind kind_of(const ZydisDecodedInstruction *z)
{
	bool far = z->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
	bool direct = z->raw.imm[0].is_relative;
	const char *name = ZydisMnemonicGetString(z->mnemonic);

	if (!strcmp(name, "wrmsrns"))		/* these have no constants before Zydis 4.1 */
		return INSN_WRMSR;
	if (!strcmp(name, "eretu") || !strcmp(name, "erets"))
		return INSN_IRET;
	switch (z->mnemonic) {
	case ZYDIS_MNEMONIC_CALL:
		return far ? INSN_FAR_CALL : direct ? INSN_CALL : INSN_CALL_INDIRECT;
	case ZYDIS_MNEMONIC_JMP:
		return far ? INSN_FAR_JUMP : direct ? INSN_JUMP : INSN_JUMP_INDIRECT;
	case ZYDIS_MNEMONIC_RET:
		return far ? INSN_FAR_RET : INSN_RET;
	case ZYDIS_MNEMONIC_INT: case ZYDIS_MNEMONIC_INT1: case ZYDIS_MNEMONIC_INT3:
	case ZYDIS_MNEMONIC_INTO:
		return INSN_INT;
	case ZYDIS_MNEMONIC_IRET: case ZYDIS_MNEMONIC_IRETD: case ZYDIS_MNEMONIC_IRETQ:
	case ZYDIS_MNEMONIC_UIRET:
		return INSN_IRET;
	case ZYDIS_MNEMONIC_SYSCALL: case ZYDIS_MNEMONIC_SYSENTER:
		return INSN_SYSCALL;
	case ZYDIS_MNEMONIC_SYSRET: case ZYDIS_MNEMONIC_SYSEXIT:
		return INSN_SYSRET;
	case ZYDIS_MNEMONIC_VMLAUNCH: case ZYDIS_MNEMONIC_VMRESUME:
		return INSN_VMENTRY;
	case ZYDIS_MNEMONIC_VMCALL:
		return INSN_VMCALL;
	case ZYDIS_MNEMONIC_PTWRITE:
		return INSN_PTWRITE;
	case ZYDIS_MNEMONIC_WRMSR:
		return INSN_WRMSR;
	case ZYDIS_MNEMONIC_VMPTRLD:
		return INSN_VMPTRLD;
	case ZYDIS_MNEMONIC_MOV:
		return z->opcode_map == ZYDIS_OPCODE_MAP_0F && z->opcode == 0x22 &&
			z->raw.modrm.reg == 3 && !z->raw.rex.R ? INSN_MOV_CR3 : INSN_OTHER;
	default:
		return z->meta.category == ZYDIS_CATEGORY_COND_BR &&
			z->meta.branch_type != ZYDIS_BRANCH_TYPE_NONE &&
			z->mnemonic != ZYDIS_MNEMONIC_XBEGIN ? INSN_COND : INSN_OTHER;
	}
}

static u64 target_of(const ZydisDecodedInstruction *z, enum insn_mode mode, u64 ip)
{
	u64 to = ip + z->length + (u64)z->raw.imm[0].value.s;

	if (mode == INSN_64)
		return to;
	return z->operand_width == 16 ? (u16)to : (u32)to;
}

/* The first byte that is neither a legacy prefix nor REX. */
static const u8 *opcode_of(const u8 *at)
{
	static const u8 prefixes[] = {
		0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3,
	};

	while (memchr(prefixes, *at, sizeof(prefixes)) || (*at & 0xf0) == 0x40)
		at++;
	return at;
}

/* VEX.0F 84 and 85 are branches of Xeon Phi coprocessors (Knights Corner) that
 * have no PT; no other processor knows them, and VEX means no branch to perf
 * and libipt. 'z' is null where Zydis takes no instruction. */
static bool is_knc(const u8 *at, enum insn_mode mode, const ZydisDecodedInstruction *z)
{
	return z && (z->mnemonic == ZYDIS_MNEMONIC_JKZD || z->mnemonic == ZYDIS_MNEMONIC_JKNZD);
}

/* Zydis 4.0 is older than APX, and rejects REX2. */
static bool is_rex2(const u8 *at, enum insn_mode mode, const ZydisDecodedInstruction *z)
{
	return !z && mode == INSN_64 && *opcode_of(at) == 0xd5;
}

/* It is older than FRED as well: eretu, erets. */
static bool is_fred(const u8 *at, enum insn_mode mode, const ZydisDecodedInstruction *z)
{
	return !z && mode == INSN_64 && !memcmp(opcode_of(at), "\x0f\x01\xca", 3);
}

static struct {
	const char *name;
	bool (*is)(const u8 *at, enum insn_mode mode, const ZydisDecodedInstruction *z);
	u64 n;
} exceptions[] = {
	{ "Knights Corner's jkzd and jknzd", is_knc },
	{ "REX2, which Zydis 4.0 does not know", is_rex2 },
	{ "FRED, which Zydis 4.0 does not know", is_fred },
};

static bool is_excepted(const u8 *at, enum insn_mode mode, const ZydisDecodedInstruction *z)
{
	size_t i;

	for (i = 0; i < N_ELEM(exceptions); i++)
		if (exceptions[i].is(at, mode, z))
			return ++exceptions[i].n;
	return false;
}

static void print_bytes(const u8 *at, int n)
{
	int i;

	for (i = 0; i < n; i++)
		printf(" %02x", at[i]);
	printf("\n");
}

static void failure(enum insn_mode mode, const char *what, struct bytes code, int ours,
		    const struct insn *insn, const ZydisDecodedInstruction *z)
{
	if (is_excepted(code.at, mode, z) || n_failed++ >= 50)
		return;
	printf("%s-bit, %s: ours %d kind %d rel %d", mode_name[mode], what, ours,
	       ours > 0 ? insn->kind : -1, ours > 0 ? insn->rel : 0);
	if (z)
		printf("; %d %s", z->length, ZydisMnemonicGetString(z->mnemonic));
	printf(":");
	print_bytes(code.at, MIN(code.len, 16));
}

/* Compare at the front of 'code'. Returns how far a sweep has to go. */
static int compare(enum insn_mode mode, struct bytes code)
{
	ZydisDecodedInstruction z;
	struct insn insn = { 0 };
	int ours = insn_decode(&insn, mode, code);
	u64 ip = mode == INSN_16 ? 0x8000 : 0x401000;

	if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder[mode], NULL, code.at, code.len,
							&z))) {
		n_rejected++;
		if (ours > 0 && insn.kind >= INSN_JUMP)
			failure(mode, "no branch", code, ours, &insn, NULL);
		return 1;
	}
	n_compared++;
	n_kinds[kind_of(&z)]++;
	if (ours != z.length)
		failure(mode, "length", code, ours, &insn, &z);
	else if (insn.kind != kind_of(&z))
		failure(mode, "kind", code, ours, &insn, &z);
	else if ((insn.kind == INSN_JUMP || insn.kind == INSN_CALL || insn.kind == INSN_COND) &&
		 insn_target(&insn, mode, ip) != target_of(&z, mode, ip))
		failure(mode, "target", code, ours, &insn, &z);
	return z.length;
}

static u64 seed = 88172645463325252ull;

static u64 random64(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	return seed ^= seed << 17;
}

/* Half of the strings begin with what leads to rarer maps. */
static void random_bytes(u8 code[24])
{
	static const u8 leads[][3] = {
		{ 0x0f }, { 0x0f }, { 0x0f, 0x38 }, { 0x0f, 0x3a }, { 0x0f, 0x01 }, { 0x66 }, { 0x67 },
		{ 0xf2 }, { 0xf3 }, { 0x66, 0x0f }, { 0xf2, 0x0f }, { 0xf3, 0x0f }, { 0x48 },
		{ 0x48, 0x0f }, { 0x66, 0x48 }, { 0xc4 }, { 0xc4, 0xe1 }, { 0xc4, 0xe2 },
		{ 0xc4, 0xe3 }, { 0xc5 }, { 0x62 }, { 0x62, 0xf1 }, { 0x62, 0xf2 }, { 0x62, 0xf3 },
		{ 0x8f, 0xe8 }, { 0x8f, 0xe9 }, { 0x8f, 0xea }, { 0xff }, { 0xf0 }, { 0x2e }, { 0x66, 0x67 },
	};
	u64 r[3] = { random64(), random64(), random64() };
	unsigned int pick = random64() >> 32, i;

	memcpy(code, r, sizeof(r));
	if (pick & 1) {
		const u8 *lead = leads[(pick >> 1) % N_ELEM(leads)];

		for (i = 0; i < 3 && lead[i]; i++)
			code[i] = lead[i];
	}
}

static void random_strings(u64 n)
{
	u8 code[24];
	int mode;

	while (n--) {
		random_bytes(code);
		for (mode = INSN_64; mode <= INSN_16; mode++)
			compare(mode, (struct bytes){ code, sizeof(code) });
	}
}

static void sweep_section(enum insn_mode mode, struct bytes code, u64 limit)
{
	while (code.len && n_compared < limit)
		code = bytes_skip(code, compare(mode, code));
}

/* The executable sections of an ELF file of either width. */
#define SWEEP(file, BITS, mode, limit) do { \
	const Elf##BITS##_Ehdr *eh = (const void *)(file).at; \
	size_t i_; \
	if (eh->e_shoff > (file).len || \
	    eh->e_shnum > ((file).len - eh->e_shoff) / sizeof(Elf##BITS##_Shdr)) \
		break; \
	for (i_ = 0; i_ < eh->e_shnum; i_++) { \
		const Elf##BITS##_Shdr *sh = (const Elf##BITS##_Shdr *)((file).at + eh->e_shoff) + i_; \
		if ((sh->sh_flags & SHF_EXECINSTR) && sh->sh_type == SHT_PROGBITS && \
		    sh->sh_offset <= (file).len && sh->sh_size <= (file).len - sh->sh_offset) \
			sweep_section(mode, (struct bytes){ (file).at + sh->sh_offset, sh->sh_size }, \
				      limit); \
	} \
} while (0)

static void sweep_file(struct bytes file, u64 limit)
{
	const Elf64_Ehdr *eh = (const void *)file.at;

	if (file.len < sizeof(*eh) || memcmp(file.at, ELFMAG, SELFMAG))
		return;
	if (eh->e_machine == EM_X86_64 && eh->e_ident[EI_CLASS] == ELFCLASS64)
		SWEEP(file, 64, INSN_64, limit);
	else if (eh->e_machine == EM_386)
		SWEEP(file, 32, INSN_32, limit);
}

static void sweep(u64 limit)
{
	char name[4096];
	struct stat st;

	while (n_compared < limit && fgets(name, sizeof(name), stdin)) {
		int fd;
		void *at;

		name[strcspn(name, "\n")] = 0;
		fd = open(name, O_RDONLY);
		if (fd < 0)
			continue;
		if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0) {
			at = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
			if (at != MAP_FAILED) {
				sweep_file((struct bytes){ at, st.st_size }, limit);
				munmap(at, st.st_size);
			}
		}
		close(fd);
	}
}

int main(int argc, char **argv)
{
	size_t i;
	int mode;

	if (argc != 3)
		return 2;
	for (mode = INSN_64; mode <= INSN_16; mode++)
		ZydisDecoderInit(&decoder[mode], machine[mode], width[mode]);
	if (!strcmp(argv[1], "sweep"))
		sweep(strtoull(argv[2], NULL, 0));
	else
		random_strings(strtoull(argv[2], NULL, 0));
	for (i = 0; i < N_ELEM(exceptions); i++)
		printf("%llu excepted: %s\n", exceptions[i].n, exceptions[i].name);
	printf("compared of each kind:");
	for (i = 0; i < N_INSN_KINDS; i++)
		printf(" %llu", n_kinds[i]);
	printf("\n%s: %llu compared, %llu rejected by Zydis, %llu differ\n", argv[1], n_compared,
	       n_rejected, n_failed);
	return n_failed != 0;
}
