/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Ranges of time, in seconds or in percent of a recording.
 */
#include <pt/num.h>
#include <pt/ranges.h>

static const char invalid[] = "Invalid time string";

/* "12.5" as ns; 0 if there is no number. Returns where it stopped. */
static const char *read_time(const char *p, u64 *ns)
{
	u64 s, part = 0, scale = 100000000;

	if (*p < '0' || *p > '9')
		return p;
	p = num_read(p, 10, &s);
	if (!p || s > ~0ULL / 1000000000)
		return NULL;
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9'; p++, scale /= 10) {
			if (!scale)
				return NULL;
			part += (*p - '0') * scale;
		}
	*ns = s * 1000000000 + part;
	return p;
}

/* "10.5%" as thousandths of a percent. */
static const char *read_percent(const char *p, u64 *v)
{
	u64 ns = 0;

	p = read_time(p, &ns);
	if (!p || *p != '%' || ns > 100000000000)
		return NULL;
	*v = ns / 1000000;
	return p + 1;
}

static u64 part_of(u64 first, u64 last, u64 percent)
{
	return first + (num_scale(2 * (last - first), percent, 100000) + 1) / 2;
}

static const char *add_percent(struct ranges *r, const char *p, u64 first, u64 last)
{
	u64 from = 0, to, nth;

	p = read_percent(p, &to);
	if (!p)
		return NULL;
	if (*p == '/') {
		p = num_read(p + 1, 10, &nth);
		if (!p || !nth || nth > 100000 || to * nth > 100000)
			return NULL;
		from = to * (nth - 1);
		to *= nth;
	} else if (*p == '-') {
		from = to;
		p = read_percent(p + 1, &to);
		if (!p || to <= from)
			return NULL;
	}
	r->at[r->n].start = part_of(first, last, from);
	r->at[r->n].end = part_of(first, last, to);
	/* Adjacent slices have no sample in common. */
	if (to < 100000)
		r->at[r->n].end--;
	return p;
}

static const char *add_times(struct ranges *r, const char *p)
{
	p = read_time(p, &r->at[r->n].start);
	if (p && *p == ',')
		p = read_time(p + 1, &r->at[r->n].end);
	if (!p || (r->at[r->n].end && r->at[r->n].end < r->at[r->n].start))
		return NULL;
	return p;
}

const char *ranges_parse(struct ranges *r, const char *text, u64 first, u64 last)
{
	bool percent = strchr(text, '%');
	char between = percent ? ',' : ' ';
	const char *p = text;

	*r = (struct ranges){ 0 };
	if (percent && !first && !last)
		return "the file does not give the times of its first and last sample";
	while (*p) {
		if (r->n == RANGES_MAX)
			return "too many time ranges";
		p = percent ? add_percent(r, p, first, last) : add_times(r, p);
		if (!p || (*p && *p != between))
			return invalid;
		r->n++;
		p += strspn(p, ", ");
	}
	return r->n ? NULL : invalid;
}

bool ranges_have(const struct ranges *r, u64 time)
{
	u32 i;

	if (!r->n || !time)
		return true;
	for (i = 0; i < r->n; i++)
		if (time >= r->at[i].start && (!r->at[i].end || time <= r->at[i].end))
			return true;
	return false;
}

COLD u64 ranges_end(const struct ranges *r)
{
	u64 end = 0;
	u32 i;

	for (i = 0; i < r->n; i++) {
		if (!r->at[i].end)
			return 0;
		end = MAX(end, r->at[i].end);
	}
	return end;
}
