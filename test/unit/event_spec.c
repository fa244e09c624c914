/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "test.h"

#include <pt/config/RECORD_MORE.h>
#include <pt/event_name.h>
#include <pt/event_spec.h>

#include "sysfs.h"

static struct event_error error;

/* Parse 'text' on the machine 'name'. */
static struct event_list parse_on(const char *name, const char *text)
{
	struct event_env *env = sysfs_env(name);
	struct event_list list = { 0 };

	if (!env) {
		TEST_FAIL("no sysfs %s", name);
		return list;
	}
	event_spec_parse(&list, env, text, &error);
	sysfs_remove(env);
	return list;
}

static bool flag(const struct event_spec *spec, int bit)
{
	return perf_attr_flag(&spec->attr, bit);
}

TEST(plain_names_are_hardware_software_and_cache_events)
{
	struct event_list list = parse_on("intel", "cycles,cpu-cycles,cs,branches,branch-misses,"
		"L1-dcache-load-misses,LLC-loads,dTLB-store-misses,branch-loads,node");

	EQ(list.n, 10);
	EQ(list.at[0].attr.type, EVENT_HARDWARE);
	EQ(list.at[0].attr.config, HW_CYCLES);
	STR_EQ(list.at[1].name, "cpu-cycles");
	EQ(list.at[2].attr.type, EVENT_SOFTWARE);
	EQ(list.at[2].attr.config, SW_CONTEXT_SWITCHES);
	EQ(list.at[3].attr.config, HW_BRANCHES);
	EQ(list.at[4].attr.config, HW_BRANCH_MISSES);
	EQ(list.at[5].attr.type, EVENT_CACHE);
	EQ(list.at[5].attr.config, 0x10000);
	EQ(list.at[6].attr.config, 0x2);
	EQ(list.at[7].attr.config, 0x10103);
	EQ(list.at[8].attr.config, 0x5);
	EQ(list.at[9].attr.config, 0x6);
	OK(flag(&list.at[0], PERF_F_EXCLUDE_GUEST));
}

TEST(an_operation_that_a_cache_has_not_is_no_event)
{
	EQ(parse_on("intel", "iTLB-stores").n, 0);
	STR_EQ(error.what, "no event 'iTLB-stores'");
}

TEST(modifiers_leave_out_what_they_do_not_name)
{
	struct event_list list = parse_on("intel", "cycles:u,cycles:k,cycles:uk,cycles:G,cycles:H,"
		"cycles:ppu,cycles:I,cycles:SDeW");

	EQ(list.n, 8);
	STR_EQ(list.at[0].name, "cycles:u");
	OK(!flag(&list.at[0], PERF_F_EXCLUDE_USER));
	OK(flag(&list.at[0], PERF_F_EXCLUDE_KERNEL));
	OK(flag(&list.at[0], PERF_F_EXCLUDE_HV));
	OK(flag(&list.at[0], PERF_F_EXCLUDE_GUEST));
	OK(flag(&list.at[1], PERF_F_EXCLUDE_USER));
	OK(!flag(&list.at[1], PERF_F_EXCLUDE_KERNEL));
	OK(!flag(&list.at[2], PERF_F_EXCLUDE_USER) && !flag(&list.at[2], PERF_F_EXCLUDE_KERNEL));
	OK(flag(&list.at[3], PERF_F_EXCLUDE_HOST) && !flag(&list.at[3], PERF_F_EXCLUDE_GUEST));
	OK(!flag(&list.at[4], PERF_F_EXCLUDE_HOST) && flag(&list.at[4], PERF_F_EXCLUDE_GUEST));
	EQ(list.at[5].attr.flags >> PERF_F_PRECISE & 3, 2);
	OK(flag(&list.at[6], PERF_F_EXCLUDE_IDLE));
	OK(list.at[7].sample_read && list.at[7].weak);
	OK(flag(&list.at[7], PERF_F_PINNED) && flag(&list.at[7], PERF_F_EXCLUSIVE));
}

TEST(a_ring_after_a_machine_keeps_that_machine)
{
	struct event_list list = parse_on("intel", "cycles:Gu,cycles:uG,cycles:GHu");

	EQ(list.n, 3);
	OK(!flag(&list.at[0], PERF_F_EXCLUDE_GUEST) && flag(&list.at[0], PERF_F_EXCLUDE_HOST));
	OK(flag(&list.at[0], PERF_F_EXCLUDE_KERNEL) && !flag(&list.at[0], PERF_F_EXCLUDE_USER));
	OK(!flag(&list.at[1], PERF_F_EXCLUDE_GUEST) && flag(&list.at[1], PERF_F_EXCLUDE_HOST));
	OK(!flag(&list.at[2], PERF_F_EXCLUDE_GUEST) && !flag(&list.at[2], PERF_F_EXCLUDE_HOST));
}

TEST(a_wrong_or_doubled_modifier_is_refused)
{
	EQ(parse_on("intel", "cycles:uu").n, 0);
	STR_EQ(error.what, "modifier 'u' is given twice");
	EQ(parse_on("intel", "instructions/name=x/q").n, 0);
	OK(strstr(error.what, "'q' is not a modifier"));
	EQ(error.at, 20);
}

TEST(terms_are_laid_into_the_bits_that_sysfs_names)
{
	struct event_list list = parse_on("intel",
		"cpu/event=0x3c,umask=1,cmask=2,edge,name=x/,cpu/offcore_rsp=0xffffffffffffffff/k,"
		"cpu/mem-loads/,cpu/mem-loads,ldlat=30/,r1a8,cpu/r1a8/,msr/tsc/,cpu/config=7,period=9/");

	EQ(list.n, 8);
	EQ(list.at[0].attr.type, 4);
	EQ(list.at[0].attr.config, 0x204013c);
	STR_EQ(list.at[0].name, "x");
	EQ(list.at[0].config_given, 0xff04ffff);
	EQ(list.at[1].attr.config1, -1);
	OK(flag(&list.at[1], PERF_F_EXCLUDE_USER));
	EQ(list.at[2].attr.config, 0x1cd);
	EQ(list.at[2].attr.config1, 3);
	EQ(list.at[3].attr.config1, 30);
	EQ(list.at[4].attr.type, EVENT_RAW);
	EQ(list.at[4].attr.config, 0x1a8);
	EQ(list.at[5].attr.config, 0x1a8);
	STR_EQ(list.at[6].name, "msr/tsc/");
	EQ(list.at[6].attr.type, 10);
	EQ(list.at[7].attr.config, 7);
	EQ(list.at[7].period, 9);
	OK(list.at[7].given == EVENT_GIVEN_PERIOD);
}

TEST(split_bit_fields_of_amd_are_filled)
{
	struct event_list list = parse_on("amd", "cpu/event=0x1c2,umask=3/,r1000000c2,"
		"amd_l3/event=0x06,umask=0x01,threadmask=0xff/");

	EQ(list.n, 3);
	EQ(list.at[0].attr.config, 0x1000003c2);
	EQ(list.at[1].attr.config, 0x1000000c2);
	EQ(list.at[2].attr.config, 0xff00000000000106ull);
	OK(list.at[2].uncore);
	EQ(list.at[2].cpus->n, 2);
	EQ(list.at[2].cpus->cpu[1], 8);
}

TEST(a_ready_made_event_brings_unit_scale_and_package)
{
	struct event_list list = parse_on("intel", "power/energy-pkg/");

	EQ(list.n, 1);
	STR_EQ(list.at[0].unit, "Joules");
	OK(list.at[0].scale > 2.328306436538e-10 && list.at[0].scale < 2.328306436539e-10);
	OK(list.at[0].per_pkg && list.at[0].uncore);
	EQ(list.at[0].attr.config, 2);
}

TEST(a_pmu_prefix_means_all_its_instances)
{
	struct event_list list = parse_on("intel", "uncore_imc/cas_count_read/,imc/event=4/,"
		"uncore_imc_1/cas_count_read/");

	EQ(list.n, 5);
	STR_EQ(list.at[0].pmu, "uncore_imc_0");
	STR_EQ(list.at[1].pmu, "uncore_imc_1");
	STR_EQ(list.at[1].name, "uncore_imc/cas_count_read/");
	OK(list.at[0].merge && list.at[1].merge && list.at[3].merge);
	OK(!list.at[4].merge);
	EQ(list.at[1].attr.type, 21);
}

TEST(an_event_without_its_pmu_is_found)
{
	struct event_list list = parse_on("intel", "mem-loads:u,cas_count_read");

	EQ(list.n, 3);
	EQ(list.at[0].attr.config, 0x1cd);
	OK(flag(&list.at[0], PERF_F_EXCLUDE_KERNEL));
	STR_EQ(list.at[0].name, "mem-loads:u");
	STR_EQ(list.at[2].pmu, "uncore_imc_1");
}

TEST(hybrid_cpus_get_an_event_for_each_type)
{
	struct event_list list = parse_on("hybrid", "cycles:u,L1-dcache-loads,r3c,cs,cpu_atom/cycles/,"
		"cpu_core/event=0x3c/,cycles/name=c/");

	EQ(list.n, 11);
	STR_EQ(list.at[0].name, "cpu_core/cycles:u/");
	STR_EQ(list.at[1].name, "cpu_atom/cycles:u/");
	EQ(list.at[0].attr.config, 4ull << 32);
	EQ(list.at[1].attr.config, 10ull << 32);
	OK(flag(&list.at[1], PERF_F_EXCLUDE_KERNEL));
	EQ(list.at[0].cpus->cpu[0], 0);
	EQ(list.at[1].cpus->cpu[0], 4);
	EQ(list.at[3].attr.config, 10ull << 32);
	EQ(list.at[3].attr.type, EVENT_CACHE);
	EQ(list.at[5].attr.type, 10);
	EQ(list.at[5].attr.config, 0x3c);
	EQ(list.at[6].attr.type, EVENT_SOFTWARE);
	EQ(list.at[7].attr.config, 10ull << 32);
	EQ(list.at[8].attr.type, 4);
	STR_EQ(list.at[9].name, "c");
	STR_EQ(list.at[10].name, "c");
}

TEST(groups_name_their_leader)
{
	struct event_list list = parse_on("intel", "cs,{cycles,instructions,cpu/event=1,umask=2/}:u,faults");

	EQ(list.n, 5);
	EQ(list.at[1].leader, 1);
	EQ(list.at[1].members, 3);
	EQ(list.at[2].leader, 1);
	EQ(list.at[3].leader, 1);
	EQ(list.at[4].leader, 4);
	STR_EQ(list.at[1].name, "cycles");
	OK(flag(&list.at[2], PERF_F_EXCLUDE_KERNEL));
	OK(!flag(&list.at[4], PERF_F_EXCLUDE_KERNEL));
}

TEST(a_group_over_several_pmus_is_one_group_each)
{
	struct event_list list = parse_on("hybrid", "{cycles,instructions}");

	EQ(list.n, 4);
	EQ(list.at[0].leader, 0);
	EQ(list.at[1].leader, 1);
	EQ(list.at[2].leader, 0);
	EQ(list.at[3].leader, 1);
	EQ(list.at[1].members, 2);
	list = parse_on("intel", "{uncore_imc/cas_count_read/,uncore_imc/event=1/}");
	EQ(list.n, 4);
	EQ(list.at[2].leader, 0);
	EQ(list.at[3].leader, 1);
}

TEST(tracepoints_are_found_by_name_and_by_pattern)
{
	struct event_list list = parse_on("intel", "sched:sched_switch,sched:sched_w*:u,irq:*");

	EQ(list.n, 3);
	EQ(list.at[0].attr.type, EVENT_TRACEPOINT);
	EQ(list.at[0].attr.config, 300);
	EQ(list.at[0].attr.period, 1);
	STR_EQ(list.at[1].name, "sched:sched_wakeup");
	OK(flag(&list.at[1], PERF_F_EXCLUDE_KERNEL));
	EQ(list.at[2].attr.config, 310);
	EQ(parse_on("intel", "sched:sched_swich").n, 0);
	STR_EQ(error.what, "no tracepoint 'sched:sched_swich'");
	STR_EQ(error.hint, "did you mean sched_switch?");
	EQ(parse_on("amd", "sched:sched_switch").n, 0);
	OK(strstr(error.what, "mount -t tracefs"));
}

TEST(breakpoints_have_address_length_and_access)
{
	struct event_list list = parse_on("intel", "mem:0x601040/8:rw:u,mem:0x1000:x,mem:4096,mem:1:u");

	EQ(list.n, 4);
	EQ(list.at[0].attr.type, EVENT_BREAKPOINT);
	EQ(list.at[0].attr.config1, 0x601040);
	EQ(list.at[0].attr.config2, 8);
	EQ(list.at[0].attr.bp_type, 3);
	OK(flag(&list.at[0], PERF_F_EXCLUDE_KERNEL));
	EQ(list.at[1].attr.bp_type, 4);
	EQ(list.at[1].attr.config2, 8);
	EQ(list.at[2].attr.bp_type, 3);
	EQ(list.at[2].attr.config2, 4);
	OK(flag(&list.at[3], PERF_F_EXCLUDE_KERNEL));
}

TEST(the_nearest_right_names_are_offered)
{
	EQ(parse_on("intel", "cycels").n, 0);
	STR_EQ(error.what, "no event 'cycels'");
	OK(!strncmp(error.hint, "did you mean cycles", 19));
	EQ(parse_on("intel", "faults,L1-dcache-load-mises:u").n, 0);
	OK(strstr(error.hint, "mean L1-dcache-load-misses"));
	EQ(error.at, 7);
	EQ(parse_on("intel", "memloads").n, 0);
	OK(strstr(error.hint, "mem-loads"));
	EQ(parse_on("intel", "intel_bts//").n, 0);
	STR_EQ(error.what, "this machine has no PMU 'intel_bts'");
	STR_EQ(error.hint, "did you mean intel_pt?");
}

TEST(wrong_terms_tell_the_right_ones)
{
	EQ(parse_on("intel", "intel_pt/cyc=2/").n, 0);
	STR_EQ(error.what, "0x2 is too big for 'cyc': at most 0x1");
	EQ(parse_on("intel", "intel_pt/mtc=1/u").n, 0);
	STR_EQ(error.what, "'mtc' is not a term of intel_pt");
	OK(strstr(error.hint, "use cyc, mtc_period, noretcomp, tsc, config,"));
	EQ(parse_on("intel", "intel_pt/mtc_period/").n, 0);
	OK(strstr(error.what, "mtc_period=N"));
	EQ(parse_on("amd", "amd_l3/pair/").n, 0);
	STR_EQ(error.what, "'pair' needs a value: pair=N");
	EQ(parse_on("amd", "amd_l3/beyond=1/").n, 0);
	STR_EQ(error.what, "'beyond' is not a term of amd_l3");
	EQ(parse_on("intel", "cpu/event=x/").n, 0);
	EQ(parse_on("intel", "cpu/cycles-t/").n, 0);
	OK(strstr(error.what, "malformed"));
}

TEST(malformed_texts_are_refused_without_a_trace)
{
	static const char *const texts[] = {
		"", ",", "cycles,", "{", "{cycles", "{cycles}x", "{}", "cpu/", "cpu/event=1", "}", "mem:",
		"mem:x", "mem:1/", "mem:1/0", "mem:1:rwq", "sched:", ":", "/", "//", "1:", "r", "rxyz",
		"cycles:", "../../x:y", "cpu/../x/", "{cycles,{cs}}", "a:b:c:d", "cycles/name=/",
		"cycles/name='x/",
	};
	struct event_env *env = sysfs_env("intel");
	struct event_list list = { 0 };
	size_t i;

	for (i = 0; i < N_ELEM(texts); i++) {
		bool fine = !strcmp(texts[i], "cycles:") || !strcmp(texts[i], "cycles/name='x/");

		if (!event_spec_parse(&list, env, texts[i], &error) != fine)
			TEST_FAIL("'%s' is taken wrongly: %s", texts[i], error.what);
		EQ(!fine, error.what[0] != 0);
		list.n = 0;
	}
	sysfs_remove(env);
}

TEST(every_name_leads_back_to_its_event)
{
	struct event_name e;
	char name[48];
	u32 i, type;
	u64 config;

	for (i = 0; event_name_nth(i, &e); i++) {
		OK(event_name_find(e.name, strlen(e.name), &type, &config));
		EQ(type, e.type);
		EQ(config, e.config);
		event_name_of(name, sizeof(name), type, config);
		STR_EQ(name, e.name);
	}
	EQ(i, 22 + 2 * 16);
}

TEST(patterns_match_like_the_shell)
{
	OK(event_name_glob("sched_*", "sched_switch"));
	OK(event_name_glob("*sw?tch", "sched_switch"));
	OK(event_name_glob("s[a-d]hed*", "sched_switch"));
	OK(!event_name_glob("s[!a-d]hed*", "sched_switch"));
	OK(!event_name_glob("sched", "sched_switch"));
	OK(event_name_glob("*a*b*", "xxaxxbxx"));
	OK(!event_name_glob("[", "["));
}

TEST(places_of_cpus_come_from_sysfs)
{
	struct event_env *env = sysfs_env("intel");
	struct cpu_place place = cpus_place(3, env->sysfs);
	struct cpus cpus;
	char text[32];

	EQ(place.socket, 1);
	EQ(place.die, 1);
	EQ(place.core, 4);
	EQ(cpus_place(2, env->sysfs).node, 1);
	cpus_online(&cpus, env->sysfs, &test_arena);
	EQ(cpus.n, 4);
	sysfs_remove(env);
	OK(cpus_parse(&cpus, "7,1-3,2 \n", &test_arena));
	EQ(cpus.n, 4);
	EQ(cpus_find(&cpus, 7), 3);
	EQ(cpus_find(&cpus, 4), -1);
	cpus_str(text, sizeof(text), &cpus);
	STR_EQ(text, "1-3,7");
	OK(!cpus_parse(&cpus, "3-1", &test_arena));
	OK(!cpus_parse(&cpus, "1,,2", &test_arena));
	OK(!cpus_parse(&cpus, "99999999", &test_arena));
	OK(!cpus_parse(&cpus, "1,", &test_arena));
}

TEST(terms_for_samples_are_kept_for_the_recorder)
{
	struct event_list list;

	if (!CONFIG_RECORD_MORE)
		SKIP("there are no such terms");
	list = parse_on("intel", "cpu-clock/call-graph=dwarf,stack-size=1001,max-stack=7,time=0/,"
				 "cycles/branch_type='any,u',time/");
	EQ(list.n, 2);
	STR_EQ(list.at[0].call_graph, "dwarf");
	EQ(list.at[0].stack_size, 1008);
	EQ(list.at[0].max_stack, 7);
	OK(list.at[0].no_time);
	STR_EQ(list.at[1].branches, "any,u");
	EQ(list.at[1].given, EVENT_GIVEN_TIME);
	OK(!list.at[1].no_time);
	EQ(parse_on("intel", "cycles/stack-size=70000/").n, 0);
	STR_EQ(error.what, "'stack-size=' needs a number up to 65528");
	EQ(parse_on("intel", "cycles/max-stack/").n, 0);
}
