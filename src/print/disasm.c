/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The disassembler. Only this file includes Capstone's headers. perf uses the same library; Debian
 * and Alpine have it as a static library, but not Zydis. src/rules.mk leaves out its code for other
 * processors.
 */
#include <string.h>

#include <capstone/capstone.h>

#include <pt/disasm.h>

/* One for each mode, opened at the first use. */
struct engine {
	csh handle;
	cs_insn *insn;
};

static struct engine *engine(bool narrow)
{
	static struct engine engines[2];
	struct engine *e = &engines[narrow];

	if (e->insn)
		return e;
	if (cs_open(CS_ARCH_X86, narrow ? CS_MODE_32 : CS_MODE_64, &e->handle) != CS_ERR_OK)
		return NULL;
	cs_option(e->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	cs_option(e->handle, CS_OPT_DETAIL, CS_OPT_ON);
	e->insn = cs_malloc(e->handle);
	return e->insn ? e : NULL;
}

bool disasm(struct disasm *to, struct bytes code, u64 ip, bool narrow)
{
	struct engine *e = engine(narrow);
	const uint8_t *at = code.at;
	size_t left = code.len;
	const cs_x86 *x86;
	uint64_t address = ip;

	if (!e || !cs_disasm_iter(e->handle, &at, &left, &address, e->insn))
		return false;
	x86 = &e->insn->detail->x86;
	strncpy(to->name, e->insn->mnemonic, sizeof(to->name) - 1);
	strncpy(to->operands, e->insn->op_str, sizeof(to->operands) - 1);
	to->name[sizeof(to->name) - 1] = to->operands[sizeof(to->operands) - 1] = 0;
	to->has_target = x86->op_count == 1 && x86->operands[0].type == X86_OP_IMM;
	to->target = to->has_target ? x86->operands[0].imm : 0;
	return true;
}
