/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Assemble a perf.data: lines on standard input, the file on standard output.
 *
 * usage: dataasm < lines > perf.data
 *
 * '#' begins a comment. A number is as in C, LOW:HIGH is two of 32 bits, @LABEL a label of
 * ptasm -e. Options in brackets have the form name=value:
 *
 *	event TYPE CONFIG FIELDS [period= flags= intr= user= branch= read= name=]
 *	                  FIELDS: names of sample fields, with commas: ip,tid,time. The ids of
 *	                  events are 100, 101, ... ; 'flags' are numbers of bits: flags=18,30
 *	info [NAME=VALUE]...       AUXTRACE_INFO of Intel PT
 *	at PID TID CPU TIME        of the records that follow
 *	record TYPE [misc= id=] [WORD]...   a kernel record; WORD: 64 bits, or "text" with its NUL
 *	                  and padding. Its end is what sample_id_all says
 *	tool TYPE [WORD]...        the same without that end: samples, and records of the perf tool
 *	mmap START LEN OFF NAME    of the process; misc= is 2
 *	comm NAME
 *	trace FILE REFERENCE [idx= cpu= tid= off=]   FILE is trace of a CPU; 'off': its offset
 *	feature BIT [WORD]...      one above 18, after the records
 *	                  in all that the CPU wrote
 */
#define _GNU_SOURCE
#include <ctype.h>

#include "test/unit/perf_data.h"

#include "assembler.h"

enum { WORDS = 200, EVENTS = 16, TRACES = 16 };

static struct perf_attr attrs[EVENTS];
static char event_names[EVENTS][64];	/* "": the file does not name it */
static u32 n_attrs;
static struct { u32 pid, tid, cpu; u64 time; } now;
static u64 traces[2 * TRACES];
static u32 n_traces;
static struct { u32 bit, n; u64 words[WORDS]; } feature;
static char *words[WORDS + 1];
static u32 n_words;

static u64 number(const char *s)
{
	const char *colon = strchr(s, ':');
	char *end;
	u64 v;

	if (*s == '@')
		return label(s + 1);
	v = strtoull(s, &end, 0);
	if (colon && end == colon)
		return (u32)v | strtoull(colon + 1, &end, 0) << 32;
	if (*end || end == s)
		die("'%s' is no number", s);
	return v;
}

/* The text after "name=" among the words, which is taken out; or NULL. */
static char *option(const char *name)
{
	size_t len = strlen(name);
	char *found;
	u32 i;

	for (i = 1; i < n_words; i++) {
		if (strncmp(words[i], name, len) || words[i][len] != '=')
			continue;
		found = words[i] + len + 1;
		memmove(words + i, words + i + 1, (n_words-- - i) * sizeof(*words));
		return found;
	}
	return NULL;
}

static u64 option_number(const char *name, u64 usual)
{
	const char *s = option(name);

	return s ? number(s) : usual;
}

static const char *word(u32 i)
{
	if (i >= n_words)
		die("%s: a word is missing", words[0]);
	return words[i];
}

/* A set of bits, by numbers or by the names in 'names'. */
static u64 set_of(char *list, const char *const *names, u32 n)
{
	char *save, *s;
	u64 set = 0;
	u32 i;

	for (s = strtok_r(list, ",", &save); s; s = strtok_r(NULL, ",", &save)) {
		for (i = 0; i < n && strcmp(names[i], s); i++)
			;
		set |= 1ull << (i < n ? i : number(s));
	}
	return set;
}

static void event(void)
{
	static const char *const fields[] = {
		"ip", "tid", "time", "addr", "read", "callchain", "id", "cpu", "period",
		"stream_id", "raw", "branch_stack", "regs_user", "stack_user", "weight",
		"data_src", "identifier", "transaction", "regs_intr", "phys_addr", "aux",
		"cgroup", "data_page_size", "code_page_size", "weight_struct",
	};
	char usual[] = "18", *flags = option("flags"), *name = option("name");
	struct perf_attr *a = &attrs[n_attrs];

	snprintf(event_names[n_attrs++], sizeof(*event_names), "%s", name ? name : "");

	*a = (struct perf_attr){ .size = 128 };
	a->flags = set_of(flags ? flags : usual, NULL, 0);
	a->period = option_number("period", 0);
	a->regs_intr = option_number("intr", 0);
	a->regs_user = option_number("user", 0);
	a->branch_sample_type = option_number("branch", 0);
	a->read_format = option_number("read", 0);
	a->type = number(word(1));
	a->config = number(word(2));
	a->sample_type = set_of((char *)word(3), fields, sizeof(fields) / sizeof(*fields));
}

/* The header and all events, before the first record. */
static void begin(void)
{
	u32 i;

	if (made.n)
		return;
	add(&made, "PERFILE2", 8);
	add64(&made, 104);
	add64(&made, 128 + 16);
	made.n = 104;
	for (i = 0; i < n_attrs; i++)
		add64(&made, 100 + i);
	set64(made.bytes + 24, made.n);
	set64(made.bytes + 32, n_attrs * (128 + 16));
	for (i = 0; i < n_attrs; i++) {
		add(&made, &attrs[i], 128);
		add64(&made, 104 + 8 * i);
		add64(&made, 8);
	}
	made.data = made.n;
	set64(made.bytes + 40, made.n);
}

static void info(void)
{
	static const char *const names[] = {
		"type", "pmu", "shift", "mult", "zero", "cap", "tsc", "noretcomp", "switch",
		"snapshot", "per_cpu", "mtc", "mtc_bits", "ctc_n", "ctc_d", "cyc", "max",
	};
	u64 body[19] = { 1, 8, 0, 1, 0, 1, 0x400, 0x800, 3, 0, 1, 0x200, 0x3c000, 176, 2, 2, 24 };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		body[i] = option_number(names[i], body[i]);
	body[18] = option_number("event_trace", 0);
	add_record(&made, PERF_AUXTRACE_INFO, 0, body, sizeof(body));
}

/* What sample_id_all adds to a record. */
static size_t put_end(u64 *to, u64 id)
{
	const u64 type = attrs[0].sample_type;
	u64 *p = to;

	if (type >> PERF_S_TID & 1)
		*p++ = now.pid | (u64)now.tid << 32;
	if (type >> PERF_S_TIME & 1)
		*p++ = now.time;
	if (type >> PERF_S_ID & 1)
		*p++ = id;
	if (type >> PERF_S_STREAM_ID & 1)
		*p++ = id;
	if (type >> PERF_S_CPU & 1)
		*p++ = now.cpu;
	if (type >> PERF_S_IDENTIFIER & 1)
		*p++ = id;
	return p - to;
}

static size_t put_text(u64 *to, const char *text)
{
	size_t size = round_up(strlen(text) + 1, 8);

	memset(to, 0, size);
	memcpy(to, text, strlen(text));
	return size / 8;
}

/* The words from the i-th on. */
static size_t put_words(u64 *to, u32 i)
{
	u64 *p = to;

	for (; i < n_words; i++)
		if (*words[i] == '"')
			p += put_text(p, words[i] + 1);
		else
			*p++ = number(words[i]);
	return p - to;
}

static void record(bool kernel)
{
	u64 id = option_number("id", 100), misc = option_number("misc", 0);
	u64 body[1024], *p = body;
	u32 type = number(word(1));

	p += put_words(p, 2);
	if (kernel)
		p += put_end(p, id);
	add_record(&made, type, misc, body, (p - body) * 8);
}

static void named(u32 type, u16 misc, const u64 *front, size_t n, const char *name)
{
	u64 body[1024], *p = body;

	misc = option_number("misc", misc);
	memcpy(p, front, n * 8);
	p += n;
	p += put_text(p, name + (*name == '"'));
	p += put_end(p, 100);
	add_record(&made, type, misc, body, (p - body) * 8);
}

static void mmap_record(void)
{
	u64 id = option_number("pid", now.pid), misc = option_number("misc", 2);
	u64 front[] = { id | (u64)(misc == 1 ? 0 : now.tid) << 32, number(word(1)),
			number(word(2)), number(word(3)) };

	named(PERF_MMAP, misc, front, 4, word(4));
}

static void comm(void)
{
	u64 front = now.pid | (u64)now.tid << 32;

	named(PERF_COMM, 0, &front, 1, word(1));
}

static void trace(void)
{
	u64 cpu = option_number("cpu", 0), tid = option_number("tid", -1);
	u64 idx = option_number("idx", cpu), off = option_number("off", 0);
	static u8 bytes[MADE_MAX / 2];
	FILE *f = fopen(word(1), "r");
	size_t n;

	if (!f)
		die("cannot read %s", word(1));
	n = round_up(fread(bytes, 1, sizeof(bytes) - 8, f), 8);
	fclose(f);
	traces[2 * n_traces] = made.n;
	traces[2 * n_traces++ + 1] = 48;
	ADD_RECORD(&made, PERF_AUXTRACE, 0, n, off, number(word(2)), (u32)idx | tid << 32, (u32)cpu);
	add(&made, bytes, n);
	memset(bytes, 0, sizeof(bytes));
}

static void add_feature(void)
{
	feature.bit = number(word(1));
	feature.n = put_words(feature.words, 2);
}

static void line(void)
{
	const char *what = words[0];

	if (!strcmp(what, "event")) {
		event();
		return;
	}
	begin();
	if (!strcmp(what, "info"))
		info();
	else if (!strcmp(what, "at")) {
		now.pid = number(word(1));
		now.tid = number(word(2));
		now.cpu = number(word(3));
		now.time = number(word(4));
	} else if (!strcmp(what, "record"))
		record(true);
	else if (!strcmp(what, "tool"))
		record(false);
	else if (!strcmp(what, "mmap"))
		mmap_record();
	else if (!strcmp(what, "comm"))
		comm();
	else if (!strcmp(what, "trace"))
		trace();
	else if (!strcmp(what, "feature"))
		add_feature();
	else
		die("what is '%s'?", what);
}

/* Split the line into words. A text keeps its first quote; blanks in it are kept. */
static void split(char *p)
{
	n_words = 0;
	for (;;) {
		while (isspace((unsigned char)*p))
			p++;
		if (!*p || *p == '#')
			break;
		if (n_words == WORDS)
			die("too many words");
		words[n_words++] = p;
		if (*p == '"')
			p += strcspn(p + 1, "\"") + 1;
		else
			p += strcspn(p, " \t\n");
		if (!*p)
			break;
		*p++ = 0;
	}
	words[n_words] = NULL;
}

/* After the records: the features' places, and their bytes. */
static void put_features(void)
{
	enum { EVENT_DESC = 12, AUXTRACE = 18, NAME = 64 };
	bool named = *event_names[0];
	u64 size = named ? 8 + n_attrs * (128 + 4 + 4 + NAME + 8) : 0;
	u64 at = made.n + 16 + 16 * (named + !!feature.bit);
	u32 i;

	if (named) {
		made.bytes[72 + EVENT_DESC / 8] |= 1 << EVENT_DESC % 8;
		add64(&made, at);
		add64(&made, size);
	}
	made.bytes[72 + AUXTRACE / 8] |= 1 << AUXTRACE % 8;
	add64(&made, at + size);
	add64(&made, 8 + n_traces * 16);
	if (feature.bit) {
		made.bytes[72 + feature.bit / 8] |= 1 << feature.bit % 8;
		add64(&made, at + size + 8 + n_traces * 16);
		add64(&made, 8 * feature.n);
	}
	if (named)
		add64(&made, n_attrs | 128ull << 32);
	for (i = 0; i < n_attrs && named; i++) {
		add(&made, &attrs[i], 128);
		add64(&made, 1 | (u64)NAME << 32);
		add(&made, event_names[i], NAME);
		add64(&made, 100 + i);
	}
	add64(&made, n_traces);
	add(&made, traces, n_traces * 16);
	add(&made, feature.words, 8 * feature.n);
}

int main(void)
{
	static char text[1 << 14];

	read_labels();
	while (fgets(text, sizeof(text), stdin)) {
		line_no++;
		split(text);
		if (n_words)
			line();
	}
	begin();
	set64(made.bytes + 48, made.n - made.data);
	put_features();
	return write(1, made.bytes, made.n) != (ssize_t)made.n;
}
