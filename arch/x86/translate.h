/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of one instruction that the translator needs: translate_form.c.
 */
#ifndef PT_X86_TRANSLATE_H
#define PT_X86_TRANSLATE_H

#include <pt/translate.h>

/* One instruction, as far as copying it needs. */
struct form {
	struct insn insn;
	u8 map, op;		/* maps 0 to 3; for VEX and EVEX their own map number */
	u8 op_at;
	u8 modrm_at;		/* 0: none */
	u8 rex_at;		/* 0: none; else its offset plus one */
	u8 vex_at;		/* the same, for VEX, EVEX, XOP, REX2 */
	u8 r, x, b, v;		/* 8 or 0; v: the register in vvvv, or 16 */
	u8 seg;			/* the last segment prefix that counts, or 0 */
	bool op16, addr32, rep, repne, lock;
	bool rip;		/* the memory operand is relative to RIP */
	u8 disp_at;		/* if 'rip' */
};

/* Returns the length, 0 if the code ends inside it, -1 if it is invalid. */
int form_decode(struct form *f, struct bytes code);

/* REX.W */
static inline bool form_wide(const struct form *f, const u8 *code)
{
	return f->rex_at && code[f->rex_at - 1] & 8;
}

/* Does the instruction read or write r11? May return true in other cases, too. */
bool form_touches_r11(const struct form *f, const u8 *code);

/* Of an instruction that touches r11: may it write it? */
bool form_may_write_r11(const struct form *f, const u8 *code);

/* Instructions that change something that the cache relies on, or that continue elsewhere. Other
 * instructions that are forbidden in user mode fault in the cache as they do outside. */
bool form_is_odd64(const struct form *f, const u8 *code);
bool form_is_odd32(const struct form *f, const u8 *code);	/* translate_32.c */

static inline bool form_is_odd(const struct form *f, const u8 *code)
{
	return TRANSLATE_NARROW ? form_is_odd32(f, code) : form_is_odd64(f, code);
}

bool form_is_xbegin(const struct form *f, const u8 *code);

/* Has it an operand in memory? */
static inline bool form_is_memory(const struct form *f, const u8 *code)
{
	return f->modrm_at && code[f->modrm_at] < 0xc0;
}

/* MOV between rax and an address in the instruction. */
static inline bool form_is_moffs(const struct form *f)
{
	return !f->map && !f->vex_at && f->op >= 0xa0 && f->op <= 0xa3;
}

bool form_is_string(const struct form *f);

/* VGATHER and VSCATTER: they have a SIB byte, or are invalid. */
bool form_is_gather(const struct form *f);

/* LEA and NOP: they do not use their operand. */
bool form_is_hint(const struct form *f);

/* Does it use memory without a memory operand in ModRM? (0F 01 and 0F AE contain MONITOR and others
 * whose address is in a register.) */
bool form_is_implicit(const struct form *f, const u8 *code);

/* 64-bit code: has it an operand in %gs? */
bool form_uses_gs(const struct form *f, const u8 *code);

/* RDGSBASE or WRGSBASE. */
static inline bool form_is_gsbase(const struct form *f, const u8 *code)
{
	return f->op == 0xae && f->map == 1 && f->rep && !f->vex_at &&
	       (code[f->modrm_at] & 0xe8) == 0xc8;
}

/* The offset of what follows ModRM, SIB and displacement. */
unsigned int form_operand_end(const struct form *f, const u8 *code);

/* Are all registers of this opcode vector or mask registers (except in a memory operand)? */
bool form_only_vectors(const struct form *f, const u8 *code);

/* May it write to memory? True if it has an operand in memory or is a string instruction. */
bool form_may_store(const struct form *f, const u8 *code);

/* The address of its RIP-relative operand. */
u64 form_operand(const struct form *f, const u8 *code, u64 ip);

/* Its effect on the status flags. */
enum form_flags { FLAGS_KEPT, FLAGS_KILLED, FLAGS_READ };
enum form_flags form_flags(const struct form *f, const u8 *code);

/* The size of all instructions at the front of 64-bit 'code' that can be copied as they are, up to
 * '*n' of them, that begin in its first 'limit' bytes: frequent ones, without legacy prefixes, that
 * are no branches, do not use r11 and have no RIP-relative operand. '*n' becomes their number. With
 * 'flags', it ends after the first one that does not keep the flags; '*flags' is its effect. */
unsigned int form_plain_run(struct bytes code, u64 limit, u32 *n, enum form_flags *flags);

/* translate_copy.c: translate an instruction that is not a branch. */
void translate_copy(struct translate *t, const struct form *f, const u8 *code);

/* Load the operand of an indirect jump or call, or of PTWRITE, into rcx; for PTWRITE without REX.W,
 * 32 bits. */
void translate_target(struct translate *t, const struct form *f, const u8 *code);

/* translate_32.c: the same for 32-bit code; push an address; pop an address to a register, and add
 * 'more' to ESP. */
void translate_copy32(struct translate *t, const struct form *f, const u8 *code);
void translate_target32(struct translate *t, const struct form *f, const u8 *code);
void translate_push(struct translate *t, u32 v);
void translate_pop_target(struct translate *t, u8 reg, u16 more);

/* Offset from t->enter: after the way to the agent comes the code for a return that does not match
 * its call. Its target is in rdx. */
enum { LOST = 48 };

/* Of an exit that is no branch. */
enum { LEAVE_SIZE = offsetof(struct translate_exit, next) };
/* Offset from t->off.spill of the address of an exit. */
enum { EXIT_WORD = 24 };

/* Emit an exit. t->now is the state here. */
void translate_leave(struct translate *t, struct translate_code *c,
		     const struct translate_exit *x);

/* translate_check.c: emit the entry that checks the ring, and the one that does not. */
void translate_check(struct translate *t);

/* Can the program's code be an operand in the block? */
bool translate_can_compare(const struct translate *t);

/* Emit the code that compares t->span bytes. A rel32 at 'from' leads there; if they are equal, it
 * continues after that. */
void translate_compare(struct translate *t, struct translate_code from);

/* Emit a jmp, or a jcc with the condition 'cc', that goes directly to the block of 'to' when that
 * exists. */
void translate_branch(struct translate *t, i32 cc, u64 to, u8 checked);

/* rcx is the target: record it, k bytes after the pointer; and jump through the table. */
void translate_record(struct translate *t, i32 k);
void translate_by_table(struct translate *t);

#endif
