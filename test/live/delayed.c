/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs a command, and delays it and its children by US microseconds after each system call with the
 * number CALL whose first argument is FIRST, as a busy machine may do.
 * usage: delayed US CALL FIRST COMMAND [ARGUMENTS]
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SYSCALL_STOP = SIGTRAP | 0x80, IDS = 1 << 22 };

static unsigned char delays[IDS];	/* by thread ID: it is in such a call */

static void look(pid_t pid, unsigned us, unsigned long call, unsigned long first)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0)
		return;
	if (info.op == PTRACE_SYSCALL_INFO_EXIT && delays[pid])
		usleep(us);
	delays[pid] = info.op == PTRACE_SYSCALL_INFO_ENTRY && info.entry.nr == call &&
		info.entry.args[0] == first;
}

int main(int argc, char **argv)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	int status, signal, result = 2;
	pid_t child, pid;

	if (argc < 5)
		return 2;
	child = fork();
	if (!child) {
		raise(SIGSTOP);
		execvp(argv[4], argv + 4);
		_exit(127);
	}
	waitpid(child, &status, WUNTRACED);
	ptrace(PTRACE_SEIZE, child, 0, options);
	kill(child, SIGCONT);
	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFEXITED(status) && pid == child)
			result = WEXITSTATUS(status);
		if (!WIFSTOPPED(status))
			continue;
		signal = WSTOPSIG(status);
		if (signal == SYSCALL_STOP)
			look(pid, atoi(argv[1]), strtoul(argv[2], NULL, 0),
			     strtoul(argv[3], NULL, 0));
		if (signal == SYSCALL_STOP || status >> 16)
			signal = 0;
		ptrace(PTRACE_SYSCALL, pid, 0, signal);
	}
	return result;
}
