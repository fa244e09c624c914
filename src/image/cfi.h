/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Call frame information: where a function keeps what its caller had in the registers (DWARF 5,
 * "Call Frame Information"; LSB, "Exception Frames"). Registers have DWARF's numbers for x86-64.
 */
#ifndef CFI_H
#define CFI_H

#include <pt/base.h>

enum { CFI_AX, CFI_DX, CFI_CX, CFI_BX, CFI_SI, CFI_DI, CFI_BP, CFI_SP, CFI_IP = 16, CFI_REGS };

/* The functions that a section .eh_frame or .debug_frame describes, by their addresses. */
struct cfi {
	struct bytes bytes;
	u64 addr;		/* of the section */
	bool is_eh;		/* it is .eh_frame */
	struct cfi_function { u64 start, end; u32 off; } *functions;
	u32 n;
};

/* Set 'functions', in 'arena'; the other members but 'n' are set by the caller. A damaged entry is
 * skipped. */
void cfi_read(struct cfi *c, struct arena *arena);

enum cfi_how {
	CFI_SAME,		/* the register was not changed */
	CFI_UNDEFINED,
	CFI_AT,			/* in memory, at CFA + value */
	CFI_IS,			/* it is CFA + value */
	CFI_IN,			/* in the register 'reg'. The CFA: its contents + value */
	CFI_AT_RESULT,		/* in memory, where the expression at offset 'value' says */
	CFI_IS_RESULT,		/* the result of that expression */
};

struct cfi_rule {
	u8 how;			/* enum cfi_how */
	u8 reg;
	i64 value;
};

/* The rules for one address. The CFA is the address of the frame. */
struct cfi_row {
	struct cfi_rule cfa, reg[CFI_REGS];
	u8 ip;			/* the register that has the return address */
	bool signal;		/* the caller was interrupted: it continues at its address */
};

/* False if nothing describes the code at 'addr'. */
bool cfi_row(const struct cfi *c, u64 addr, struct cfi_row *row);

/* Registers of a frame, as far as they are 'known' (a bit each), and its memory. */
struct cfi_frame {
	u64 reg[CFI_REGS];
	u64 cfa;
	u32 known;
	/* Read 'size' bytes, up to 8. False if they were not recorded. */
	bool (*read)(void *who, u64 addr, u32 size, u64 *to);
	void *who;
};

/* Go to the caller. False if its address is not known, or if there is none. */
bool cfi_step(const struct cfi *c, const struct cfi_row *row, struct cfi_frame *f);

/* cfi_expression.c: the result of an expression; 'start' is on its stack at first. False if it is
 * damaged, or if it needs what is not known. */
bool cfi_result(struct bytes expression, const struct cfi_frame *f, u64 start, u64 *result);

#endif
