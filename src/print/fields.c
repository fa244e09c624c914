/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The -F option: columns by name, for each type of event.
 */
#include <pt/config/BRANCH_STACKS.h>
#include <pt/config/DISASM.h>
#include <pt/config/GUESTS.h>
#include <pt/config/SAMPLE_COLUMNS.h>
#include <pt/config/SRCLINE.h>
#include <pt/fields.h>
#include <pt/near.h>
#include <pt/out.h>
#include <pt/perf.h>
#include <pt/text.h>

static const struct { const char *name; u64 field; } names[] = {
	{ "comm", FIELD_COMM }, { "tid", FIELD_TID }, { "pid", FIELD_PID }, { "time", FIELD_TIME },
	{ "cpu", FIELD_CPU }, { "event", FIELD_EVENT }, { "trace", FIELD_TRACE },
	{ "ip", FIELD_IP }, { "sym", FIELD_SYM }, { "dso", FIELD_DSO }, { "addr", FIELD_ADDR },
	{ "symoff", FIELD_SYMOFF }, { "period", FIELD_PERIOD }, { "weight", FIELD_WEIGHT },
	{ "callindent", FIELD_CALLINDENT }, { "insn", FIELD_INSN }, { "insnlen", FIELD_INSNLEN },
	{ "synth", FIELD_SYNTH }, { "phys_addr", FIELD_PHYS_ADDR }, { "misc", FIELD_MISC },
	{ "ipc", FIELD_IPC }, { "disasm", FIELD_DISASM }, { "srcline", FIELD_SRCLINE },
	{ "srccode", FIELD_SRCCODE },
	{ "iregs", FIELD_IREGS }, { "uregs", FIELD_UREGS },
	{ "data_src", FIELD_DATA_SRC }, { "ins_lat", FIELD_INS_LAT }, { "tod", FIELD_TOD },
	{ "data_page_size", FIELD_DATA_PAGE_SIZE }, { "code_page_size", FIELD_CODE_PAGE_SIZE },
	{ "brstack", FIELD_BRSTACK }, { "brstacksym", FIELD_BRSTACKSYM },
	{ "brstackoff", FIELD_BRSTACKOFF },
};

enum { N_NAMES = N_ELEM(names) - (CONFIG_SAMPLE_COLUMNS ? 0 : 10) };

static const struct { const char *name; u8 type; } types[] = {
	{ "hw", FIELDS_HW }, { "sw", FIELDS_SW }, { "trace", FIELDS_TRACEPOINT },
	{ "raw", FIELDS_RAW }, { "break", FIELDS_BREAKPOINT }, { "synth", FIELDS_SYNTH },
};

enum {
	COMMON = FIELD_COMM | FIELD_TID | FIELD_CPU | FIELD_TIME | FIELD_EVENT,
	WITH_IP = COMMON | FIELD_IP | FIELD_SYM | FIELD_SYMOFF | FIELD_DSO,
};

static const u64 defaults[N_FIELDS_TYPES] = {
	[FIELDS_HW] = WITH_IP | FIELD_PERIOD,
	[FIELDS_SW] = WITH_IP | FIELD_PERIOD,
	[FIELDS_TRACEPOINT] = COMMON | FIELD_TRACE,
	[FIELDS_CACHE] = WITH_IP | FIELD_PERIOD,
	[FIELDS_RAW] = WITH_IP | FIELD_PERIOD | FIELD_ADDR | FIELD_WEIGHT | FIELD_PHYS_ADDR |
		       FIELD_DATA_SRC | FIELD_DATA_PAGE_SIZE | FIELD_CODE_PAGE_SIZE | FIELD_INS_LAT,
	[FIELDS_BREAKPOINT] = WITH_IP | FIELD_PERIOD,
	[FIELDS_SYNTH] = WITH_IP | FIELD_SYNTH,
	[FIELDS_OTHER] = WITH_IP | FIELD_PERIOD,
};

enum fields_type fields_type(u32 attr_type)
{
	enum { ATTR_SYNTH = 0x80000000u };

	if (attr_type == ATTR_SYNTH)
		return FIELDS_SYNTH;
	return attr_type < FIELDS_SYNTH ? attr_type : FIELDS_OTHER;
}

void fields_default(struct fields *f)
{
	*f = (struct fields){ 0 };
	memcpy(f->of, defaults, sizeof(defaults));
	if (CONFIG_SAMPLE_COLUMNS)
		f->of[FIELDS_SW] |= FIELD_BPF_OUTPUT;
	else
		f->of[FIELDS_RAW] &= ~FIELDS_MORE;
}

static bool is(const char *name, const char *text, size_t len)
{
	return strlen(name) == len && !strncmp(name, text, len);
}

static u64 find(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < N_NAMES; i++)
		if (is(names[i].name, text, len))
			return names[i].field;
	if (CONFIG_BRANCH_STACKS && is("brstackinsn", text, len))
		return FIELD_BRSTACKINSN;
	if (CONFIG_BRANCH_STACKS && is("brstackinsnlen", text, len))
		return FIELD_BRSTACKINSNLEN;
	if (CONFIG_SAMPLE_COLUMNS && is("cgroup", text, len))
		return FIELD_CGROUP;
	if (CONFIG_SAMPLE_COLUMNS && is("dsoff", text, len))
		return FIELD_DSOFF;
	if (CONFIG_SAMPLE_COLUMNS && is("retire_lat", text, len))
		return FIELD_RETIRE_LAT;
	if (CONFIG_SAMPLE_COLUMNS && is("bpf-output", text, len))
		return FIELD_BPF_OUTPUT;
	if (CONFIG_GUESTS && is("machine_pid", text, len))
		return FIELD_MACHINE_PID;
	return CONFIG_GUESTS && is("vcpu", text, len) ? FIELD_VCPU : 0;
}

/* Can an event of this type have the field? */
static bool is_possible(u64 field, unsigned int type)
{
	if (CONFIG_SAMPLE_COLUMNS && field == FIELD_BPF_OUTPUT)
		return type == FIELDS_SW || type == FIELDS_TRACEPOINT;
	return field != FIELD_TRACE || type == FIELDS_TRACEPOINT;
}

static void change(struct fields *f, unsigned int type, u64 field, bool add)
{
	if (!is_possible(field, type))
		return;
	if (CONFIG_SAMPLE_COLUMNS && field == FIELD_DSOFF && add)
		field |= FIELD_DSO;
	f->set[type] = true;
	if (add)
		f->of[type] |= field;
	else
		f->of[type] &= ~field;
}

/* Read a prefix like "hw:". Returns its type, N_FIELDS_TYPES if there is none, -1 if it is
 * unknown. */
static int read_type(const char **text)
{
	const char *colon = strchr(*text, ':');
	size_t i;

	if (!colon)
		return N_FIELDS_TYPES;
	for (i = 0; i < N_ELEM(types); i++)
		if (is(types[i].name, *text, colon - *text)) {
			*text = colon + 1;
			return types[i].type;
		}
	return -1;
}

/* The field does not exist, or not for this type: the message names similar fields. */
static const char *no_field(struct fields *f, const char *text, size_t len)
{
	char asked[NEAR_MAX + 1], hint[100];
	struct near near = { .s = asked, .len = MIN(len, (size_t)NEAR_MAX) };
	size_t i;

	fmt_str(asked, sizeof(asked), "%.*s", (int)near.len, text);
	if (CONFIG_SAMPLE_COLUMNS && !strcmp(asked, "metric"))
		return "-F metric: pt computes metrics of counts, not of samples: pt stat -M";
	for (i = N_NAMES; i < N_ELEM(names); i++)
		if (!strcmp(asked, names[i].name)) {
			fmt_str(f->wrong, sizeof(f->wrong), "-F: this pt was built without '%s' "
				"('make desk_defconfig')", asked);
			return f->wrong;
		}
	for (i = 0; i < N_NAMES; i++)
		near_offer(&near, names[i].name);
	near_say(hint, sizeof(hint), &near);
	fmt_str(f->wrong, sizeof(f->wrong), "-F: no field '%s' here%s%s", asked,
		*hint ? ": " : "", hint);
	return f->wrong;
}

const char *fields_parse(struct fields *f, const char *text)
{
	static const char disasm_missing[] = "-F disasm: this pt has no disassembler (DISASM); "
					     "-F +insn has the bytes";
	static const char srcline_missing[] = "-F srcline: this pt reads no DWARF; "
					      "addr2line takes the addresses of -F ip";
	static const char cannot_mix[] = "-F: either +NAME and -NAME, or names alone, not both";
	int type = read_type(&text), i, first, last;
	/* As in perf, also by the name bpf-output. */
	bool changes = text[strcspn(text, "+-")];
	bool add = true;
	char first_sign = 0;
	size_t len;
	u64 field;

	if (type < 0)
		return "-F: the type before ':' is not hw, sw, trace, raw, break or synth";
	if (type == N_FIELDS_TYPES && !*text)
		return "-F: no field is given";
	first = type == N_FIELDS_TYPES ? 0 : type;
	last = type == N_FIELDS_TYPES ? N_FIELDS_TYPES - 1 : type;
	for (i = first; i <= last && !changes; i++) {
		f->of[i] = 0;
		f->set[i] = true;
	}
	for (; *text; text += len + (text[len] == ',')) {
		char sign = *text == '+' || *text == '-' ? '+' : ' ';

		if (first_sign && sign != first_sign)
			return cannot_mix;
		first_sign = sign;
		if (sign == '+')
			add = *text++ == '+';
		len = strcspn(text, ",");
		if (is("flags", text, len)) {
			f->flags = add;
			continue;
		}
		field = find(text, len);
		if (field == FIELD_DISASM && !CONFIG_DISASM)
			return disasm_missing;
		if (field & (FIELD_SRCLINE | FIELD_SRCCODE) && !CONFIG_SRCLINE)
			return srcline_missing;
		if (!field || (first == last && !is_possible(field, first)))
			return no_field(f, text, len);
		for (i = first; i <= last; i++) {
			change(f, i, field, add);
			/* If the type is given explicitly, a field that it lacks is ignored. */
			if (type == N_FIELDS_TYPES)
				f->asked[i] = add ? f->asked[i] | field : f->asked[i] & ~field;
		}
		if (type == N_FIELDS_TYPES)
			f->unset = add ? f->unset & ~field : f->unset | field;
	}
	return NULL;
}

const char *fields_check(struct fields *f, enum fields_type type, u64 sample_type, bool made)
{
	static const struct { u64 fields; u8 bit; bool may_be_made; const char *name; } needs[] = {
		{ FIELD_IP, PERF_S_IP, false, "ip" },
		{ FIELD_ADDR, PERF_S_ADDR, true, "addr" },
		{ FIELD_WEIGHT, PERF_S_WEIGHT, true, "weight" },
		{ FIELD_TID | FIELD_PID, PERF_S_TID, false, "tid" },
		{ FIELD_TIME, PERF_S_TIME, false, "time" },
		{ FIELD_CPU, PERF_S_CPU, true, "cpu" },
		{ FIELD_PHYS_ADDR, PERF_S_PHYS_ADDR, true, "phys_addr" },
		{ FIELD_DATA_SRC, PERF_S_DATA_SRC, true, "data_src" },
		{ FIELD_IREGS, PERF_S_REGS_INTR, true, "iregs" },
		{ FIELD_UREGS, PERF_S_REGS_USER, false, "uregs" },
		{ FIELD_DATA_PAGE_SIZE, PERF_S_DATA_PAGE_SIZE, false, "data_page_size" },
		{ FIELD_CODE_PAGE_SIZE, PERF_S_CODE_PAGE_SIZE, false, "code_page_size" },
		{ FIELD_INS_LAT | FIELD_RETIRE_LAT, PERF_S_WEIGHT_STRUCT, false, "ins_lat" },
	};
	size_t i;

	sample_type |= sample_type >> PERF_S_WEIGHT_STRUCT << PERF_S_WEIGHT;
	for (i = 0; i < N_ELEM(needs); i++) {
		u64 fields = needs[i].fields;

		if (!(f->of[type] & fields) || sample_type >> needs[i].bit & 1)
			continue;
		if (!(f->asked[type] & fields))
			f->of[type] &= ~fields;
		else if (!(made && needs[i].may_be_made))
			return needs[i].name;
	}
	if (CONFIG_SAMPLE_COLUMNS && !(sample_type >> PERF_S_CGROUP & 1)) {
		f->of[type] &= ~FIELD_CGROUP;
		return f->asked[type] & FIELD_CGROUP ? "cgroup" : NULL;
	}
	return NULL;
}
