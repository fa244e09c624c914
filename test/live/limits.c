/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Limits its memory, and then uses what natively is within the limit: threads, a command, memory.
 * limits small: of a small limit it uses most.
 * limits child: a child limits its own memory; then there are many other children. limits forked: a
 * child does what 'limits' does; then threads of the parent come and go.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MB = 1 << 20, LIMIT = 400 * MB };

static void *work(void *n)
{
	memset(n, 1, MB);
	return n;
}

static int small(void)
{
	struct rlimit limit = { 64 * MB, 64 * MB };
	char *memory;

	if (setrlimit(RLIMIT_AS, &limit))
		return 1;
	memory = malloc(50 * MB);
	printf("%s\n", memory ? "50 MB" : "too much");
	return !memory || !memset(memory, 1, 50 * MB);
}

static int children(void)
{
	struct rlimit limit = { 64 * MB, 64 * MB };
	int go[2], i, made = 0;
	char c;

	if (!fork())
		_exit(setrlimit(RLIMIT_AS, &limit));
	if (wait(NULL) < 0 || pipe(go))
		return 1;
	for (i = 0; i < 40; i++) {
		int pid = fork();

		if (!pid) {
			close(go[1]);
			_exit(read(go[0], &c, 1));
		}
		made += pid > 0;
	}
	close(go[1]);
	while (wait(NULL) > 0)
		;
	printf("%d children\n", made);
	return 0;
}

static int threads(void)
{
	pthread_t threads[8];
	int i, made = 0;

	for (i = 0; i < 8; i++)
		made += !pthread_create(&threads[i], NULL, work, malloc(MB));
	for (i = 0; i < made; i++)
		pthread_join(threads[i], NULL);
	return made;
}

int main(int argc, char **argv)
{
	struct rlimit limit = { LIMIT, LIMIT };
	int made;

	if (argc > 1 && *argv[1] == 'c')
		return children();
	if (argc > 1 && *argv[1] == 's')
		return small();
	if (argc > 1 && fork()) {
		made = wait(NULL) > 0 ? threads() : 0;
		printf("%d threads of the parent, status %d\n", made, system("exit 4") >> 8);
		return 0;
	}
	if (setrlimit(RLIMIT_AS, &limit))
		return 1;
	made = threads();
	printf("%d threads, status %d, ", made, system("exit 3") >> 8);
	printf("%d\n", malloc(100 * MB) != NULL);
	return 0;
}
