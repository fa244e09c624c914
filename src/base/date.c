/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Seconds to local dates.
 *
 * A zone is a file that lists when its distance from UTC changed, and ends with a rule
 * for the time behind that; or a rule alone, like "CET-1CEST,M3.5.0,M10.5.0/3".
 * Sources: RFC 8536 (TZif), POSIX "Environment Variables" (TZ).
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <pt/date.h>
#include <pt/num.h>
#include <pt/out.h>

/* libc's looks for the vDSO: 1 kB, for calls that are few. On 32 bits it knows which of two
 * calls the kernel has. */
#if defined(__LP64__)
#define clock_gettime(id, t) syscall(SYS_clock_gettime, id, t)
#endif

enum { DAY = 86400, ERA = 146097 /* days of 400 years */, FILE_MAX = 16 << 10 };

static i64 floor_div(i64 a, i64 b)
{
	return a / b - (a % b < 0);
}

/* The days from 1970 to a date. Years begin in March here, so that they end with a leap day. */
static i64 days_to(i64 year, int month, int day)
{
	i64 y = year - (month < 3), era = floor_div(y, 400);

	y -= era * 400;
	return era * ERA + y * 365 + y / 4 - y / 100 +
	       (153 * (month + (month < 3 ? 9 : -3)) + 2) / 5 + day - 719469;
}

static int weekday_of(i64 days)
{
	return days + 4 - floor_div(days + 4, 7) * 7;
}

static struct date date_of(i64 t)
{
	i64 days = floor_div(t, DAY), era = floor_div(days + 719468, ERA);
	int rest = t - days * DAY, day = days + 719468 - era * ERA, year, month;

	year = (day - day / 1460 + day / 36524 - day / (ERA - 1)) / 365;
	day -= 365 * year + year / 4 - year / 100;
	month = (5 * day + 2) / 153;
	return (struct date){
		.year = year + era * 400 + (month >= 10),
		.month = month + (month < 10 ? 3 : -9),
		.day = day - (153 * month + 2) / 5 + 1,
		.hour = rest / 3600,
		.minute = rest / 60 % 60,
		.second = rest % 60,
		.weekday = weekday_of(days),
	};
}

/* Rules. Each of these takes what it reads off the front of '*p'. */

static int take_number(const char **p)
{
	u64 v = 0;
	const char *end = num_read(*p, 10, &v);

	if (end)
		*p = end;
	return v & 0xffff;
}

static bool take(const char **p, char c)
{
	if (**p != c)
		return false;
	++*p;
	return true;
}

/* [+-]hours[:minutes[:seconds]], in seconds. */
static int take_clock(const char **p)
{
	bool minus = take(p, '-');
	int s, unit;

	if (!minus)
		take(p, '+');
	s = take_number(p) * 3600;
	for (unit = 60; unit && take(p, ':'); unit /= 60)
		s += take_number(p) * unit;
	return minus ? -s : s;
}

/* CET, or <+0330>: is there one? */
static bool take_name(const char **p)
{
	const char *name = *p;

	if (take(p, '<'))
		while (**p && !take(p, '>'))
			++*p;
	else
		while ((**p | 0x20) >= 'a' && (**p | 0x20) <= 'z')
			++*p;
	return *p - name >= 3;
}

/* When in 'year' a change is, by the clock that was right before it. */
static i64 take_change(const char **p, i64 year)
{
	i64 day = days_to(year, 1, 1);
	int month, week, n;

	take(p, ',');
	if (take(p, 'M')) {		/* M10.5.0: the last Sunday in October */
		month = take_number(p);
		take(p, '.');
		week = take_number(p);
		take(p, '.');
		day = days_to(year, month, 1);
		day += (take_number(p) + 7 - weekday_of(day)) % 7 + 7 * (week - 1);
		if (day >= days_to(year + month / 12, month % 12 + 1, 1))
			day -= 7;
	} else if (take(p, 'J')) {	/* J60: March 1st, always */
		n = take_number(p);
		day += n - 1 + (n >= 60 && days_to(year, 3, 1) - day == 60);
	} else {			/* 59: the 60th day */
		day += take_number(p);
	}
	return day * DAY + (take(p, '/') ? take_clock(p) : 2 * 3600);
}

/* How far from UTC the clock is at 't', by the rule at 'p'; false if that is none. */
static bool by_rule(const char *p, i64 t, int *east)
{
	int winter, summer;
	i64 from, to, year;

	if (!take_name(&p) || !*p || !strchr("+-0123456789", *p))
		return false;
	*east = winter = -take_clock(&p);
	if (!take_name(&p))
		return true;
	summer = *p && *p != ',' ? -take_clock(&p) : winter + 3600;
	if (*p != ',')
		return true;
	year = date_of(t).year;	/* as libc */
	from = take_change(&p, year) - winter;
	to = take_change(&p, year) - summer;
	if (from < to ? t >= from && t < to : t >= from || t < to)
		*east = summer;
	return true;
}

/* Files: a header, times of changes, what each changes to, lists of what there is. */

struct zone {
	const u8 *times, *kinds, *types;
	u32 n_times, n_types;
	u64 size;
};

static i64 big_endian(const u8 *p, int n)
{
	i64 v = (i8)*p;

	while (--n)
		v = v * 256 + *++p;
	return v;
}

static bool read_zone(struct zone *z, const u8 *p, size_t len, int width)
{
	enum { HEADER = 44, TYPE = 6, UTC = 0, STANDARD, LEAPS, TIMES, TYPES, LETTERS };
	u64 n[6];
	int i;

	if (len < HEADER || memcmp(p, "TZif", 4))
		return false;
	for (i = 0; i < 6; i++)
		n[i] = (u32)big_endian(p + 20 + 4 * i, 4);
	*z = (struct zone){
		.times = p + HEADER,
		.kinds = p + HEADER + n[TIMES] * width,
		.types = p + HEADER + n[TIMES] * (width + 1),
		.n_times = n[TIMES],
		.n_types = n[TYPES],
		.size = HEADER + n[TIMES] * (width + 1) + n[TYPES] * TYPE + n[LETTERS] +
			n[LEAPS] * (width + 4) + n[STANDARD] + n[UTC],
	};
	return z->size <= len;
}

static bool by_file(const char *path, i64 t, int *east)
{
	u8 file[FILE_MAX + 1];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), width = 4;
	ssize_t len = fd < 0 ? 0 : read(fd, file, FILE_MAX);
	char *rule = "";
	struct zone z;
	u32 i, kind;

	if (fd >= 0)
		close(fd);
	if (len < 0 || !read_zone(&z, file, len, width))
		return false;
	/* The same again, with longer times, and a rule in a line behind it. */
	if (file[4] >= '2') {
		u64 first = z.size;

		width = 8;
		if (!read_zone(&z, file + first, len - first, width))
			return false;
		file[len] = 0;
		rule = (char *)file + first + z.size;
		rule += *rule == '\n';
		rule[strcspn(rule, "\n")] = 0;
	}
	for (i = 0; i < z.n_times && big_endian(z.times + i * width, width) <= t; i++)
		;
	if (i == z.n_times && by_rule(rule, t, east))
		return true;
	kind = i ? z.kinds[i - 1] : 0;
	if (kind >= z.n_types)
		return false;
	*east = big_endian(z.types + kind * 6, 4);
	return true;
}

struct date date_local(i64 t)
{
	const char *zone = getenv("TZ");
	char path[256];
	int east = 0;

	if (!zone)
		zone = "/etc/localtime";
	take(&zone, ':');
	fmt_str(path, sizeof(path), "%s%s", *zone == '/' ? "" : "/usr/share/zoneinfo/", zone);
	if (*zone && !by_file(path, t, &east))
		by_rule(zone, t, &east);
	return date_of(t + east);
}

u64 date_clock(int id)
{
	struct timespec t = { 0 };

	clock_gettime(id, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

const char *date_text(char to[DATE_SIZE], i64 t)
{
	static const char days[] = "SunMonTueWedThuFriSat";
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	struct date d = date_local(t);

	fmt_str(to, DATE_SIZE, "%.3s %.3s %2d %02d:%02d:%02d %lld", days + 3 * d.weekday,
		months + 3 * (d.month - 1), d.day, d.hour, d.minute, d.second, d.year);
	return to;
}
