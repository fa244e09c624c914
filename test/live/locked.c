/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Locks its memory, and says if that is more than 300 MB, and if a core file would be larger. Other
 * threads begin meanwhile.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static void *begin(void *none)
{
	return none;
}

static void *begin_some(void *none)
{
	pthread_t t;
	int i;

	for (i = 0; i < 200; i++) {
		pthread_create(&t, NULL, begin, NULL);
		pthread_join(t, NULL);
	}
	return none;
}

int main(void)
{
	unsigned long locked = 0, dumped = 0, size = 0, kb;
	pthread_t t;
	char line[512];
	FILE *f;
	int i;

	pthread_create(&t, NULL, begin_some, NULL);
	for (i = 0; i < 5; i++)
		mlockall(MCL_CURRENT);
	pthread_join(t, NULL);
	f = fopen("/proc/self/smaps", "r");
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "Size: %lu", &kb) == 1)
			size = kb;
		if (sscanf(line, "Locked: %lu", &kb) == 1)
			locked += kb;
		if (!strncmp(line, "VmFlags:", 8) && !strstr(line, " dd"))
			dumped += size;
	}
	fclose(f);
	printf("locked %d, dumped %d\n", locked > 300000, dumped > 300000);
	return 6;
}
