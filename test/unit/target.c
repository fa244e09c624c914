/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <signal.h>
#include <sys/wait.h>

#include <test.h>
#include <pt/target.h>

static char *command[] = { "true", NULL };

/* A Ctrl-C reaches the command, too, which may be before it runs. */
TEST(a_child_that_died_while_it_waited_does_not_end_pt)
{
	struct target_child child;
	siginfo_t info;

	EQ(target_prepare(&child, command, false, NULL), 0);
	kill(child.pid, SIGINT);
	EQ(waitid(P_PID, child.pid, &info, WEXITED | WNOWAIT), 0);
	EQ(target_start(&child), 0);
	EQ(waitpid(child.pid, NULL, 0), child.pid);
}
