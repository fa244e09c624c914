/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Runs a command, and kills it and its children at the entry of the Nth system call of all of them,
 * or of the Nth system call with the number CALL (whose first argument is FIRST). Sends SIGNAL to
 * PROCESS before that. Prints whether it was killed.
 * usage: killat N[@CALL[:FIRST[:SIGNAL:PROCESS]]] COMMAND [ARGUMENTS]
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SYSCALL_STOP = SIGTRAP | 0x80 };

/* Is it the entry of 'call' with the argument 'first', or of any if these are negative? */
static int enters(pid_t pid, long call, long first)
{
	struct __ptrace_syscall_info info;

	return ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) > 0 &&
	       info.op == PTRACE_SYSCALL_INFO_ENTRY &&
	       (call < 0 || (long)info.entry.nr == call) &&
	       (first < 0 || (long)info.entry.args[0] == first);
}

int main(int argc, char **argv)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
	pid_t child, pid;
	int status, signal, sent = 0, process = 0;
	long left, call = -1, first = -1;

	if (argc < 3)
		return 2;
	sscanf(argv[1], "%ld@%ld:%ld:%d:%d", &left, &call, &first, &sent, &process);
	child = fork();
	if (!child) {
		raise(SIGSTOP);
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	waitpid(child, &status, WUNTRACED);
	ptrace(PTRACE_SEIZE, child, 0, options);
	kill(child, SIGCONT);
	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		if (!WIFSTOPPED(status))
			continue;
		signal = WSTOPSIG(status);
		if (signal == SYSCALL_STOP && enters(pid, call, first) && !--left) {
			if (process)
				kill(process, sent);
			puts("killed");
			return 0;	/* which kills them all */
		}
		if (signal == SYSCALL_STOP || status >> 16)
			signal = 0;
		ptrace(PTRACE_SYSCALL, pid, 0, signal);
	}
	puts("ended");
	return 0;
}
