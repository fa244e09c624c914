/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Ways to die by a signal: crash WAY
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct node { volatile int value; struct node *next; };

static volatile int zero;
static void (*volatile callback)(void);

__attribute__((noinline)) int walk(struct node *n)
{
	volatile int sum = 0;

	for (;; n = n->next)
		sum += n->value;
	return sum;
}

__attribute__((noinline)) static int list(void)
{
	struct node c = { 3, NULL }, b = { 2, &c }, a = { 1, &b };

	return walk(&a) + 1;
}

__attribute__((noinline)) int divide(int by)
{
	return 100 / by;
}

__attribute__((noinline)) int deep(volatile char *before)
{
	volatile char room[256];

	room[0] = *before | 1;
	return room[0] ? deep(room) + room[0] : 0;
}

__attribute__((noinline)) void call_back(void)
{
	callback();
	zero++;
}

__attribute__((noinline)) void smash(char fill)
{
	char room[16];
	volatile char *p = room;
	int i;

	for (i = 0; i < 64; i++)
		p[i] = fill;
}

static void handler(int signo)
{
	walk(NULL);
}

__attribute__((noinline)) static void in_handler(void)
{
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	zero++;
}

static void *thread(void *arg)
{
	usleep(1000);
	walk(NULL);
	return arg;
}

__attribute__((noinline)) static void in_thread(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
}

__attribute__((noinline)) static pid_t new_process(void)
{
	pid_t pid = fork();

	zero++;
	return pid;
}

__attribute__((noinline)) static void in_child(void)
{
	if (new_process())
		wait(NULL);
	else
		walk(NULL);
}

__attribute__((noinline)) static void write_const(void)
{
	*(volatile char *)"const" = 1;
}

__attribute__((noinline)) static void illegal(void)
{
	__asm__ volatile("ud2");
}

int main(int argc, char **argv)
{
	const char *way = argv[argc - 1];

	if (!strcmp(way, "list"))
		list();
	if (!strcmp(way, "divide"))
		zero = divide(zero);
	if (!strcmp(way, "deep"))
		deep((char *)way);
	if (!strcmp(way, "null"))
		call_back();
	if (!strcmp(way, "smash"))
		smash('A');
	if (!strcmp(way, "handler"))
		in_handler();
	if (!strcmp(way, "thread"))
		in_thread();
	if (!strcmp(way, "child"))
		in_child();
	if (!strcmp(way, "const"))
		write_const();
	if (!strcmp(way, "illegal"))
		illegal();
	if (!strcmp(way, "abort"))
		abort();
	if (!strcmp(way, "assert"))
		assert(zero);
	if (!strcmp(way, "term"))
		raise(SIGTERM);
	return 0;
}
