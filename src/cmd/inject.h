/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The parts of pt inject.
 */
#ifndef INJECT_H
#define INJECT_H

#include <pt/hash.h>
#include <pt/made_sample.h>
#include <pt/perf_write.h>
#include "ask.h"

/* --jit: the file with the code that programs made. */
struct inject_jit {
	int fd, err;
	const char *path;
	u64 end;		/* offset of what is appended next */
	u64 digest;		/* of all code: the build-id */
	u32 machine;		/* as in an ELF header */
	struct jit_function *functions;
	u32 n, room;
	i32 *pids;		/* processes whose jitdump was read */
	u32 n_pids;
	struct perf_pt_info conv;	/* TIME_CONV */
	bool failed;
};

/* --aslr: where files and maps are in the copy, and the parts of a record. */
struct inject_aslr {
	bool on, no_names;
	struct hash_table places;
	u32 n;
	u64 kernel;		/* the start of its text; 0: not known */
	u64 modules;		/* bytes of kernel modules so far */
	u64 n_left_out;
	u64 chain[PERF_RECORD_BYTES / 8], branches[PERF_RECORD_BYTES / 8];
	u8 raw[PERF_RECORD_BYTES];
};

struct inject {
	struct listing list;
	struct ask ask;
	struct perf_writer w;
	const char *output;
	char **cmdline;
	bool makes;		/* --itrace: samples replace the trace */
	bool strip, ids, all_ids, jits;
	bool started;		/* the head is written */
	struct perf_event *events;	/* of the file, then made ones */
	const struct perf_event *made[N_SAMPLE_KINDS];	/* NULL: none of this kind */
	u64 copied;		/* offset of the last sample that was copied, plus 1 ... */
	u32 copied_part;	/* ... and its part */
	u64 n_long;		/* samples that do not fit into a record */
	u8 *early;
	u32 n_early, early_room;
	struct made_room room;
	u8 *has_id;		/* by the index of a DSO: its build-id was written */
	u32 n_has_id;
	struct inject_jit jit;
	struct inject_aslr aslr;
	struct inject_guest *guest;	/* --guest-data, or NULL */
	bool vm_time;		/* --vm-time-correlation, ... */
	const char *vm_offsets;	/* ... and its argument, or NULL */
};

/* inject_ids.c: write the build-id of the file where a sample, or a made sample, is; or of the one
 * that a record maps. */
void inject_sample_ids(struct inject *x, const struct entry *e);
void inject_record_ids(struct inject *x, const struct perf_record *rec);
void inject_write_id(struct inject *x, u16 cpumode, const char *name, struct bytes id);

/* inject_jit.c: create the file, before the sandbox; take the code of a jitdump that a record maps
 * (true: the record is left out); complete the file. The first and the last return an exit
 * status. */
int inject_jit_open(struct inject *x);
bool inject_jit_record(struct inject *x, const struct perf_record *rec);
int inject_jit_close(struct inject *x);

/* inject_guest.c. Read the argument of --guest-data: NULL, or an error text. Without it, the others
 * do nothing. Open the guest's file: exit status. How many events does it have? Append them to the
 * first 'n' of x->events; returns the new number. The time of an entry, or 0 if it has none. Write
 * the guest's records up to a time, after the head. */
const char *inject_guest_take(struct inject *x, const char *arg);
int inject_guest_open(struct inject *x);
u32 inject_guest_n_events(const struct inject *x);
u32 inject_guest_events(struct inject *x, u32 n);
u64 inject_guest_time(const struct inject *x, const struct entry *e);
void inject_guest_write(struct inject *x, u64 time);

/* inject_vm.c: --vm-time-correlation, with its argument or NULL. Exit status. */
int inject_vm(struct inject *x, const char *what, struct out *out);

/* inject_aslr.c. Without --aslr all of them do nothing. Read its argument: NULL, or an error text.
 * Is a feature of the head left out? Give the event, a sample of thread 't', or a record, new
 * addresses; true: the record is left out. Write a recorded sample; false: it has to be copied. At
 * the end, say what was left out. */
const char *inject_aslr_take(struct inject *x, const struct opt *o);
bool inject_aslr_hides(const struct inject *x, u32 feature);
void inject_aslr_event(const struct inject *x, struct perf_event *e);
void inject_aslr_sample(struct inject *x, const struct thread *t, struct perf_sample *s);
bool inject_aslr_record(struct inject *x, struct perf_record *rec);
bool inject_aslr_recorded(struct inject *x, const struct entry *e);
void inject_aslr_end(const struct inject *x);

#endif
