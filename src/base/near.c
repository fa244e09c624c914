/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Suggestions for a misspelled name: the names with the fewest changed letters.
 */
#include <pt/near.h>
#include <pt/out.h>
#include <pt/text.h>

/* How many letters have to be changed, added, dropped or swapped. */
static u32 distance(const char *a, u32 n_a, const char *b, u32 n_b)
{
	u8 rows[3][NEAR_MAX + 1], *before, *row, *next;
	u32 i, k;

	for (k = 0; k <= n_b; k++)
		rows[1][k] = k;
	for (i = 1; i <= n_a; i++) {
		before = rows[(i - 1) % 3];
		row = rows[i % 3];
		next = rows[(i + 1) % 3];
		next[0] = i;
		for (k = 1; k <= n_b; k++) {
			bool same = text_lower(a[i - 1]) == text_lower(b[k - 1]);

			next[k] = MIN(row[k - 1] + !same, MIN(row[k], next[k - 1]) + 1);
			if (i > 1 && k > 1 && text_lower(a[i - 1]) == text_lower(b[k - 2]) &&
			    text_lower(a[i - 2]) == text_lower(b[k - 1]))
				next[k] = MIN(next[k], before[k - 2] + 1);
		}
	}
	return rows[(n_a + 1) % 3][n_b];
}

void near_offer(struct near *near, const char *name)
{
	u32 len = strlen(name), far, i;

	if (!len || len > NEAR_MAX || near->len > NEAR_MAX || len >= sizeof(near->best[0].name))
		return;
	far = distance(near->s, near->len, name, len);
	if (text_begins(name, len, near->s) && near->len >= 3)
		far = MIN(far, 1u);
	if (far > 1 + near->len / 4)
		return;
	for (i = 0; i < near->n; i++)
		if (!strcmp(near->best[i].name, name))
			return;
	for (i = near->n; i && near->best[i - 1].far > far; i--)
		if (i < N_ELEM(near->best))
			near->best[i] = near->best[i - 1];
	if (i == N_ELEM(near->best))
		return;
	near->best[i].far = far;
	memcpy(near->best[i].name, name, len + 1);
	near->n = MIN(near->n + 1, (u32)N_ELEM(near->best));
}

void near_say(char *to, size_t size, const struct near *near)
{
	size_t len = 0;
	u32 i;

	*to = 0;
	for (i = 0; i < near->n && len < size; i++)
		len += fmt_str(to + len, size - len, "%s%s", !i ? "did you mean " :
			       i + 1 < near->n ? ", " : " or ", near->best[i].name);
	if (i && len < size)
		fmt_str(to + len, size - len, "?");
}
