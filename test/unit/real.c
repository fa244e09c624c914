/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include <pt/real.h>

static const char *real(double v, int width, int decimals, char comma)
{
	static char text[256];

	*put_real_w(text, v, width, decimals, comma) = 0;
	return text;
}

TEST(reals_are_rounded_as_printf_rounds_them)
{
	static const double some[] = {
		0, 1, 0.5, 1.5, 2.5, 0.005, 0.015, 1.005, 2.675, 0.1, 1e-9, 1.5e-9, 123456789.987654321,
		9.9995, 99.995, 999999.9999999, 1.8446744073709552e19, 4e-320, 0.9999999999, 1e15 + 0.3,
		-1.25, -0.0004, 3.0000000001e18, 1e20,
	};
	char libc[128];
	size_t i;
	int d;

	for (i = 0; i < N_ELEM(some); i++)
		for (d = 0; d <= 9; d++) {
			snprintf(libc, sizeof(libc), "%18.*f", d, some[i]);
			STR_EQ(real(some[i], 18, d, 0), libc);
		}
}

TEST(many_reals_agree_with_printf)
{
	char libc[128];
	u64 seed = 1;
	int i;

	for (i = 0; i < 20000; i++) {
		double v;

		seed = seed * 6364136223846793005ull + 1442695040888963407ull;
		v = (double)(seed >> 20) / (double)(1ull << (seed & 63));
		snprintf(libc, sizeof(libc), "%.*f", i % 10, v);
		STR_EQ(real(v, 0, i % 10, 0), libc);
	}
}

TEST(thousands_are_separated)
{
	STR_EQ(real(1234567, 12, 0, ','), "   1,234,567");
	STR_EQ(real(999, 0, 0, ','), "999");
	STR_EQ(real(1234.567, 0, 2, ','), "1,234.57");
}

TEST(what_is_no_number_is_a_dash)
{
	STR_EQ(real(0.0 / 0.0, 3, 2, 0), "  -");
	STR_EQ(real(1e300, 3, 2, 0), "  -");
}
