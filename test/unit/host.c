/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <cpuid.h>

#include <test.h>
#include <pt/host.h>

TEST(the_ratio_of_the_tsc_is_that_of_leaf_15h_and_a_tick_of_the_crystal_has_many)
{
	unsigned int a = 0, b = 0, c, d;
	u32 n, of;

	host_tsc_ratio(&n, &of);
	if (!__get_cpuid_count(0x15, 0, &a, &b, &c, &d) || !a || !b) {
		EQ(n, 0);
		SKIP("this processor does not know it");
	}
	OK(n > of);
	EQ((u64)n * a, (u64)of * b);
}

TEST(the_processor_is_named_by_its_maker_family_model_and_stepping)
{
	char name[HOST_NAME];
	unsigned int a, b, c, d, family;

	host_cpuid(name);
	if (!__get_cpuid(1, &a, &b, &c, &d))
		SKIP("this processor has no CPUID");
	family = a >> 8 & 15;
	family += family == 15 ? a >> 20 & 255 : 0;
	EQ(atoi(strchr(name, ',') + 1), family);
	EQ(atoi(strrchr(name, ',') + 1), a & 15);
}

TEST(names_have_one_space_between_words)
{
	char names[2][HOST_NAME];
	int i;

	host_cpu_name(names[0]);
	host_hypervisor(names[1]);
	for (i = 0; i < 2; i++) {
		OK(!strstr(names[i], "  "));
		OK(*names[i] != ' ');
		OK(!*names[i] || names[i][strlen(names[i]) - 1] != ' ');
	}
}
