/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/out.h>

#include "src/record/hw.h"
#include "test.h"
#include "sysfs.h"

static char said[256];
static struct record r;
static struct hw hw;

static void say(void *who, int level, const char *line)
{
	fmt_str(said, sizeof(said), "%s", line);
}

/* A processor with these capabilities: the mask of periods in hexadecimal. */
static bool start(const char *mtc_periods)
{
	struct event_env *env = sysfs_env("intel");
	char path[256];
	FILE *f;

	if (!env)
		return false;
	snprintf(path, sizeof(path), "%s/bus/event_source/devices/intel_pt/caps/mtc_periods",
		 env->sysfs);
	f = fopen(path, "w");
	fprintf(f, "%s\n", mtc_periods);
	fclose(f);
	r = (struct record){ .say = say, .arena = &test_arena };
	hw = (struct hw){ .r = &r, .arena = &test_arena, .env = *env };
	*said = 0;
	return true;
}

/* The period that is chosen where the user gives none. */
static int usual(const char *mtc_periods)
{
	struct event_spec spec = { 0 };

	if (!start(mtc_periods))
		return -1;
	hw_config_defaults(&hw, &spec);
	sysfs_remove(&hw.env);
	EQ(spec.attr.config >> 10 & 1, 1);	/* tsc */
	return spec.attr.config >> 14 & 15;
}

TEST(the_period_of_mtc_is_3_or_the_next_one_below_or_the_lowest_one)
{
	EQ(usual("249"), 3);
	EQ(usual("247"), 2);
	EQ(usual("241"), 0);
	EQ(usual("240"), 6);
	EQ(usual("ffff"), 3);
}

/* Is this value of mtc_period accepted? */
static bool accepts(u64 value)
{
	struct event_spec spec = { .attr.config = value << 14 };
	int err;

	if (!start("249"))
		return false;
	err = hw_config_check(&hw, &spec);
	sysfs_remove(&hw.env);
	return !err;
}

TEST(a_period_that_the_processor_lacks_is_refused)
{
	OK(accepts(0) && accepts(3) && accepts(9));
	OK(!accepts(4));
	STR_EQ(said, "Invalid mtc_period for intel_pt. Valid values are: 0,3,6,9");
	OK(!accepts(15));
}
