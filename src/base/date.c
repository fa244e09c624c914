/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Seconds to local dates, by libc's localtime_r(). Not by its strftime() or asctime(), which
 * bring locales or printf() with them: 20 kB.
 */
#include <pt/date.h>
#include <pt/out.h>

struct tm date_local(i64 t)
{
	time_t seconds = t;
	struct tm tm = { .tm_year = 70, .tm_mday = 1, .tm_wday = 4 };

	tzset();
	localtime_r(&seconds, &tm);
	return tm;
}

const char *date_text(char to[DATE_SIZE], i64 t)
{
	static const char days[] = "SunMonTueWedThuFriSat";
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	struct tm tm = date_local(t);

	fmt_str(to, DATE_SIZE, "%.3s %.3s %2d %02d:%02d:%02d %d", days + tm.tm_wday * 3,
		months + tm.tm_mon * 3, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
		tm.tm_year + 1900);
	return to;
}

u64 date_clock(int id)
{
	struct timespec t = { 0 };

	clock_gettime(id, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}
