// SPDX-License-Identifier: GPL-2.0-or-later
/* A module that is loaded while the kernel is recorded. */
#include <linux/module.h>

int late_work(int n);

noinline int late_work(int n)
{
	return n + 1;
}

static int __init late_init(void)
{
	return late_work(0) == 1 ? 0 : -EINVAL;
}

static void __exit late_exit(void)
{
}

module_init(late_init);
module_exit(late_exit);
MODULE_LICENSE("GPL");
