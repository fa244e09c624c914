/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SAMPLE records of a perf.data that is written.
 *
 * Source: the UAPI header linux/perf_event.h, "struct" of PERF_RECORD_SAMPLE.
 */
#include <pt/perf_write.h>

/* The body of a record, up to its size limit. */
struct body {
	size_t n;
	bool full;
	u8 at[PERF_RECORD_BYTES & ~7];
};

static void put_bytes_of(struct body *b, struct bytes from)
{
	if (b->full || from.len > sizeof(b->at) - 8 - b->n) {
		b->full = true;
		return;
	}
	if (from.len)
		memcpy(b->at + b->n, from.at, from.len);
	b->n += from.len;
}

static void put_word(struct body *b, u64 v)
{
	put_bytes_of(b, (struct bytes){ (const u8 *)&v, 8 });
}

static void put_pair(struct body *b, u32 low, u32 high)
{
	put_word(b, low | (u64)high << 32);
}

static void put_raw(struct body *b, struct bytes raw)
{
	u32 size = round_up(raw.len + 4, 8) - 4;
	static const u8 zero[8];

	put_bytes_of(b, (struct bytes){ (const u8 *)&size, 4 });
	put_bytes_of(b, raw);
	put_bytes_of(b, (struct bytes){ zero, size - raw.len });
}

static void put_branches(struct body *b, const struct perf_attr *attr, const struct perf_sample *s)
{
	enum { HW_INDEX = 1 << 17, BRANCH_SIZE = 24 };

	put_word(b, s->branches.len / BRANCH_SIZE);
	if (attr->branch_sample_type & HW_INDEX)
		put_word(b, s->branch_hw_idx);
	put_bytes_of(b, s->branches);
}

/* The registers of 'mask'; of these, 'regs' has those of 'have'. */
static void put_registers(struct body *b, u64 abi, u64 mask, u64 have, struct bytes regs)
{
	u32 i;

	put_word(b, abi);
	for (i = 0; abi && i < 64; i++) {
		bool has = have >> i & 1 && regs.len >= 8;

		if (mask >> i & 1)
			put_word(b, has ? get64(regs.at) : 0);
		if (has)
			regs = bytes_skip(regs, 8);
	}
}

static void put_stack(struct body *b, const struct perf_sample *s)
{
	put_word(b, s->stack_user.len);
	put_bytes_of(b, s->stack_user);
	if (s->stack_user.len)
		put_word(b, s->stack_user_dyn);
}

/* The field of sample_type with number 'bit'. Those up to PERIOD, in the order of the record, then
 * the others by their number. */
static void put_field(struct body *b, const struct perf_attr *attr, const struct perf_sample *s,
		      u32 bit)
{
	switch (bit) {
	case PERF_S_IDENTIFIER:
	case PERF_S_ID: put_word(b, s->id); break;
	case PERF_S_IP: put_word(b, s->ip); break;
	case PERF_S_TID: put_pair(b, s->pid, s->tid); break;
	case PERF_S_TIME: put_word(b, s->time); break;
	case PERF_S_ADDR: put_word(b, s->addr); break;
	case PERF_S_STREAM_ID: put_word(b, s->stream_id); break;
	case PERF_S_CPU: put_pair(b, s->cpu, 0); break;
	case PERF_S_PERIOD: put_word(b, s->period); break;
	case PERF_S_READ: put_bytes_of(b, s->read); break;
	case PERF_S_CALLCHAIN:
		put_word(b, s->callchain.len / 8);
		put_bytes_of(b, s->callchain);
		break;
	case PERF_S_RAW: put_raw(b, s->raw); break;
	case PERF_S_BRANCH_STACK: put_branches(b, attr, s); break;
	case PERF_S_REGS_USER:
		put_registers(b, s->abi_user, attr->regs_user, s->event->attr.regs_user,
			      s->regs_user);
		break;
	case PERF_S_STACK_USER: put_stack(b, s); break;
	case PERF_S_WEIGHT:
	case PERF_S_WEIGHT_STRUCT: put_word(b, s->weight); break;
	case PERF_S_DATA_SRC: put_word(b, s->data_src); break;
	case PERF_S_TRANSACTION: put_word(b, s->transaction); break;
	case PERF_S_REGS_INTR:
		put_registers(b, s->abi_intr, attr->regs_intr, s->event->attr.regs_intr,
			      s->regs_intr);
		break;
	case PERF_S_PHYS_ADDR: put_word(b, s->phys_addr); break;
	case PERF_S_CGROUP: put_word(b, s->cgroup); break;
	case PERF_S_DATA_PAGE_SIZE: put_word(b, s->data_page_size); break;
	case PERF_S_CODE_PAGE_SIZE: put_word(b, s->code_page_size); break;
	case PERF_S_AUX: put_word(b, 0); break;
	}
}

bool perf_write_sample(struct perf_writer *w, u16 misc, const struct perf_attr *attr,
		       const struct perf_sample *s)
{
	static const u8 order[] = {
		PERF_S_IDENTIFIER, PERF_S_IP, PERF_S_TID, PERF_S_TIME, PERF_S_ADDR, PERF_S_ID,
		PERF_S_STREAM_ID, PERF_S_CPU, PERF_S_PERIOD, PERF_S_READ, PERF_S_CALLCHAIN,
		PERF_S_RAW, PERF_S_BRANCH_STACK, PERF_S_REGS_USER, PERF_S_STACK_USER,
		PERF_S_WEIGHT, PERF_S_WEIGHT_STRUCT, PERF_S_DATA_SRC, PERF_S_TRANSACTION,
		PERF_S_REGS_INTR, PERF_S_PHYS_ADDR, PERF_S_CGROUP, PERF_S_DATA_PAGE_SIZE,
		PERF_S_CODE_PAGE_SIZE, PERF_S_AUX,
	};
	struct body b;
	u32 i;

	b.n = 0;
	b.full = false;
	for (i = 0; i < N_ELEM(order); i++)
		if (attr->sample_type >> order[i] & 1)
			put_field(&b, attr, s, order[i]);
	if (b.full)
		return false;
	perf_write_record(w, PERF_SAMPLE, misc, (struct bytes){ b.at, b.n }, NULL);
	return true;
}
