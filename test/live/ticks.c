/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * After a line of input, asks for the time by the vDSO, which reads it anew if the kernel's clock has
 * ticked meanwhile. Prints whether the times are in order, in microseconds.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

static long long us_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

int main(void)
{
	struct timezone zone = { 1, 1 }, again = { 1, 1 };
	long long before, after;
	struct timeval tv;
	char line[8];

	us_now();
	gettimeofday(&tv, &zone);		/* libc has found the functions */
	if (!fgets(line, sizeof(line), stdin))
		return 2;
	before = us_now();
	gettimeofday(&tv, &again);
	after = us_now();
	printf("%d %d\n", before <= tv.tv_sec * 1000000LL + tv.tv_usec,
	       tv.tv_sec * 1000000LL + tv.tv_usec <= after);
	return zone.tz_minuteswest != again.tz_minuteswest;
}
