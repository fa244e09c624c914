/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * pt script, pt -D: the columns of each event, and the lines of recorded samples and of records.
 */
#include <pt/config/BRANCH_STACKS.h>
#include <pt/config/GUESTS.h>
#include <pt/config/SAMPLE_COLUMNS.h>
#include <pt/config/SRCLINE.h>
#include <pt/config/TRACEPOINT_TEXT.h>
#include <pt/fail.h>
#include <pt/made.h>
#include <pt/print_record.h>
#include "script.h"

/* Events and columns */

static bool is_dummy(const struct perf_attr *attr)
{
	return attr->type == 1 && attr->config == 9;
}

static int check_fields(struct script *s, const struct perf_attr *attr, const char *name)
{
	const struct session *session = &s->list.session;
	bool made = session_may_trace(session);
	enum fields_type type = fields_type(attr->type);
	const char *missing = fields_check(&s->printer.fields, type, attr->sample_type, made);

	if (s->printer.fields.set[type] && !(s->printer.fields.unset & FIELD_SYM) &&
	    (s->printer.fields.of[type] & (FIELD_SYM | FIELD_SYMOFF)) == FIELD_SYMOFF)
		return fail(0, "-F symoff: use -F sym,symoff");
	if (CONFIG_SRCLINE && s->printer.fields.of[type] & (FIELD_SRCLINE | FIELD_SRCCODE) &&
	    !(s->printer.fields.of[type] & (FIELD_IP | FIELD_TRACE)))
		return fail(0, "-F srcline: a line needs its address; use -F ip,srcline");
	if (CONFIG_SAMPLE_COLUMNS && s->printer.fields.of[type] & FIELD_TOD &&
	    !print_sample_clock(&s->printer))
		return fail(0, "-F tod: %s has no time of day; record with -k mono",
			    s->list.path);
	if (s->printer.fields.asked[type] && !s->printer.fields.of[type] && !is_dummy(attr))
		warn(0, "-F: samples of '%s' have none of these columns", name);
	if (missing)
		return fail(0, "samples of '%s' have no '%s': it cannot be printed", name, missing);
	if (!CONFIG_TRACEPOINT_TEXT && type == FIELDS_TRACEPOINT &&
	    s->printer.fields.of[type] & FIELD_TRACE)
		warn(0, "this pt cannot print the fields of '%s': "
		     "'make desk_defconfig; make' builds one that can", name);
	return 0;
}

/* For a tracepoint with a call chain, print its addresses, unless -F selects columns. */
static void show_tracepoint_chains(struct script *s, const struct perf_attr *attr)
{
	struct fields *f = &s->printer.fields;

	if (s->printer.any_callchain && fields_type(attr->type) == FIELDS_TRACEPOINT &&
	    attr->sample_type >> PERF_S_CALLCHAIN & 1 && !f->set[FIELDS_TRACEPOINT])
		f->of[FIELDS_TRACEPOINT] |= FIELD_IP | FIELD_SYM | FIELD_SYMOFF | FIELD_DSO;
}

/* The instructions between branches need branches. */
static int check_blocks(struct script *s)
{
	const struct session *session = &s->list.session;
	u64 fields = 0;
	u32 i;

	for (i = 0; i < N_FIELDS_TYPES; i++)
		fields |= s->printer.fields.asked[i];
	if (!(fields & FIELDS_BRSTACKINSN) || session_may_trace(session))
		return 0;
	for (i = 0; i < session->file.n_events; i++)
		if (session->file.events[i]->attr.sample_type >> PERF_S_BRANCH_STACK & 1)
			return 0;
	return fail(0, "-F brstackinsn: %s has no branch stacks; record with -b", s->list.path);
}

/* Set columns and names from the events of the file and of made samples. */
int script_settle(struct script *s)
{
	struct session *session = &s->list.session;
	bool seen[N_FIELDS_TYPES] = { false };
	int width = 0, err = ask_events(&s->ask, !s->printer.no_callchains);
	u32 i;

	if (CONFIG_BRANCH_STACKS && !err)
		err = check_blocks(s);
	for (i = 0; i < session->file.n_events && !err; i++) {
		const struct perf_event *e = session->file.events[i];
		enum fields_type type = fields_type(e->attr.type);

		width = MAX(width, (int)strlen(e->name));
		if (e->attr.sample_type >> PERF_S_CALLCHAIN & 1)
			s->printer.any_callchain = !s->printer.no_callchains;
		show_tracepoint_chains(s, &e->attr);
		if (is_dummy(&e->attr) || seen[type])
			continue;
		seen[type] = true;
		err = check_fields(s, &e->attr, e->name);
	}
	for (i = 0; i < N_SAMPLE_KINDS && !err && listing_makes(&s->list); i++) {
		struct perf_attr attr = made_attr(session, i);
		enum fields_type type = fields_type(attr.type);
		const char *name = made_name(session, i);

		/* A damaged trace may contain events that its settings exclude. */
		s->printer.names[i] = name;
		if (!made_is(session, &s->list.itrace, i))
			continue;
		width = MAX(width, (int)strlen(name));
		if (seen[type])
			continue;
		seen[type] = true;
		err = check_fields(s, &attr, name);
		/* perf prints these columns if any event has call chains. */
		if (s->printer.any_callchain ||
		    (s->list.itrace.callchain && i != SAMPLE_BRANCH && session->source->threads))
			s->printer.fields.of[type] |= (FIELD_IP | FIELD_SYM) &
						      ~s->printer.fields.unset;
	}
	for (i = 0; i < N_FIELDS_TYPES && !session->source->threads; i++)
		s->printer.fields.of[i] &= ~FIELD_COMM;
	/* As in perf, only events known at the first sample count. */
	if (!s->list.n_samples)
		s->printer.name_width = width;
	s->named = true;
	return err;
}

/* Lines */

void script_side_band(struct script *s, const struct entry *e)
{
	const struct perf_record *rec = e->item->record;
	struct perf_sample sample = *e->item->sample;
	const char *comm = ":-1";
	struct thread *t = NULL;
	i32 pid, tid;

	if (rec->type == PERF_FINISHED_ROUND) {
		print_side_band(s->out, rec);
		return;
	}
	s->n_shown++;
	perf_whose(rec, &sample, &pid, &tid);
	if (CONFIG_GUESTS && tid != -1)
		t = guest_thread_of_id(&s->list.session, sample.id, pid, tid);
	if (tid != -1 && !t)
		t = process_thread(&s->list.session.processes, pid, tid);
	if (t)
		comm = t->comm;
	if (sample.event && !perf_attr_flag(&sample.event->attr, PERF_F_SAMPLE_ID_ALL)) {
		sample.cpu = 0;
		sample.time = 0;
		sample.pid = pid;
		sample.tid = tid;
	}
	if (sample.event)
		print_record_start(&s->printer, fields_type(sample.event->attr.type), comm,
				   &sample);
	if (rec->type == PERF_TEXT_POKE)
		print_poke(&s->printer, rec);
	else
		print_side_band(s->out, rec);
}

void script_recorded(struct script *s, const struct entry *e)
{
	const struct perf_sample *sample = e->recorded;

	/* perf opens the file of each printed address. */
	if (s->printer.fields.of[fields_type(sample->event->attr.type)])
		session_looked_at(&s->list.session, e->thread, sample->ip);
	print_recorded(&s->printer, sample, e->thread);
}
