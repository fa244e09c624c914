/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <pt/process.h>

#include "test.h"

static struct images images;
static struct processes p;

static void start(void)
{
	images = (struct images){ .arena = &test_arena };
	processes_start(&p, &images, &test_arena);
}

TEST(a_thread_whose_process_is_told_later_gets_its_address_space)
{
	struct thread *main_thread, *t;

	start();
	main_thread = process_thread(&p, 20, 20);
	t = process_thread(&p, -1, 21);		/* as a record of sched_switch tells it */
	EQ(t->pid, -1);
	OK(t->space != main_thread->space);
	OK(process_thread(&p, -1, 21) == t);
	EQ(t->pid, -1);
	OK(process_thread(&p, 20, 21) == t);
	EQ(t->pid, 20);
	OK(t->space == main_thread->space);
	/* It is told once: later records with another number do not move it. */
	process_thread(&p, 30, 21);
	EQ(t->pid, 20);
	OK(t->space == main_thread->space);
}

TEST(threads_of_a_process_share_its_address_space)
{
	start();
	OK(process_thread(&p, 20, 21)->space == process_thread(&p, 20, 20)->space);
	OK(process_thread(&p, 20, 22)->space == process_thread(&p, 20, 21)->space);
	OK(process_thread(&p, 30, 30)->space != process_thread(&p, 20, 20)->space);
	/* One whose process nobody knows is alone. */
	OK(process_thread(&p, -1, 40)->space != process_thread(&p, -1, 41)->space);
}

TEST(a_cpu_runs_the_thread_that_was_told_last)
{
	start();
	EQ(process_on_cpu(&p, 0), -1);
	process_switch(&p, 9, 20, 20);
	EQ(process_on_cpu(&p, 9), 20);
	EQ(process_on_cpu(&p, 8), -1);
	EQ(process_thread(&p, 20, 20)->cpu, 9);
	process_switch(&p, 9, -1, -1);
	EQ(process_on_cpu(&p, 9), -1);
	process_switch(&p, -1, 20, 20);		/* damage */
	process_switch(&p, 1 << 30, 20, 20);
	EQ(process_on_cpu(&p, 1 << 30), -1);
}

TEST(a_child_has_the_name_of_its_parent_if_that_is_known)
{
	start();
	process_fork(&p, 21, 21, 20, 20, false);
	STR_EQ(process_thread(&p, 21, 21)->comm, ":21");
	process_comm(&p, 20, 20, "parent");
	process_fork(&p, 22, 22, 20, 20, false);
	STR_EQ(process_thread(&p, 22, 22)->comm, "parent");
	/* The number is used again. */
	process_comm(&p, 22, 22, "child");
	process_fork(&p, 22, 22, 21, 21, false);
	STR_EQ(process_thread(&p, 22, 22)->comm, ":22");
}
