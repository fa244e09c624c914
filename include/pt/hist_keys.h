/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Further sort keys of a profile: a number or a text of each sample, or of each function in its
 * call chain.
 */
#ifndef PT_HIST_KEYS_H
#define PT_HIST_KEYS_H

#include <pt/hist.h>
#include <pt/samples.h>

/* As columns: HIST_KEY + one of these. */
enum hist_key {
	KEY_TID, KEY_PARENT, KEY_SOCKET, KEY_SRCLINE, KEY_SRCFILE, KEY_LOCAL_WEIGHT, KEY_WEIGHT,
	KEY_TRANSACTION, KEY_SYMBOL_SIZE, KEY_DSO_SIZE, KEY_CGROUP, KEY_CGROUP_ID, KEY_TIME,
	KEY_CODE_PAGE_SIZE, KEY_LOCAL_INS_LAT, KEY_INS_LAT, KEY_ADDR,
	/* Of branches. */
	KEY_DSO_FROM, KEY_DSO_TO, KEY_SYMBOL_FROM, KEY_SYMBOL_TO, KEY_MISPREDICT, KEY_ABORT,
	KEY_IN_TX, KEY_CYCLES, KEY_SRCLINE_FROM, KEY_SRCLINE_TO, KEY_ADDR_FROM, KEY_ADDR_TO,
	N_HIST_KEYS
};

enum { KEY_TEXT = 512 };

/* Names of control groups, and the namespaces of threads, from the records. */
struct key_cgroup { struct key_cgroup *next; u64 id; const char *path; };
struct key_namespace { struct key_namespace *next; i32 tid; u64 dev, ino; };

struct hist_keys {
	/* Set by the consumer. */
	struct session *session;
	u64 quantum;		/* ns: times are rounded down to a multiple of it */
	bool full_path;		/* lines of the source with the whole path */
	/* Is a function with that name a parent (for KEY_PARENT)? */
	bool (*is_parent)(void *who, const char *name);
	void *who;
	/* The current sample, one of the two. */
	const struct perf_sample *recorded;
	const struct sample *made;
	u64 ip;			/* its address in memory */
	struct { struct frame from, to; u64 flags; } branch;	/* of its branch stack */
	const struct symbol *parent;	/* hist_keys_parent() */
	/* Private. */
	i32 *sockets;		/* of each CPU */
	u32 n_sockets;
	bool have_sockets;
	struct key_cgroup *cgroups;
	struct key_namespace *namespaces;
	char text[N_HIST_KEYS][KEY_TEXT];
};

/* Find the parent of the current sample in its chain: the innermost or the outermost function that
 * is one. */
void hist_keys_parent(struct hist_keys *k, const struct hist_sample *s, bool outermost);

/* A record, CGROUP or NAMESPACES, from which names come. */
void hist_keys_record(struct hist_keys *k, const struct perf_record *record);

/* The socket of a CPU, from the file's header; -1: not known. */
i32 hist_keys_socket(struct hist_keys *k, i32 cpu);

/* The line of the source in call chains: "main.c:5". Where it is not known: of 'address', the
 * offset in the function: "+12". NULL: none. Valid until the next call. */
const char *hist_keys_line(struct hist_keys *k, const struct frame *at, bool address);

/* The same as in the column srcline, for an address of the DSO. */
const char *hist_keys_line_at(struct hist_keys *k, const struct frame *at, u64 addr);

/* struct hist_style.values; 'who' is a struct hist_keys. */
void hist_keys_values(void *who, const struct hist_style *style, const struct hist_sample *s,
		      const struct frame *at, struct hist_value *to);

#endif
