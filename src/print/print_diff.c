/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Compare the counts of two commands.
 *
 * The relative error of a ratio of independent means is the root of the sum of their squared
 * relative errors. The 95 % interval is this error times Student's t, with the degrees of freedom
 * of Welch's formula.
 */
#include <math.h>

#include <pt/print_diff.h>
#include <pt/real.h>

/* Student's t, two-sided, 95 %. A table for 1 to 30 degrees of freedom. */
static double student(double freedom)
{
	static const u16 thousandths[] = {
		12706, 4303, 3182, 2776, 2571, 2447, 2365, 2306, 2262, 2228, 2201, 2179, 2160, 2145,
		2131, 2120, 2110, 2101, 2093, 2086, 2080, 2074, 2069, 2064, 2060, 2056, 2052, 2048,
		2045, 2042,
	};

	if (freedom < 1)
		freedom = 1;
	if (freedom < N_ELEM(thousandths) + 1)
		return thousandths[(int)freedom - 1] / 1000.0;
	return 1.96 + 2.4 / freedom;
}

static double square(double v)
{
	return v * v;
}

struct diff_ratio diff_ratio(const struct mean *a, const struct mean *b)
{
	struct diff_ratio r = { 0 };
	double va, vb, freedom = 1, off;

	if (a->n < 2 || b->n < 2 || !a->value)
		return r;
	r.known = true;
	r.ratio = b->value / a->value;
	va = square(mean_error(a) / a->value);
	vb = square(mean_error(b) / a->value);
	va *= square(r.ratio);
	if (va + vb > 0)
		freedom = square(va + vb) / (square(va) / (a->n - 1) + square(vb) / (b->n - 1));
	off = student(freedom) * sqrt(va + vb);
	r.low = r.ratio > off ? r.ratio - off : 0;
	r.high = r.ratio + off;
	return r;
}

static const char *verdict(const struct diff_ratio *r)
{
	if (!r->known)
		return "unknown";
	if (r->low == r->high)
		return r->ratio == 1 ? "same" : "differs";
	return r->low <= 1 && r->high >= 1 ? "noise" : "differs";
}

void print_diff_title(struct out *o, const struct stat_style *style, const char *a, const char *b)
{
	if (style->form != STAT_TEXT)
		return;
	out_str(o, "\n A: ");
	out_name(o, a);
	out_str(o, "\n B: ");
	out_name(o, b);
	out_fmt(o, "\n %u runs of each, in turn\n\n", style->runs);
	out_str(o, "           A            B                             B/A  95 % interval\n");
}

static void put_text(struct out *o, const struct diff_line *l, const struct diff_ratio *r)
{
	out_real(o, l->a.value * l->scale, 12, l->decimals);
	out_real(o, l->b.value * l->scale, 13, l->decimals);
	out_fmt(o, " %-4s %-18s ", l->unit, l->name);
	if (!r->known) {
		out_str(o, "      -\n");
		return;
	}
	out_real(o, r->ratio, 8, 3);
	out_str(o, "  ");
	out_real(o, r->low, 0, 3);
	out_str(o, " - ");
	out_real(o, r->high, 0, 3);
	if (strcmp(verdict(r), "differs"))
		out_fmt(o, " %s", verdict(r));
	out_newline(o);
}

static void put_csv(struct out *o, const char *sep, const struct diff_line *l,
		    const struct diff_ratio *r)
{
	const double values[] = {
		l->a.value * l->scale, mean_error(&l->a) * l->scale,
		l->b.value * l->scale, mean_error(&l->b) * l->scale, r->ratio, r->low, r->high,
	};
	size_t i;

	out_fmt(o, "%s%s%s", l->name, sep, l->unit);
	for (i = 0; i < N_ELEM(values); i++) {
		out_str(o, sep);
		if (i < 4 || r->known)
			out_real(o, values[i], 0, i < 4 ? 6 : 4);
	}
	out_fmt(o, "%s%s\n", sep, verdict(r));
}

static void put_json(struct out *o, const struct diff_line *l, const struct diff_ratio *r)
{
	static const char *const keys[] = {
		"a", "a-error", "b", "b-error", "ratio", "low", "high",
	};
	const double values[] = {
		l->a.value * l->scale, mean_error(&l->a) * l->scale,
		l->b.value * l->scale, mean_error(&l->b) * l->scale, r->ratio, r->low, r->high,
	};
	size_t i;

	out_str(o, "{\"event\" : ");
	print_stat_json(o, l->name);
	out_str(o, ", \"unit\" : ");
	print_stat_json(o, l->unit);
	for (i = 0; i < (r->known ? N_ELEM(values) : 4); i++) {
		out_fmt(o, ", \"%s\" : ", keys[i]);
		out_real(o, values[i], 0, 6);
	}
	out_fmt(o, ", \"verdict\" : \"%s\"}\n", verdict(r));
}

void print_diff(struct out *o, const struct stat_style *style, const struct diff_line *line)
{
	struct diff_ratio r = diff_ratio(&line->a, &line->b);

	if (!line->a.n || !line->b.n)
		return;
	if (style->form == STAT_TEXT)
		put_text(o, line, &r);
	else if (style->form == STAT_CSV)
		put_csv(o, style->sep, line, &r);
	else
		put_json(o, line, &r);
}
