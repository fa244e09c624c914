/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The columns of further sort keys: their names and heads, and their values as text.
 */
#include <pt/hist_keys.h>
#include <pt/out.h>
#include "report_keys.h"

static const struct {
	const char *name, *head;
	u8 width;
	bool right;		/* aligned to the right */
	bool plain;		/* not padded in the last column */
} keys[N_HIST_KEYS] = {
	[KEY_TID] = { "tid", "    Tid", 7, true },
	[KEY_PARENT] = { "parent", "Parent symbol" },
	[KEY_SOCKET] = { "socket", "Socket", 0, true },
	[KEY_SRCLINE] = { "srcline", "Source:Line", .plain = true },
	[KEY_SRCFILE] = { "srcfile", "Source File", .plain = true },
	[KEY_LOCAL_WEIGHT] = { "local_weight", "Local Weight" },
	[KEY_WEIGHT] = { "weight", "Weight", 12 },
	[KEY_TRANSACTION] = { "transaction", "Transaction                " },
	[KEY_SYMBOL_SIZE] = { "symbol_size", "Symbol size", 0, true },
	[KEY_DSO_SIZE] = { "dso_size", "DSO size", 0, true },
	[KEY_CGROUP] = { "cgroup", "Cgroup", .plain = true },
	[KEY_CGROUP_ID] = { "cgroup_id", "cgroup id (dev/inode)", .plain = true },
	[KEY_TIME] = { "time", "Time", 12, .plain = true },
	[KEY_CODE_PAGE_SIZE] = { "code_page_size", "Code Page Size" },
	[KEY_LOCAL_INS_LAT] = { "local_ins_lat", "Local INSTR Latency" },
	[KEY_INS_LAT] = { "ins_lat", "INSTR Latency" },
	[KEY_ADDR] = { "addr", "Address", 18 },
	[KEY_DSO_FROM] = { "dso_from", "Source Shared Object" },
	[KEY_DSO_TO] = { "dso_to", "Target Shared Object" },
	[KEY_SYMBOL_FROM] = { "symbol_from", "Source Symbol" },
	[KEY_SYMBOL_TO] = { "symbol_to", "Target Symbol" },
	[KEY_MISPREDICT] = { "mispredict", "Branch Mispredicted" },
	[KEY_ABORT] = { "abort", "Transaction abort" },
	[KEY_IN_TX] = { "in_tx", "Branch in transaction" },
	[KEY_CYCLES] = { "cycles", "Basic Block Cycles" },
	[KEY_SRCLINE_FROM] = { "srcline_from", "From Source:Line" },
	[KEY_SRCLINE_TO] = { "srcline_to", "To Source:Line" },
	[KEY_ADDR_FROM] = { "addr_from", "Source Address", .plain = true },
	[KEY_ADDR_TO] = { "addr_to", "Target Address", .plain = true },
};

u8 report_key(const char *name, size_t len, bool branch)
{
	u32 i, end = branch ? N_HIST_KEYS : KEY_DSO_FROM;

	for (i = branch ? KEY_DSO_FROM : 0; i < end; i++)
		if (len <= strlen(keys[i].name) && !strncasecmp(name, keys[i].name, len))
			return HIST_KEY + i;
	return N_HIST_COLUMNS;
}

const char *report_key_head(const struct report_style *style, u8 column)
{
	if (column >= HIST_FIELD)
		return style->columns[column - HIST_FIELD].name;
	return keys[column - HIST_KEY].head;
}

bool report_key_right(u8 column)
{
	return column >= HIST_FIELD || keys[column - HIST_KEY].right;
}

bool report_key_plain(u8 column)
{
	return column < HIST_FIELD && keys[column - HIST_KEY].plain;
}

int report_key_width(const struct report_style *style, u8 column)
{
	enum { NS_WIDTH = 16 };

	if (column >= HIST_FIELD)
		return style->columns[column - HIST_FIELD].width;
	if (column == HIST_KEY + KEY_TIME && style->ns)
		return NS_WIDTH;
	return MAX((int)keys[column - HIST_KEY].width, (int)strlen(keys[column - HIST_KEY].head));
}

/* The size of a page: "4K". */
static const char *page_text(char *to, size_t size, u64 v)
{
	static const char units[] = "BKMG";
	u32 i = 0;

	if (!v)
		return "N/A";
	for (; units[i + 1] && v >> 10 > 1; i++)	/* 1G is 1024M to perf */
		v >>= 10;
	fmt_str(to, size, "%llu%c", v, units[i]);
	return to;
}

static const char *transaction_text(char *to, size_t size, u64 v)
{
	static const char words[][11] = { "EL ", "TX ", "SYNC ", "ASYNC ", "RETRY ", "CON ",
					  "CAP-WRITE ", "CAP-READ " };
	size_t n = 0, i;

	*to = 0;
	for (i = 0; i < N_ELEM(words); i++)
		if (v >> i & 1)
			n += fmt_str(to + n, size - n, "%s", words[i]);
	if (v && !(v & 3))
		n += fmt_str(to + n, size - n, "NEITHER ");
	if (v >> 32)
		fmt_str(to + n, size - n, ":%llx", v >> 32);
	return to;
}

const char *report_key_text(const struct report_style *style, u8 column,
			    const struct hist_entry *e, char *to, size_t size)
{
	const u8 *at = memchr(style->hist.keys, column, style->hist.n_keys);
	const struct hist_value *v = &e->values[at - style->hist.keys];
	u64 number = v->number, less = -number;

	if (v->shown || v->text)
		return v->shown ? v->shown : v->text;
	switch (column - HIST_KEY) {
	case KEY_SOCKET:
		fmt_str(to, size, v->number < 0 ? "%04d" : "%03d", (int)v->number);
		return to;
	case KEY_LOCAL_WEIGHT:
	case KEY_LOCAL_INS_LAT: number = less; break;
	case KEY_WEIGHT:
	case KEY_INS_LAT: number = less * e->n; break;
	case KEY_TRANSACTION: return transaction_text(to, size, less);
	case KEY_CYCLES:
		if (!number)
			return "-";
		number = less;
		break;
	case KEY_CODE_PAGE_SIZE: return page_text(to, size, number);
	case KEY_TIME:
		if (style->ns)
			fmt_str(to, size, "%llu.%09llu", number / 1000000000, number % 1000000000);
		else
			fmt_str(to, size, "%llu.%06llu", number / 1000000000,
				number / 1000 % 1000000);
		return to;
	case KEY_ADDR:
		fmt_str(to, size, number ? "%#llx" : "0", number);
		return to;
	case KEY_SYMBOL_SIZE:
	case KEY_DSO_SIZE:
		if (v->number < 0)
			return "unknown";
	}
	fmt_str(to, size, "%llu", number);
	return to;
}

const char *report_key_offset(u8 column, const char *text)
{
	bool offset = column >= HIST_KEY + KEY_ADDR_FROM && column < HIST_FIELD;
	const char *plus = offset ? strrchr(text, '+') : NULL;

	return plus && !strncmp(plus, "+0x", 3) ? plus : NULL;
}

int report_key_need(const struct report_style *style, u8 column, const struct hist_entry *e)
{
	enum { UNKNOWN = 22 };
	const u8 *at = memchr(style->hist.keys, column, style->hist.n_keys);
	char room[80];
	const char *text;

	if (column >= HIST_FIELD)
		return 0;
	text = report_key_text(style, column, e, room, sizeof(room));

	if (e->values[at - style->hist.keys].number >= HIST_UNKNOWN)
		return UNKNOWN;
	/* As in perf, these get no more space than their heads. */
	if (column >= HIST_KEY + KEY_ADDR_FROM)
		return strncmp(text, "[.] 0", 5) ? 0 : UNKNOWN;
	return strlen(text);
}
