/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Records of a perf.data that is written: those of a ring unchanged, and those that a recorder
 * creates, with the trailer that the kernel's would have.
 *
 * Source: the UAPI header linux/perf_event.h for the kernel's records.
 */
#include <pt/config/ZSTD.h>
#include <pt/perf_write.h>

static void zeros(struct perf_writer *w, size_t n)
{
	static const u8 zero[8];

	perf_write_bytes(w, zero, n);
}

void perf_write_saw(struct perf_writer *w, u64 time)
{
	if (!time)
		return;
	if (!w->first_time || time < w->first_time)
		w->first_time = time;
	w->last_time = MAX(w->last_time, time);
}

/* Write the words of a trailer, in order. Returns how many. */
static int put_stamp(struct perf_writer *w, u64 *to, const struct perf_stamp *s)
{
	const struct { unsigned int bit; u64 v; } words[] = {
		{ PERF_S_TID, (u32)s->pid | (u64)(u32)s->tid << 32 },
		{ PERF_S_TIME, s->time },
		{ PERF_S_ID, s->id },
		{ PERF_S_STREAM_ID, s->id },
		{ PERF_S_CPU, (u32)s->cpu },
		{ PERF_S_IDENTIFIER, s->id },
	};
	const struct perf_attr *attr = &w->events[0].attr;
	size_t i;
	int n = 0;

	if (!perf_attr_flag(attr, PERF_F_SAMPLE_ID_ALL))
		return 0;
	for (i = 0; i < N_ELEM(words); i++)
		if (attr->sample_type >> words[i].bit & 1)
			to[n++] = words[i].v;
	return n;
}

void perf_write_record(struct perf_writer *w, u32 type, u16 misc, struct bytes body,
		       const struct perf_stamp *stamp)
{
	u64 trailer[6];
	int n = stamp ? put_stamp(w, trailer, stamp) : 0;

	perf_write_head(w, type, misc, round_up(body.len, 8) + 8 * n);
	perf_write_bytes(w, body.at, body.len);
	zeros(w, -body.len & 7);
	perf_write_bytes(w, trailer, 8 * n);
	perf_write_whole(w);
	if (stamp && type == PERF_AUX)
		perf_write_saw(w, stamp->time);
}

/* A ring's records. */

/* The place of a record's time from its end, or of a sample's time from its start; 0 if it has
 * none. It is the same for all events of a recording. */
static size_t time_place(u64 sample_type, bool sample)
{
	static const u8 before[] = { PERF_S_IDENTIFIER, PERF_S_IP, PERF_S_TID };
	static const u8 after[] = { PERF_S_ID, PERF_S_STREAM_ID, PERF_S_CPU, PERF_S_IDENTIFIER };
	const u8 *bits = sample ? before : after;
	size_t n = sample ? N_ELEM(before) : N_ELEM(after), place = 8, i;

	if (!(sample_type >> PERF_S_TIME & 1))
		return 0;
	for (i = 0; i < n; i++)
		if (sample_type >> bits[i] & 1)
			place += 8;
	return place;
}

static void see_loss(struct perf_losses *lost, const struct perf_record *rec)
{
	struct perf_aux aux;

	if (rec->type == PERF_LOST && rec->raw.len >= 24)
		lost->records += get64(rec->raw.at + 16);
	if (rec->type == PERF_LOST_SAMPLES && rec->raw.len >= 16)
		lost->samples += get64(rec->raw.at + 8);
	if (rec->type == PERF_AUX && perf_get_aux(rec, &aux)) {
		lost->truncated += aux.flags & 1;
		lost->partial += aux.flags >> 2 & 1;
		lost->collisions += aux.flags >> 3 & 1;
	}
}

static void see_record(struct perf_writer *w, const struct perf_record *rec)
{
	const struct perf_attr *attr = &w->events[0].attr;
	bool sample = rec->type == PERF_SAMPLE;
	size_t place = time_place(attr->sample_type, sample);
	struct perf_mmap m;

	w->n_records++;
	w->n_samples += sample;
	see_loss(&w->lost, rec);
	if (place && place + 8 <= rec->raw.len && (sample || !w->of_samples))
		perf_write_saw(w, get64(rec->raw.at + (sample ? place : rec->raw.len - place)));
	if (w->seen_mmap && (rec->type == PERF_MMAP || rec->type == PERF_MMAP2) &&
	    perf_get_mmap(rec, &m))
		w->seen_mmap(w->who, &m, rec->misc);
}

void perf_write_records(struct perf_writer *w, struct bytes records)
{
	struct bytes rest = records;

	perf_write_begin(w);
	while (rest.len >= 8) {
		struct perf_record rec = {
			.type = get32(rest.at), .misc = get16(rest.at + 4),
			.raw = bytes_first(rest, get16(rest.at + 6)),
		};

		if (rec.raw.len < 8 || rec.raw.len & 7 || rec.raw.len != get16(rest.at + 6))
			break;
		see_record(w, &rec);
		rest = bytes_skip(rest, rec.raw.len);
		if (CONFIG_ZSTD && w->zstd)
			continue;
		perf_write_bytes(w, rec.raw.at, rec.raw.len);
		perf_write_whole(w);
	}
	if (CONFIG_ZSTD && w->zstd)
		perf_write_compressed(w, bytes_first(records, records.len - rest.len));
}

/* Side-band records that are created here. */

/* Names end with a NUL and are padded to whole words. */
enum { NAME = 4096 };

static size_t put_name(u8 *to, const char *name)
{
	size_t len = strnlen(name, NAME - 8), room = round_up(len + 1, 8);

	memset(to + room - 8, 0, 8);
	memcpy(to, name, len);
	return room;
}

void perf_write_mmap(struct perf_writer *w, u16 misc, const struct perf_mmap *m,
		     const struct perf_stamp *stamp)
{
	bool kernel = (misc & 7) == 1;
	u8 body[64 + NAME];
	size_t at = 32;

	set32(body, m->pid);
	set32(body + 4, m->tid);
	set64(body + 8, m->start);
	set64(body + 16, m->len);
	set64(body + 24, m->pgoff);
	if (!kernel) {
		set32(body + 32, m->maj);
		set32(body + 36, m->min);
		set64(body + 40, m->ino);
		set64(body + 48, m->ino_generation);
		set32(body + 56, m->prot);
		set32(body + 60, m->flags);
		at = 64;
	}
	at += put_name(body + at, m->name);
	perf_write_record(w, kernel ? PERF_MMAP : PERF_MMAP2, misc, (struct bytes){ body, at },
			  stamp);
	if (w->seen_mmap)
		w->seen_mmap(w->who, m, misc);
}

void perf_write_comm(struct perf_writer *w, const struct perf_comm *c,
		     const struct perf_stamp *stamp)
{
	enum { COMM_EXEC = 1 << 13 };
	u8 body[8 + NAME];

	set32(body, c->pid);
	set32(body + 4, c->tid);
	perf_write_record(w, PERF_COMM, c->exec ? COMM_EXEC : 0,
			  (struct bytes){ body, 8 + put_name(body + 8, c->name) }, stamp);
}

void perf_write_task(struct perf_writer *w, u32 type, const struct perf_task *t,
		     const struct perf_stamp *stamp)
{
	u8 body[24];

	set32(body, t->pid);
	set32(body + 4, t->ppid);
	set32(body + 8, t->tid);
	set32(body + 12, t->ptid);
	set64(body + 16, t->time);
	perf_write_record(w, type, 0, (struct bytes){ body, sizeof(body) }, stamp);
}

/* The trace. */

static void note_aux(struct perf_writer *w)
{
	if (w->n_aux == w->room_aux) {
		u32 room = MAX(64, 2 * w->room_aux);

		w->aux_index = arena_grow(w->arena, w->aux_index, 8, w->n_aux, room);
		w->room_aux = room;
	}
	w->aux_index[w->n_aux++] = w->at;
}

void perf_write_aux_start(struct perf_writer *w, const struct perf_auxtrace *a)
{
	perf_write_begin(w);
	if (!w->pipe)
		note_aux(w);
	perf_write_head(w, PERF_AUXTRACE, 0, 40);
	perf_write_u64(w, round_up(a->size, 8));
	perf_write_u64(w, a->off);
	perf_write_u64(w, a->reference ? a->reference : 1);
	perf_write_u32(w, a->idx);
	perf_write_u32(w, a->tid);
	perf_write_u32(w, a->cpu);
	perf_write_u32(w, 0);
	w->aux_end = w->at + a->size;
}

void perf_write_aux_end(struct perf_writer *w)
{
	while (w->at < w->aux_end && !w->err)
		zeros(w, MIN(w->aux_end - w->at, 8));
	zeros(w, -w->at & 7);
	perf_write_whole(w);
}

void perf_write_aux(struct perf_writer *w, const struct perf_auxtrace *a, struct bytes payload)
{
	perf_write_aux_start(w, a);
	perf_write_bytes(w, payload.at, payload.len);
	perf_write_aux_end(w);
}

void perf_write_pt_info(struct perf_writer *w, const struct perf_pt_info *info)
{
	size_t len = strlen(info->filter ? info->filter : ""), i;
	const u64 words[] = {
		info->type, info->pmu_type, info->time_shift, info->time_mult, info->time_zero,
		info->cap_user_time_zero, info->tsc_bit, info->noretcomp_bit,
		info->have_sched_switch, info->snapshot, info->per_cpu, info->mtc_bit,
		info->mtc_freq_bits, info->tsc_ctc_n, info->tsc_ctc_d, info->cyc_bit,
		info->max_nonturbo, len,
	};
	size_t room = len ? round_up(len + 1, 8) : 0;

	perf_write_head(w, PERF_AUXTRACE_INFO, 0, sizeof(words) + room + 8);
	for (i = 0; i < N_ELEM(words); i++)
		perf_write_u64(w, words[i]);
	perf_write_bytes(w, info->filter, len);
	zeros(w, room - len);
	perf_write_u64(w, info->cap_event_trace);
	perf_write_whole(w);
}

void perf_write_time_conv(struct perf_writer *w, const struct perf_pt_info *info)
{
	perf_write_head(w, PERF_TIME_CONV, 0, 48);
	perf_write_u64(w, info->time_shift);
	perf_write_u64(w, info->time_mult);
	perf_write_u64(w, info->time_zero);
	perf_write_u64(w, info->time_cycles);
	perf_write_u64(w, info->time_mask);
	perf_write_u64(w, info->cap_user_time_zero | info->cap_user_time_short << 8);
	perf_write_whole(w);
}

/* The number of entries that fit into a record of 64 KiB. */
enum { INDEX_PART = 2000 };

void perf_write_id_index(struct perf_writer *w, const struct perf_id *ids, u32 n)
{
	u32 i, part;

	for (; n; ids += part, n -= part) {
		part = MIN(n, INDEX_PART);
		perf_write_head(w, PERF_ID_INDEX, 0, 8 + 32 * part);
		perf_write_u64(w, part);
		for (i = 0; i < part; i++) {
			perf_write_u64(w, ids[i].id);
			perf_write_u64(w, ids[i].idx);
			perf_write_u64(w, ids[i].cpu);
			perf_write_u64(w, ids[i].tid);
		}
		perf_write_whole(w);
	}
}

void perf_write_build_id(struct perf_writer *w, u16 cpumode, const char *name, const u8 *id,
			 u8 size)
{
	enum { HAS_SIZE = 1 << 15, FIXED = 28 };
	u8 body[FIXED + NAME + 8] = { 0 };
	size_t len;

	set32(body, -1);
	memcpy(body + 4, id, size);
	body[24] = size;
	len = round_up(FIXED + put_name(body + FIXED, name), 8);
	if (w->pipe) {
		perf_write_record(w, PERF_BUILD_ID, cpumode | HAS_SIZE, (struct bytes){ body, len },
				  NULL);
		return;
	}
	perf_write_u32(w, 0);
	perf_write_u32(w, (cpumode | HAS_SIZE) | (u32)(8 + len) << 16);
	perf_write_bytes(w, body, len);
}
