/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt inject --vm-time-correlation: changes times from a guest's TSC to those of the host, in place.
 * While a guest runs (NR of PIP packets), TSC packets have the host's TSC plus an offset, which
 * each VMCS has. MTC and TMA packets count the host's crystal clock in both; from that follows what
 * the host's TSC was, and so the offset.
 *
 * Manual: SDM volume 3, "VMX Configuration for Intel PT".
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <pt/fail.h>
#include <pt/num.h>
#include <pt/packet.h>

#include "inject.h"
#include "input.h"

enum { PIECE = 64 << 10, CARRY = 32, PAYLOAD = 7, VMCS_MAX = 4096, QUEUES_MAX = 8192,
       CLOSE = 1 << 16 };	/* ticks: a TSC this near is the host's already */

#define TSC_MASK ((1ULL << 56) - 1)

struct vmcs {
	u64 id;			/* as the packet has it */
	u64 offset, estimate;
	bool given, estimated;
};

/* A TSC packet, while its TMA or the end of its PSB+ has not been read. */
struct pending {
	bool any, has_tma;
	u64 tsc, place[PAYLOAD];	/* offsets in the file */
	u32 ctc, fast;
};

/* The trace of a CPU or a thread. */
struct vm_queue {
	u32 idx;
	u64 end;		/* of its trace so far, as the recorder counts */
	bool synced, in_psb, nr;
	u64 vmcs;
	u64 ctc;		/* extended beyond the bits that packets have */
	bool has_ctc, has_base;
	u64 base_tsc, base_ctc;	/* a time of the host */
	struct pending pending;
	u8 carry[CARRY];	/* the first bytes of a packet, at 'carry_place' of the file */
	u32 n_carry;
	u64 carry_place;
};

struct vm {
	struct inject *x;
	struct perf_file file;
	struct perf_pt_info pt;
	u32 mtc_shift;
	bool writes, failed;
	int fd;
	struct vm_queue *queues[QUEUES_MAX];
	u32 n_queues;
	struct vmcs vmcs[VMCS_MAX];
	u32 n_vmcs;
	bool has_usual;
	u64 usual;		/* the offset of those that are not named */
	u64 n_changed;
};

static struct vmcs *vmcs_of(struct vm *vm, u64 id)
{
	u32 i;

	for (i = 0; i < vm->n_vmcs; i++)
		if (vm->vmcs[i].id == id)
			return &vm->vmcs[i];
	if (vm->n_vmcs == VMCS_MAX)
		return NULL;
	vm->vmcs[vm->n_vmcs] = (struct vmcs){ .id = id, .offset = vm->usual,
					      .given = vm->has_usual };
	return &vm->vmcs[vm->n_vmcs++];
}

static void change(struct vm *vm, const struct pending *p, u64 tsc)
{
	u32 i;
	u8 byte;

	for (i = 0; i < PAYLOAD; i++) {
		byte = tsc >> 8 * i;
		if (pwrite(vm->fd, &byte, 1, p->place[i]) != 1)
			vm->failed = true;
	}
	vm->n_changed++;
}

static i64 signed_56(u64 v)
{
	return (i64)(v << 8) >> 8;
}

/* The offset, if this TSC of a guest is enough to compute it. */
static bool estimate(const struct vm *vm, const struct vm_queue *q, u64 *offset)
{
	u64 expected;

	if (!q->has_base || !q->pending.has_tma || !vm->pt.tsc_ctc_d)
		return false;
	expected = q->base_tsc + q->pending.fast +
		num_scale(q->ctc - q->base_ctc, vm->pt.tsc_ctc_n, vm->pt.tsc_ctc_d);
	*offset = signed_56(q->pending.tsc - expected);
	return true;
}

static void settle_guest(struct vm *vm, const struct vm_queue *q)
{
	u64 offset = 0;
	bool knows = estimate(vm, q, &offset);
	struct vmcs *v;

	if (knows && offset + CLOSE < 2 * CLOSE)
		return;
	v = vmcs_of(vm, q->vmcs);
	if (!v)
		return;
	if (knows && !v->estimated) {
		v->estimated = true;
		v->estimate = offset;
	}
	if (vm->writes && v->given)
		change(vm, &q->pending, (q->pending.tsc - v->offset) & TSC_MASK);
}

/* All that belongs to the last TSC was read. */
static void settle(struct vm *vm, struct vm_queue *q)
{
	struct pending *p = &q->pending;

	if (!p->any || q->in_psb)
		return;
	p->any = false;
	if (p->has_tma) {
		q->ctc += q->has_ctc ? (i64)(i16)(p->ctc - q->ctc) : (i64)p->ctc;
		q->has_ctc = true;
	}
	if (q->nr) {
		settle_guest(vm, q);
	} else if (p->has_tma) {
		q->has_base = true;
		q->base_tsc = p->tsc - p->fast;
		q->base_ctc = q->ctc;
	}
}

/* Go on to the time of an MTC packet, which has 8 bits of the counter. */
static void count(const struct vm *vm, struct vm_queue *q, u64 bits)
{
	u64 now = bits << vm->mtc_shift, was = q->ctc >> vm->mtc_shift << vm->mtc_shift;

	q->ctc = was + ((now - was) & ((256ULL << vm->mtc_shift) - 1));
}

/* Some trace is missing: the counter may have wrapped around. */
static void lose(struct vm_queue *q)
{
	q->has_base = q->pending.any = q->in_psb = false;
}

static void take_packet(struct vm *vm, struct vm_queue *q, const struct packet *pkt,
			const u64 *place)
{
	if (pkt->kind != PACKET_TMA)
		settle(vm, q);
	switch (pkt->kind) {
	case PACKET_PSB:
		q->in_psb = true;
		break;
	case PACKET_PSBEND:
		q->in_psb = false;
		settle(vm, q);
		break;
	case PACKET_OVF:
	case PACKET_BAD:
	case PACKET_TIP_PGD:
		lose(q);
		break;
	case PACKET_PIP:
		q->nr = pkt->ip;
		break;
	case PACKET_VMCS:
		q->vmcs = pkt->payload;
		break;
	case PACKET_MTC:
		if (q->has_ctc)
			count(vm, q, pkt->payload);
		break;
	case PACKET_TSC:
		q->pending = (struct pending){ .any = true, .tsc = pkt->payload };
		memcpy(q->pending.place, place, sizeof(q->pending.place));
		break;
	case PACKET_TMA:
		q->pending.has_tma = q->pending.any;
		q->pending.ctc = pkt->payload;
		q->pending.fast = pkt->extra;
		settle(vm, q);
		break;
	}
}

/* Read the packets of 'n' bytes at 'place' of the file, after those that were carried over. */
static void take_piece(struct vm *vm, struct vm_queue *q, const u8 *bytes, u32 n, u64 place)
{
	static u8 window[CARRY + PIECE];
	u64 places[PAYLOAD];
	struct packet pkt;
	struct packets p = { .off = 0 };
	u32 front = q->n_carry, i;

	memcpy(window, q->carry, front);
	memcpy(window + front, bytes, n);
	p.rest = (struct bytes){ window, front + n };
	if (!q->synced)
		packet_step(&p, sync_find(p.rest));
	while (p.rest.len) {
		u64 at = p.off;

		if (!packet_next(&p, &pkt))
			break;
		q->synced = true;
		for (i = 0; i < PAYLOAD && pkt.kind == PACKET_TSC; i++)
			places[i] = at + 1 + i < front ? q->carry_place + at + 1 + i :
							 place + at + 1 + i - front;
		take_packet(vm, q, &pkt, places);
		if (pkt.kind == PACKET_BAD)
			packet_step(&p, sync_find(p.rest));
	}
	/* A PSB may begin in the last bytes: keep them, but not bytes of more than two pieces,
	 * because pieces are not next to each other in the file. */
	if (p.rest.len > CARRY)
		p.rest = bytes_skip(p.rest, p.rest.len - CARRY);
	if (p.rest.len > n) {
		lose(q);
		q->synced = false;
		p.rest.len = 0;
	}
	q->n_carry = p.rest.len;
	memmove(q->carry, p.rest.at, p.rest.len);
	q->carry_place = place + n - p.rest.len;
}

static struct vm_queue *queue_of(struct vm *vm, u32 idx)
{
	u32 i;

	for (i = 0; i < vm->n_queues; i++)
		if (vm->queues[i]->idx == idx)
			return vm->queues[i];
	if (vm->n_queues == QUEUES_MAX)
		return NULL;
	vm->queues[i] = NEW(&vm->x->list.session.arena, struct vm_queue, 1);
	vm->queues[i]->idx = idx;
	vm->n_queues++;
	return vm->queues[i];
}

static int take_buffer(struct vm *vm, const struct perf_record *rec)
{
	static u8 bytes[PIECE];
	struct perf_auxtrace aux;
	struct vm_queue *q;
	u64 at = 0;
	long n;

	if (!perf_get_auxtrace(rec, &aux) || !(q = queue_of(vm, aux.idx)))
		return 0;
	if (rec->part)
		return fail(0, "%s has its trace in several files; copy it with pt inject first",
			    vm->file.path);
	if (aux.off != q->end) {
		lose(q);
		q->synced = false;
		q->n_carry = 0;
	}
	while (at < aux.size &&
	       (n = perf_aux_read(&vm->file, rec, at, bytes, MIN(aux.size - at, PIECE))) > 0) {
		take_piece(vm, q, bytes, n, rec->aux_off + at);
		at += n;
	}
	q->end = aux.off + aux.size;
	return 0;
}

static void learn(struct vm *vm, const struct perf_record *rec)
{
	u64 bits, config = 0;
	u32 i;

	if (rec->type != PERF_AUXTRACE_INFO ||
	    !perf_get_pt_info(rec, &vm->pt, &vm->x->list.session.arena))
		return;
	for (i = 0; i < vm->file.n_events; i++)
		if (vm->file.events[i]->attr.type == vm->pt.pmu_type)
			config = vm->file.events[i]->attr.config;
	bits = vm->pt.mtc_freq_bits;
	vm->mtc_shift = bits ? (config & bits) >> __builtin_ctzll(bits) & 15 : 0;
}

/* One pass over the trace. */
static int pass(struct vm *vm)
{
	struct perf_record rec;
	const char *why = NULL;
	int got, err = perf_rewind(&vm->file);
	u32 i;

	for (i = 0; i < vm->n_queues; i++)
		*vm->queues[i] = (struct vm_queue){ .idx = vm->queues[i]->idx };
	while (!err && (got = perf_next(&vm->file, &rec, &why)) != 0) {
		if (got < 0)
			return fail(why ? 0 : got, "%s: %s", vm->file.path, why ? why :
				    "cannot read it");
		learn(vm, &rec);
		if (rec.type == PERF_AUXTRACE)
			err = take_buffer(vm, &rec);
	}
	for (i = 0; i < vm->n_queues; i++)
		settle(vm, vm->queues[i]);
	return err;
}

/* The number up to one of 'ends'. */
static const char *read_number(const char *p, const char *ends, u64 *v)
{
	const char *end = num_read_any(p, v);

	return end && strchr(ends, *end) ? end : NULL;
}

/* "OFFSET", or "OFFSET:VMCS,VMCS", and more after blanks. */
static bool read_offsets(struct vm *vm, const char *p)
{
	u64 offset, id;
	struct vmcs *v;

	while (p && *p) {
		p = read_number(p, " :", &offset);
		if (p && *p != ':') {
			vm->has_usual = true;
			vm->usual = offset;
		}
		while (p && (*p == ':' || *p == ',')) {
			p = read_number(p + 1, " ,", &id);
			v = p ? vmcs_of(vm, id) : NULL;
			if (!v)
				return false;
			v->offset = offset;
			v->given = true;
		}
		while (p && *p == ' ')
			p++;
	}
	return p;
}

/* Print what is known of each VMCS that a guest had. Is some offset missing? */
static bool print_offsets(struct vm *vm, struct out *out)
{
	bool missing = false;
	u32 i;

	for (i = 0; i < vm->n_vmcs; i++) {
		const struct vmcs *v = &vm->vmcs[i];
		u64 offset = v->given ? v->offset : v->estimate;

		missing |= !v->given;
		if (v->given || v->estimated)
			out_fmt(out, "VMCS: 0x%llx  TSC Offset 0x%llx\n", v->id, offset);
		else
			out_fmt(out, "VMCS: 0x%llx  TSC Offset unknown\n", v->id);
	}
	return missing;
}

static int correlate(struct vm *vm, bool dry, struct out *out)
{
	const char *path = vm->x->list.path;

	if (pass(vm))
		return STATUS_FAILED;
	if (!vm->n_queues)
		return fail(0, "%s has no Intel PT trace", path);
	if (!vm->n_vmcs) {
		warn(0, "%s: all times are those of the host: nothing has to be changed", path);
		return 0;
	}
	if (print_offsets(vm, out) && !dry) {
		out_flush(out);
		return fail(0, "%s: nothing was changed; give the offsets above, as in "
			    "--vm-time-correlation=\"OFFSET:VMCS,VMCS\"", path);
	}
	if (dry)
		return 0;
	vm->writes = true;
	if (pass(vm))
		return STATUS_FAILED;
	if (vm->failed)
		return fail(0, "%s: not all times could be written: it is damaged now", path);
	warn(0, "%s: %llu times of guests are those of the host now", path, vm->n_changed);
	return 0;
}

int inject_vm(struct inject *x, const char *what, struct out *out)
{
	struct arena *arena = &x->list.session.arena;
	struct vm *vm = NEW(arena, struct vm, 1);
	const char *why = NULL, *path = x->list.path;
	bool dry = what && !strncmp(what, "dry-run", 7);
	size_t size = strlen(path) + 6;
	char *data = NEW(arena, char, size);
	int err;

	vm->x = x;
	what = dry ? what + 7 : what;
	while (what && *what == ' ')
		what++;
	if (what && !read_offsets(vm, what))
		return fail(0, "--vm-time-correlation: not 'dry-run', or a list of "
			    "OFFSET:VMCS,VMCS: '%s'", what);
	err = perf_open(&vm->file, path, arena, &why);
	if (err)
		return input_fail(err, path, why);
	if (!vm->file.seekable)
		return fail(0, "--vm-time-correlation changes a file: %s is a pipe", path);
	fmt_str(data, size, "%s%s", path, vm->file.dir ? "/data" : "");
	vm->fd = open(data, (dry ? O_RDONLY : O_RDWR) | O_CLOEXEC);
	if (vm->fd < 0)
		return fail(-errno, "cannot write %s", data);
	return correlate(vm, dry, out);
}
