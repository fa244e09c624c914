/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * -F: the columns of the lines of each type of event.
 */
#ifndef PT_FIELDS_H
#define PT_FIELDS_H

#include <pt/base.h>

enum {
	FIELD_COMM = 1 << 0, FIELD_TID = 1 << 1, FIELD_PID = 1 << 2, FIELD_TIME = 1 << 3,
	FIELD_CPU = 1 << 4, FIELD_EVENT = 1 << 5, FIELD_IP = 1 << 6, FIELD_SYM = 1 << 7,
	FIELD_DSO = 1 << 8, FIELD_ADDR = 1 << 9, FIELD_SYMOFF = 1 << 10, FIELD_PERIOD = 1 << 11,
	FIELD_CALLINDENT = 1 << 12, FIELD_INSN = 1 << 13, FIELD_INSNLEN = 1 << 14,
	FIELD_SYNTH = 1 << 15, FIELD_IPC = 1 << 16, FIELD_TRACE = 1 << 17, FIELD_WEIGHT = 1 << 18,
	FIELD_PHYS_ADDR = 1 << 19, FIELD_MISC = 1 << 20, FIELD_DATA_PAGE_SIZE = 1 << 21,
	FIELD_CODE_PAGE_SIZE = 1 << 22, FIELD_INS_LAT = 1 << 23, FIELD_TOD = 1 << 24,
	FIELD_DATA_SRC = 1 << 25, FIELD_DISASM = 1 << 26,
	FIELD_SRCLINE = 1 << 27, FIELD_SRCCODE = 1 << 28,
};
#define FIELD_DSOFF (1ull << 31)	/* with the offset in the DSO; implies FIELD_DSO */
/* For recorded samples only: the code for other samples tests the lower 32 bits. */
#define FIELD_IREGS (1ull << 32)
#define FIELD_UREGS (1ull << 33)
#define FIELD_BRSTACK (1ull << 34)
#define FIELD_BRSTACKSYM (1ull << 35)
#define FIELD_BRSTACKOFF (1ull << 36)
/* The same for all samples: of[FIELDS_HW] tells. */
#define FIELD_MACHINE_PID (1ull << 37)
#define FIELD_VCPU (1ull << 38)
#define FIELD_CGROUP (1ull << 39)
#define FIELD_BRSTACKINSN (1ull << 40)
#define FIELD_BRSTACKINSNLEN (1ull << 41)
#define FIELD_BPF_OUTPUT (1ull << 42)
#define FIELD_RETIRE_LAT (1ull << 43)
#define FIELDS_BRSTACKINSN (FIELD_BRSTACKINSN | FIELD_BRSTACKINSNLEN)
#define FIELDS_BRSTACK (FIELD_BRSTACK | FIELD_BRSTACKSYM | FIELD_BRSTACKOFF)
/* Columns of print_columns.c. */
#define FIELDS_MORE (FIELD_DATA_PAGE_SIZE | FIELD_CODE_PAGE_SIZE | FIELD_INS_LAT | FIELD_TOD | \
		     FIELD_DATA_SRC | 0xffffffff00000000)

/* Types of events that have columns of their own. */
enum fields_type {
	FIELDS_HW, FIELDS_SW, FIELDS_TRACEPOINT, FIELDS_CACHE, FIELDS_RAW, FIELDS_BREAKPOINT,
	FIELDS_SYNTH, FIELDS_OTHER, N_FIELDS_TYPES
};

struct fields {
	u64 of[N_FIELDS_TYPES];
	u64 asked[N_FIELDS_TYPES];	/* requested by the command line */
	u64 unset;			/* removed by the command line */
	bool set[N_FIELDS_TYPES];	/* the command line names this type */
	bool flags;			/* the flags column */
	char wrong[160];		/* the message of fields_parse() for an unknown name */
};

/* The type of an event whose attribute has this 'type'. */
enum fields_type fields_type(u32 attr_type);

void fields_default(struct fields *f);

/* Read the argument of a -F. Returns NULL, or a text that says what is wrong with it. */
const char *fields_parse(struct fields *f, const char *text);

/* Remove the columns that an event with this 'sample_type' does not have; it is the first event of
 * its type. If 'made' is set, samples are also made from a trace, and these have more columns than
 * the file's events. Returns the name of a requested column that does not exist, else NULL. */
const char *fields_check(struct fields *f, enum fields_type type, u64 sample_type, bool made);

#endif
