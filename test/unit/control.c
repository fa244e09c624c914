/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <pt/config/RECORD_MORE.h>
#include <pt/record.h>

#include "test.h"

static struct record_control control(struct record *r)
{
	return (struct record_control){ .r = r, .signal_fd = -1, .timer_fd = -1, .delay_fd = -1,
					.progress_fd = -1, .next_fd = -1, .ctl_fd = -1,
					.ack_fd = -1 };
}

/* The timer of delays expires at once. Returns what is then asked for, and in '*s' in how many
 * seconds it expires again. */
static enum record_ask delay_is_over(struct record_control *c, long *s)
{
	const struct itimerspec now = { .it_value.tv_nsec = 1 };
	struct itimerspec next;
	enum record_ask ask;

	timerfd_settime(c->delay_fd, 0, &now, NULL);
	ask = record_asked(c);
	timerfd_gettime(c->delay_fd, &next);
	*s = next.it_value.tv_sec + (next.it_value.tv_nsec > 0);
	return ask;
}

TEST(events_are_enabled_and_disabled_by_turns_as_ranges_of_delays_say)
{
	static const u32 delays[] = { 1000000, 2000000, 3000000 };	/* ms */
	struct record r = { .delays = delays, .n_delays = N_ELEM(delays) };
	struct record_control c = control(&r);
	long s;

	if (!CONFIG_RECORD_MORE)
		SKIP("one delay at most");
	c.delay_fd = timerfd_create(CLOCK_MONOTONIC, 0);
	EQ(delay_is_over(&c, &s), ASK_ENABLE);
	OK(s > 100 && s <= 1000);
	EQ(delay_is_over(&c, &s), ASK_DISABLE);
	OK(s > 1000 && s <= 2000);
	EQ(delay_is_over(&c, &s), ASK_ENABLE);
	OK(s > 2000 && s <= 3000);
	EQ(delay_is_over(&c, &s), ASK_DISABLE);
	EQ(s, 0);
	close(c.delay_fd);
}

TEST(words_from_the_fifo_are_requests_one_at_a_time_and_each_is_acknowledged)
{
	static const char words[] = "enable\nping\nwhat\ndisable\nsnapshot\nstop\n";
	struct record r = { 0 };
	struct record_control c = control(&r);
	int in[2], ack[2];
	char said[64] = "";

	if (pipe2(in, O_NONBLOCK) || pipe2(ack, O_NONBLOCK)) {
		TEST_FAIL("no pipes");
		return;
	}
	c.ctl_fd = in[0];
	c.ack_fd = ack[1];
	EQ(write(in[1], words, sizeof(words) - 1), sizeof(words) - 1);
	EQ(record_asked(&c), ASK_ENABLE);
	record_answer(&c);
	EQ(record_asked(&c), ASK_DISABLE);
	record_answer(&c);
	EQ(record_asked(&c), ASK_SNAPSHOT);
	EQ(record_asked(&c), ASK_STOP);
	EQ(record_asked(&c), ASK_NOTHING);
	OK(read(ack[0], said, sizeof(said) - 1) > 0);
	OK(!strcmp(said, "ack\nack\nerror: unknown command\nack\n"));
}
