/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Columns of samples that only other hardware than that of the test machine fills. perf 6.1 prints
 * the same.
 */
#include <test.h>

#include "src/print/sample_line.h"

static const char *source(u64 v)
{
	static char text[256];
	struct sample_printer pr = { 0 };
	struct perf_sample s = { .data_src = v };

	*sample_put_costs(text, &pr, &s, FIELD_DATA_SRC) = 0;
	return text;
}

TEST(where_data_came_from_is_told_in_words)
{
	STR_EQ(source(0x1e05080021),
	    "      1e05080021 |OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A");
	STR_EQ(source(0x20104210010), "     20104210010 |OP EXEC|LVL Remote Cache (2 hops)|SNP Hit|"
	    "TLB N/A or Fault|LCK No|BLK  Data");
	STR_EQ(source(0x2000800), "         2000800 |OP No|LVL L3|SNP N/A|TLB N/A|LCK Yes|BLK  N/A");
	STR_EQ(source(0x1a1f377b9aa2), "    1a1f377b9aa2 |OP LOAD|LVL socket, same board N/A miss|"
	    "SNP N/A or None or Hit or Miss|TLB N/A or");
	STR_EQ(source(0x16f2bde5c099), "    16f2bde5c099 |OP N/A|LVL Remote node, same socket CXL miss|"
	    "SNP Hit or Miss or HitM or Fwd or Pe");
}

TEST(that_column_is_as_wide_as_it_ever_was)
{
	struct sample_printer pr = { .source_width = 80 };
	char text[256];
	char *end = sample_put_costs(text, &pr, &(struct perf_sample){ .data_src = 0x2000800 },
				     FIELD_DATA_SRC);

	EQ(end - text, 80);
	EQ(pr.source_width, 80);
}

TEST(a_weight_of_three_parts_is_two_columns)
{
	struct perf_sample s = { .weight = 0x123400000007, .fields = 1 << PERF_S_WEIGHT_STRUCT };
	struct sample_printer pr = { 0 };
	char text[256];

	*sample_put_costs(text, &pr, &s, FIELD_WEIGHT | FIELD_INS_LAT) = 0;
	STR_EQ(text, "               7            4660");
	s.fields = 1 << PERF_S_WEIGHT;
	*sample_put_costs(text, &pr, &s, FIELD_WEIGHT) = 0;
	STR_EQ(text, "  20014547599367");
}

TEST(pages_have_the_size_that_perf_gives_them)
{
	static const struct { u64 size; const char *text; } sizes[] = {
		{ 0, " N/A" }, { 4096, " 4K" }, { 2 << 20, " 2M" }, { 1 << 30, " 1024M" },
		{ 1ull << 40, " 1024G" }, { 12345, " 12K" },
	};
	char text[64];
	size_t i;

	for (i = 0; i < N_ELEM(sizes); i++) {
		const struct perf_sample s = { .data_page_size = sizes[i].size };

		*sample_put_pages(text, NULL, &s, FIELD_DATA_PAGE_SIZE) = 0;
		STR_EQ(text, sizes[i].text);
	}
}
