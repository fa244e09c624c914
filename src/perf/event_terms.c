/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * "event=0x3c,umask=1,name=x" to the config words of an event.
 *
 * A term is one that every event takes (name, period, ...), a field of the PMU, or a predefined
 * event of the PMU, which stands for terms of its own.
 */
#include <errno.h>

#include <pt/config/RECORD_MORE.h>
#include <pt/event_name.h>
#include <pt/near.h>
#include <pt/num.h>
#include <pt/out.h>
#include <pt/text.h>

#include "event_parse.h"

struct term {
	struct piece name, value;
	bool has_value;
};

/* The next term of "a=1,b,name='x,y'"; false at the end. */
static bool next_term(struct piece *rest, struct term *t)
{
	struct piece s = piece_trim(*rest);

	*t = (struct term){ 0 };
	if (!s.len)
		return false;
	t->name = piece_until(piece_until(s, ','), '=');
	s = piece_skip(s, t->name.len);
	if (s.len && *s.at == '=') {
		s = piece_skip(s, 1);
		t->has_value = true;
		if (s.len && *s.at == '\'') {
			t->value = piece_until(piece_skip(s, 1), '\'');
			s = piece_skip(s, MIN(t->value.len + 2, s.len));
		} else {
			t->value = piece_until(s, ',');
			s = piece_skip(s, t->value.len);
		}
	}
	if (s.len && *s.at == ',')
		s = piece_skip(s, 1);
	*rest = s;
	t->name = piece_trim(t->name);
	return true;
}

/* The terms that every event takes. */
enum special {
	SPECIAL_CONFIG, SPECIAL_CONFIG1, SPECIAL_CONFIG2, SPECIAL_CONFIG3, SPECIAL_NAME,
	SPECIAL_PERIOD, SPECIAL_FREQ, SPECIAL_INHERIT, SPECIAL_NO_INHERIT, SPECIAL_PERCORE,
	SPECIAL_AUX_OUTPUT, SPECIAL_AUX_SAMPLE_SIZE, SPECIAL_AUX_ACTION, SPECIAL_METRIC_ID,
	N_SPECIAL,
};
static const char *const specials[N_SPECIAL] = {
	"config", "config1", "config2", "config3", "name", "period", "freq", "inherit",
	"no-inherit", "percore", "aux-output", "aux-sample-size", "aux-action", "metric-id",
};

static int find_special(struct piece name)
{
	int i;

	for (i = 0; i < N_SPECIAL && !piece_is(name, specials[i]); i++)
		;
	return i;
}

static int set_aux_action(struct parse *p, struct event_spec *spec, const struct term *t)
{
	static const char *const actions[] = { "start-paused", "pause", "resume" };
	size_t i;

	for (i = 0; i < N_ELEM(actions); i++)
		if (piece_is(t->value, actions[i])) {
			spec->aux_action = 1 << i;
			return 0;
		}
	return event_wrong(p, t->value.at, "aux-action is one of start-paused, pause, resume");
}

/* Terms for the contents of samples. The recorder reads the values of the first two. */
enum sample_term {
	TERM_CALL_GRAPH, TERM_BRANCH_TYPE, TERM_STACK_SIZE, TERM_MAX_STACK, TERM_TIME,
	TERM_OVERWRITE, TERM_NO_OVERWRITE, TERM_NR,	/* these are not proposed */
};
static const char sample_terms[] =
	"call-graph\0branch_type\0stack-size\0max-stack\0time\0overwrite\0no-overwrite\0nr\0";

static int set_sample_term(struct parse *p, struct event_spec *spec, int term, const struct term *t)
{
	enum { MOST_STACK = 65528, MOST_FRAMES = 65535 };
	const u64 most = term == TERM_STACK_SIZE ? MOST_STACK :
			 term == TERM_MAX_STACK ? MOST_FRAMES : ~0ull;
	u64 v = 1;

	if (term == TERM_OVERWRITE)
		return event_wrong(p, t->name.at, "--overwrite is for all events");
	if (term <= TERM_BRANCH_TYPE) {
		*(term == TERM_CALL_GRAPH ? &spec->call_graph : &spec->branches) =
			piece_copy(p, t->value);
		return 0;
	}
	if ((t->has_value || term < TERM_TIME) && (!piece_number(t->value, &v) || v > most))
		return event_wrong(p, t->name.at, "'%.*s=' needs a number up to %llu",
				   (int)t->name.len, t->name.at, most);
	if (term == TERM_STACK_SIZE) {
		spec->stack_size = round_up(v, 8);
	} else if (term == TERM_MAX_STACK) {
		spec->max_stack = v;
	} else if (term == TERM_TIME) {
		spec->no_time = !v;
		spec->given |= EVENT_GIVEN_TIME;
	}
	return 0;
}

static int set_special(struct parse *p, struct event_spec *spec, int special, const struct term *t)
{
	u64 v = 1;

	if (special == SPECIAL_NAME && t->value.len) {
		spec->name = piece_copy(p, t->value);
		spec->has_name = true;
		return 0;
	}
	if (special == SPECIAL_AUX_ACTION) {
		spec->given |= EVENT_GIVEN_AUX_ACTION;
		return set_aux_action(p, spec, t);
	}
	if (special == SPECIAL_METRIC_ID)
		return 0;
	if (t->has_value && !piece_number(t->value, &v))
		return event_wrong(p, t->value.at, "'%.*s=' needs a number", (int)t->name.len,
				   t->name.at);
	switch (special) {
	case SPECIAL_CONFIG:
		spec->attr.config = v;
		spec->config_given = ~0ull;
		break;
	case SPECIAL_CONFIG1: spec->attr.config1 = v; break;
	case SPECIAL_CONFIG2: spec->attr.config2 = v; break;
	case SPECIAL_CONFIG3: spec->attr.config3 = v; break;
	case SPECIAL_PERIOD:
		spec->period = v;
		spec->given |= EVENT_GIVEN_PERIOD;
		break;
	case SPECIAL_FREQ:
		spec->freq = v;
		spec->given |= EVENT_GIVEN_FREQ;
		break;
	case SPECIAL_INHERIT:
	case SPECIAL_NO_INHERIT:
		spec->inherit = v == (special == SPECIAL_INHERIT);
		spec->given |= EVENT_GIVEN_INHERIT;
		break;
	case SPECIAL_PERCORE:
		return event_wrong(p, t->name.at, "percore has no effect here; use --per-core");
	case SPECIAL_AUX_OUTPUT:
		spec->aux_output = v;
		spec->given |= EVENT_GIVEN_AUX_OUTPUT;
		break;
	case SPECIAL_AUX_SAMPLE_SIZE:
		spec->aux_sample_size = v;
		spec->given |= EVENT_GIVEN_AUX_SAMPLE_SIZE;
		break;
	default:
		return event_wrong(p, t->name.at, "no value for '%.*s'", (int)t->name.len,
				   t->name.at);
	}
	return 0;
}

/* Among terms, predefined events and the terms that every event takes. */
static void say_nearest(char *to, size_t size, const struct event_pmu *pmu, const char *name)
{
	struct near near = { .s = name, .len = strlen(name) };
	u32 i;

	for (i = 0; pmu && i < pmu->n_formats; i++)
		near_offer(&near, pmu->formats[i].name);
	for (i = 0; pmu && i < pmu->n_aliases; i++)
		near_offer(&near, pmu->aliases[i].name);
	for (i = 0; i < SPECIAL_METRIC_ID; i++)
		near_offer(&near, specials[i]);
	for (i = 0; CONFIG_RECORD_MORE && i < TERM_OVERWRITE; i++)
		near_offer(&near, text_nth(sample_terms, i));
	near_say(to, size, &near);
}

static int unknown_term(struct parse *p, const struct event_pmu *pmu, const struct term *t)
{
	char *hint = p->err->hint;
	size_t room = sizeof(p->err->hint), len = 0;
	u32 i;

	if (p->err->what[0])
		return -EINVAL;
	say_nearest(hint, room, pmu, piece_copy(p, t->name));
	len = strlen(hint);
	len += fmt_str(hint + len, room - len, "%suse ", len ? " " : "");
	for (i = 0; pmu && i < pmu->n_formats && len < room; i++)
		len += fmt_str(hint + len, room - len, "%s, ", pmu->formats[i].name);
	for (i = 0; i < SPECIAL_METRIC_ID && len < room; i++)
		len += fmt_str(hint + len, room - len, i ? ", %s" : "%s", specials[i]);
	for (i = 0; CONFIG_RECORD_MORE && i < TERM_OVERWRITE && len < room; i++)
		len += fmt_str(hint + len, room - len, ", %s", text_nth(sample_terms, i));
	return event_wrong(p, t->name.at, "'%.*s' is not a term of %s", (int)t->name.len,
			   t->name.at, pmu ? pmu->name : "this event");
}

static int set_format(struct parse *p, struct event_spec *spec, const struct pmu_format *f,
		      const struct term *t)
{
	u64 *const words[] = { &spec->attr.config, &spec->attr.config1, &spec->attr.config2,
			       &spec->attr.config3 };
	int width = num_ones(f->bits);
	u64 v = 1;

	if (!t->has_value && width > 1)
		return event_wrong(p, t->name.at, "'%s' needs a value: %s=N", f->name, f->name);
	if (t->has_value && !piece_number(t->value, &v))
		return event_wrong(p, t->value.at, "'%s=' needs a number", f->name);
	if (width < 64 && v >> width)
		return event_wrong(p, t->value.at, "%#llx is too big for '%s': at most %#llx", v,
				   f->name, (1ull << width) - 1);
	*words[f->word] = (*words[f->word] & ~f->bits) | event_pmu_pack(f->bits, v);
	if (!f->word)
		spec->config_given |= f->bits;
	return 0;
}

/* The value that the user gave for an event's parameter "x=?". */
static bool find_parameter(struct piece terms, struct piece name, struct term *t)
{
	while (next_term(&terms, t))
		if (t->name.len == name.len && !memcmp(t->name.at, name.at, name.len) &&
		    t->has_value)
			return true;
	return false;
}

static int set_term(struct parse *p, struct event_spec *spec, const struct event_pmu *pmu,
		    const struct term *t, struct piece all);

/* A predefined event among terms: use its own terms, unit and scale. */
static int set_alias(struct parse *p, struct event_spec *spec, const struct event_pmu *pmu,
		     const struct pmu_alias *a, const struct term *asked, struct piece all)
{
	struct piece rest = { a->terms, strlen(a->terms) };
	struct term t, given;
	int err;

	while (next_term(&rest, &t)) {
		if (piece_is(t.value, "?")) {
			if (!find_parameter(all, t.name, &given))
				return event_wrong(p, asked->name.at, "event '%s' needs %.*s=N",
						   a->name, (int)t.name.len, t.name.at);
			t.value = given.value;
		}
		/* A predefined event inside of another one would be a loop. */
		if (!event_pmu_format(pmu, piece_copy(p, t.name)) &&
		    find_special(t.name) == N_SPECIAL)
			return event_wrong(p, asked->name.at,
					   "'%s' of %s is malformed: no term '%.*s'", a->name,
					   pmu->name, (int)t.name.len, t.name.at);
		err = set_term(p, spec, pmu, &t, all);
		if (err)
			return err;
	}
	spec->unit = a->unit;
	spec->scale = a->scale;
	spec->per_pkg = a->per_pkg;
	spec->snapshot = a->snapshot;
	return 0;
}

/* "cpu_core/cycles/": a generic CPU event on this PMU. */
static bool set_plain(struct event_spec *spec, const struct event_pmu *pmu, struct piece name)
{
	u32 type;
	u64 config;

	if ((!pmu->hybrid && strcmp(pmu->name, "cpu")) ||
	    !event_name_find(name.at, name.len, &type, &config) || type == EVENT_SOFTWARE)
		return false;
	spec->attr.type = type;
	spec->attr.config = config | (pmu->hybrid ? (u64)pmu->type << 32 : 0);
	return true;
}

static int set_term(struct parse *p, struct event_spec *spec, const struct event_pmu *pmu,
		    const struct term *t, struct piece all)
{
	const struct pmu_format *f = NULL;
	const struct pmu_alias *a = NULL;
	int special = find_special(t->name);
	const char *name = piece_copy(p, t->name);

	if (special < N_SPECIAL)
		return set_special(p, spec, special, t);
	if (CONFIG_RECORD_MORE) {
		special = text_find(sample_terms, t->name.at, t->name.len);
		if (special >= 0)
			return set_sample_term(p, spec, special, t);
	}
	if (pmu) {
		f = event_pmu_format(pmu, name);
		if (!strcmp(name, "event") && t->has_value)
			a = event_pmu_alias(pmu, piece_copy(p, t->value));
		else if (!f && !t->has_value)
			a = event_pmu_alias(pmu, name);
	}
	if (a)
		return set_alias(p, spec, pmu, a, t, all);
	if (f)
		return set_format(p, spec, f, t);
	if (!t->has_value && *name == 'r' &&
	    piece_hex(piece_skip(t->name, 1), &spec->attr.config)) {
		spec->config_given = ~0ull;
		return 0;
	}
	if (pmu && !t->has_value && set_plain(spec, pmu, t->name))
		return 0;
	return unknown_term(p, pmu, t);
}

int event_terms_set(struct parse *p, struct event_spec *spec, const struct event_pmu *pmu,
		     struct piece terms)
{
	struct piece rest = terms;
	struct term t;
	int err = 0;

	while (!err && next_term(&rest, &t))
		err = set_term(p, spec, pmu, &t, terms);
	return err;
}
