/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Events as the user writes them to struct event_spec.
 *
 * A text is cut at commas outside of /terms/ and {groups}; each part is of one of a few kinds,
 * which its first word tells. sysfs and tracefs are read only if the word is not one of the fixed
 * names, so that counting the usual events reads no file.
 */
#include <errno.h>
#include <stdarg.h>

#include <pt/event_name.h>
#include <pt/near.h>
#include <pt/num.h>
#include <pt/out.h>

#include "event_parse.h"

static void bind(struct event_spec *spec, const struct event_pmu *pmu)
{
	spec->pmu = pmu->name;
	spec->cpus = pmu->cpus.n ? &pmu->cpus : NULL;
	spec->uncore = pmu->uncore;
	spec->hybrid = pmu->hybrid;
}

/* A CPU event on one of several CPU types: the number of the PMU goes into the upper half of
 * config, or is the type of a raw event. */
static void append_type(struct event_list *list, struct event_env *env, struct event_spec spec,
			const struct event_pmu *pmu)
{
	char name[256];

	if (spec.attr.type == EVENT_RAW)
		spec.attr.type = pmu->type;
	else
		spec.attr.config |= (u64)pmu->type << 32;
	bind(&spec, pmu);
	if (!spec.has_name) {
		fmt_str(name, sizeof(name), "%s/%s/", pmu->name, spec.name);
		spec.name = arena_str(env->arena, name);
	}
	event_append(list, env->arena, &spec);
}

/* Clocks count ns and are shown in ms. */
static void set_unit(struct event_spec *spec)
{
	if (spec->attr.type == EVENT_SOFTWARE && spec->attr.config <= SW_TASK_CLOCK) {
		spec->unit = "msec";
		spec->scale = 1e-6;
	}
}

static void append_plain(struct event_list *list, struct event_env *env,
			 struct event_spec *spec)
{
	u32 type = spec->attr.type;
	struct event_pmu *pmu;
	bool on_cpu = type == EVENT_HARDWARE || type == EVENT_CACHE || type == EVENT_RAW;

	set_unit(spec);
	if (!on_cpu || !event_pmu_next_type(env, 0)) {
		event_append(list, env->arena, spec);
		return;
	}
	for (pmu = NULL; (pmu = event_pmu_next_type(env, pmu ? pmu->type : 0)); )
		append_type(list, env, *spec, pmu);
}

void event_spec_add(struct event_list *list, struct event_env *env, u32 type, u64 config)
{
	struct event_spec spec = event_blank(type, config);
	char name[64];

	event_name_of(name, sizeof(name), type, config);
	spec.name = arena_str(env->arena, name);
	append_plain(list, env, &spec);
}

/* The kinds of events. Each appends to the list. */

static int add_plain(struct parse *p, struct event_spec spec, struct piece name, struct piece terms)
{
	int err;

	spec.name = piece_copy(p, name);
	err = event_terms_set(p, &spec, NULL, terms);
	if (!err)
		append_plain(p->list, p->env, &spec);
	return err;
}

/* "601040/4:rw:u" after "mem:" */
static int add_breakpoint(struct parse *p, struct piece whole)
{
	static const char *const kinds = "rwx";
	struct piece s = piece_skip(whole, 4), part = piece_until(piece_until(s, ':'), '/'),
		     mods = { 0 };
	struct event_spec spec = event_blank(EVENT_BREAKPOINT, 0);
	u64 len = 0;
	u32 from = p->list->n;
	size_t i;

	if (!piece_number(part, &spec.attr.config1))
		return event_wrong(p, part.at, "mem: needs an address: mem:ADDR[/LEN][:rwx]");
	s = piece_skip(s, part.len);
	if (s.len && *s.at == '/') {
		part = piece_until(piece_skip(s, 1), ':');
		if (!piece_number(part, &len) || !len)
			return event_wrong(p, part.at, "mem: needs a length of 1 to 8 after '/'");
		s = piece_skip(s, 1 + part.len);
	}
	if (s.len) {
		part = piece_until(piece_skip(s, 1), ':');
		for (i = 0; i < part.len && strchr(kinds, part.at[i]); i++)
			spec.attr.bp_type |= 1 << (strchr(kinds, part.at[i]) - kinds);
		if (i == part.len) {
			s = piece_skip(s, 1 + part.len);
			mods = s.len ? piece_skip(s, 1) : s;
		} else if (!spec.attr.bp_type) {
			mods = part;
		} else {
			return event_wrong(p, part.at, "mem: accesses are r, w, x");
		}
	}
	if (!spec.attr.bp_type)
		spec.attr.bp_type = 3;
	spec.attr.config2 = len ? len : spec.attr.bp_type == 4 ? 8 : 4;
	spec.attr.period = 1;
	spec.name = piece_copy(p, whole);
	event_append(p->list, p->env->arena, &spec);
	return event_modify(p, from, mods, false);
}

/* PMUs. */

/* "imc" and "uncore_imc" mean uncore_imc, uncore_imc_0, uncore_imc_1, ... */
static bool means_pmu(const char *asked, const char *name)
{
	size_t len = strlen(asked);

	if (event_name_is_pattern(asked))
		return event_name_glob(asked, name);
	if (!strncmp(name, "uncore_", 7) && strncmp(asked, "uncore_", 7))
		name += 7;
	if (strncmp(name, asked, len))
		return false;
	name += len;
	name += *name == '_';
	return strspn(name, "0123456789") == strlen(name);
}

static int append_pmu(struct parse *p, const struct event_pmu *pmu, struct piece whole,
		      struct piece terms, bool merge)
{
	struct event_spec spec = event_blank(pmu->type, 0);
	int err;

	spec.name = piece_copy(p, whole);
	spec.merge = merge;
	bind(&spec, pmu);
	err = event_terms_set(p, &spec, pmu, terms);
	if (!err)
		event_append(p->list, p->env->arena, &spec);
	return err;
}

static int add_pmu(struct parse *p, struct piece head, struct piece terms, struct piece whole)
{
	const char *name = piece_copy(p, head);
	struct event_pmu *pmu = event_pmu_find(p->env, name);
	struct near near = { .s = name, .len = head.len };
	struct event_error kept = *p->err;
	u32 n = 0;

	if (pmu)
		return append_pmu(p, pmu, whole, terms, false);
	for (pmu = event_pmu_all(p->env); pmu; pmu = pmu->next) {
		near_offer(&near, pmu->name);
		if (means_pmu(name, pmu->name) && !append_pmu(p, pmu, whole, terms, true))
			n++;
	}
	if (n) {
		*p->err = kept;	/* the error of PMUs without the event */
		return 0;
	}
	if (!p->err->what[0])
		near_say(p->err->hint, sizeof(p->err->hint), &near);
	return event_wrong(p, head.at, "this machine has no PMU '%s'", name);
}

/* Add a predefined event without a PMU: on each PMU that has it. */
static u32 add_everywhere(struct parse *p, struct piece name, struct piece whole)
{
	const char *event = piece_copy(p, name);
	struct event_error kept = *p->err;
	struct event_pmu *pmu;
	char renamed[256];
	u32 n = 0;

	for (pmu = event_pmu_all(p->env); pmu; pmu = pmu->next) {
		if (!event_pmu_alias(pmu, event) || append_pmu(p, pmu, whole, name, true))
			continue;
		n++;
		if (pmu->hybrid) {
			struct event_spec *spec = &p->list->at[p->list->n - 1];

			fmt_str(renamed, sizeof(renamed), "%s/%s/", pmu->name, spec->name);
			spec->name = arena_str(p->env->arena, renamed);
			spec->merge = false;
		}
	}
	if (n)
		*p->err = kept;	/* the error of those that refused the event */
	return n;
}

static int unknown(struct parse *p, struct piece name)
{
	if (p->err->what[0])
		return -EINVAL;
	event_name_near(p->err->hint, sizeof(p->err->hint), p->env, name.at, name.len);
	return event_wrong(p, name.at, "no event '%.*s'", (int)name.len, name.at);
}

static bool only_modifiers(struct piece s)
{
	size_t i;

	for (i = 0; i < s.len; i++)
		if (!strchr("ukhGHIpPSDeW", s.at[i]))
			return false;
	return s.len;
}

/* Add the event 'head' with its terms, if it has any, and its modifiers; 'whole' is all of the
 * text. */
static int add_event(struct parse *p, struct piece head, const struct piece *terms,
		     struct piece mods, struct piece whole)
{
	static const struct piece none = { "", 0 };
	struct piece t = terms ? *terms : none, config;
	u32 from = p->list->n, type;
	struct event_spec spec;
	u64 v, raw;
	int err = 0;

	if (event_name_tool(head.at, head.len)) {
		spec = event_blank(EVENT_SOFTWARE, SW_DUMMY);
		spec.tool = event_name_tool(head.at, head.len);
		spec.unit = "ns";
		err = add_plain(p, spec, head, t);
	} else if (event_name_find(head.at, head.len, &type, &v)) {
		err = add_plain(p, event_blank(type, v), type == EVENT_CACHE ? head : whole, t);
	} else if (*head.at == 'r' && piece_hex(piece_skip(head, 1), &raw)) {
		err = add_plain(p, event_blank(EVENT_RAW, raw), whole, t);
	} else if (piece_number(head, &v) && v <= 0xffffffff) {
		config = piece_until(mods, ':');
		if (!piece_number(config, &raw))
			return event_wrong(p, head.at, "use TYPE:CONFIG, as in 4:0x1a8");
		mods = piece_skip(mods, config.len + (mods.len > config.len));
		err = add_plain(p, event_blank(v, raw), whole, t);
	} else if (terms) {
		err = add_pmu(p, head, t, whole);
	} else if (!add_everywhere(p, head, whole)) {
		err = unknown(p, head);
	}
	return err ? err : event_modify(p, from, mods, false);
}

/* Parse one event: the text before, between and after the slashes. */
static int parse_event(struct parse *p, struct piece whole)
{
	struct piece head, terms, mods;
	const char *slash;

	whole = piece_trim(whole);
	if (!whole.len)
		return event_wrong(p, whole.at, "an event is missing");
	if (piece_begins(whole, "mem:"))
		return add_breakpoint(p, whole);
	slash = memchr(whole.at, '/', whole.len);
	if (!slash) {
		head = piece_until(whole, ':');
		mods = piece_skip(whole, head.len + (head.len < whole.len));
		if (mods.len && !only_modifiers(mods) && (head.at[0] < '0' || head.at[0] > '9') &&
		    !event_name_find(head.at, head.len, &(u32){ 0 }, &(u64){ 0 }))
			return event_tracepoint_add(p, whole, (struct piece){ "", 0 });
		return add_event(p, head, NULL, mods, whole);
	}
	head = piece_first(whole, slash - whole.at);
	terms = piece_skip(whole, head.len + 1);
	slash = memchr(terms.at, '/', terms.len);
	if (!slash)
		return event_wrong(p, terms.at, "the '/' that ends the terms is missing");
	mods = piece_skip(terms, slash - terms.at + 1);
	terms = piece_first(terms, slash - terms.at);
	if (mods.len && *mods.at == ':')
		mods = piece_skip(mods, 1);
	if (memchr(head.at, ':', head.len))
		return event_tracepoint_add(p, head, terms);
	return add_event(p, head, &terms, mods, whole);
}

/* The text up to a comma that is not between slashes; there are no groups inside. */
static struct piece next_event(struct piece s)
{
	bool terms = false, mem = piece_begins(piece_trim(s), "mem:");
	size_t i;

	for (i = 0; i < s.len && (terms || s.at[i] != ','); i++)
		if (s.at[i] == '/' && !mem)
			terms = !terms;
	return piece_first(s, i);
}

/* The '}' that closes the group that begins at 's', or NULL. */
static const char *group_end(struct piece s)
{
	bool terms = false;
	size_t i;

	for (i = 0; i < s.len; i++) {
		if (s.at[i] == '/')
			terms = !terms;
		if (s.at[i] == '}' && !terms)
			return s.at + i;
	}
	return memchr(s.at, '}', s.len);
}

/* Events that name several PMUs at once cannot be in one group: there is then one group for each
 * PMU, with the same members. */
static u32 leader_of(const struct event_list *list, u32 from, u32 i)
{
	const struct event_spec *spec = &list->at[i];
	u32 k;

	if (!spec->pmu || (!spec->merge && !spec->hybrid))
		return from;
	for (k = from; k < i; k++)
		if (list->at[k].pmu && !strcmp(list->at[k].pmu, spec->pmu))
			return k;
	return list->at[from].pmu && (list->at[from].merge || list->at[from].hybrid) ? i : from;
}

static void make_group(struct event_list *list, u32 from)
{
	u32 i, leader;

	for (i = from + 1; i < list->n; i++) {
		leader = leader_of(list, from, i);
		if (leader == i)
			continue;
		list->at[i].leader = leader;
		list->at[leader].members++;
		list->at[i].grouped = list->at[leader].grouped = true;
	}
}

static int parse_events(struct parse *p, struct piece s)
{
	struct piece event;
	int err;

	for (;;) {
		event = next_event(s);
		err = parse_event(p, event);
		if (err || event.len == s.len)
			return err;
		s = piece_skip(s, event.len + 1);
	}
}

/* "name{a,b}:u"; '*s' then follows it. */
static int parse_group(struct parse *p, struct piece *s, size_t name_len)
{
	struct piece inside = piece_skip(*s, name_len + 1), mods;
	const char *end = group_end(inside);
	u32 from = p->list->n;
	int err;

	if (!end)
		return event_wrong(p, inside.at, "the '}' of the group is missing");
	mods = piece_skip(inside, end - inside.at + 1);
	inside = piece_first(inside, end - inside.at);
	mods = piece_until(mods, ',');
	*s = piece_skip(*s, mods.at + mods.len - s->at);
	err = parse_events(p, inside);
	if (err)
		return err;
	make_group(p->list, from);
	mods = piece_trim(mods);
	if (mods.len && *mods.at != ':')
		return event_wrong(p, mods.at, "a group's modifiers follow ':'");
	return mods.len ? event_modify(p, from, piece_skip(mods, 1), true) : 0;
}

static int parse_all(struct parse *p, struct piece s)
{
	struct piece event;
	const char *brace;
	int err;

	for (;;) {
		event = next_event(s);
		brace = memchr(event.at, '{', event.len);
		if (brace && !memchr(event.at, '/', brace - event.at)) {
			err = parse_group(p, &s, brace - s.at);
		} else {
			err = parse_event(p, event);
			s = piece_skip(s, event.len);
		}
		if (err || !s.len)
			return err;
		s = piece_skip(s, 1);
	}
}

int event_spec_parse(struct event_list *list, struct event_env *env, const char *text,
		     struct event_error *err)
{
	struct parse p = { list, env, text, err };
	u32 n = list->n;

	*err = (struct event_error){ 0 };
	if (!parse_all(&p, (struct piece){ text, strlen(text) }))
		return 0;
	list->n = n;
	return -EINVAL;
}
