/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include <pt/cpus.h>

#include "test.h"
#include "perf_data.h"

static const u64 one_event[] = { 1 << PERF_S_IDENTIFIER };

static struct made made;
static struct perf_file f;

static void add32(u32 v)
{
	add(&made, &v, 4);
}

static void add_text(const char *text)
{
	add32(strlen(text) + 1);
	add(&made, text, strlen(text) + 1);
}

/* Four CPUs: two sockets with two dies, and a node for each socket. */
static void add_topology(void)
{
	u32 cpu;

	add32(1);		/* siblings of cores, of threads */
	add_text("0-3");
	add32(2);
	add_text("0-1");
	add_text("2-3");
	for (cpu = 0; cpu < 4; cpu++) {
		add32(10 + cpu);
		add32(cpu / 2);
	}
	add32(1);		/* of dies */
	add_text("0-3");
	for (cpu = 0; cpu < 4; cpu++)
		add32(20 + cpu);
}

static void add_nodes(void)
{
	u32 node;

	add32(2);
	for (node = 5; node <= 6; node++) {
		add32(node);
		add64(&made, 1 << 30);
		add64(&made, 1 << 29);
		add_text(node == 5 ? "0-1" : "2-3");
	}
}

/* The place of section 'i' of three, which begins at the end of 'made'. */
static void begin_section(u64 table, u32 i)
{
	if (i)
		set64(made.bytes + table + 16 * i - 8,
		      made.n - get64(made.bytes + table + 16 * i - 16));
	if (i < 3)
		set64(made.bytes + table + 16 * i, made.n);
}

static void make(void)
{
	u64 table;

	made_begin(&made, one_event, 1);
	ADD_RECORD(&made, PERF_FINISHED_ROUND, 0);
	made_end(&made);
	set64(made.bytes + 72, 1 << 7 | 1 << 13 | 1 << 14);	/* in this order */
	table = made.n;
	made.n += 3 * 16;
	begin_section(table, 0);
	add32(4);
	add32(4);
	begin_section(table, 1);
	add_topology();
	begin_section(table, 2);
	add_nodes();
	begin_section(table, 3);
}

TEST(each_cpu_has_its_core_socket_die_and_node)
{
	struct cpu_place *places;
	const char *why;
	u32 i;

	make();
	EQ(perf_open(&f, made_write(&made), &test_arena, &why), 0);
	places = perf_cpu_places(&f, 4);
	for (i = 0; i < 4; i++) {
		EQ(places[i].core, 10 + i);
		EQ(places[i].socket, i / 2);
		EQ(places[i].die, 20 + i);
		EQ(places[i].node, 5 + i / 2);
	}
	perf_close(&f);
}

TEST(cpus_that_are_not_asked_for_are_ignored)
{
	struct cpu_place *places;
	const char *why;

	make();
	EQ(perf_open(&f, made_write(&made), &test_arena, &why), 0);
	places = perf_cpu_places(&f, 3);
	EQ(places[2].node, 6);
	EQ(places[3].node, 0);
	EQ(places[3].core, 0);
	perf_close(&f);
}
