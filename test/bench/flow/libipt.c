/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Decode a raw trace with libipt, and measure the time.
 *
 * usage: libipt block|insn|packet TRACE [FILE OFF SIZE ADDR]...; FILE may be [vdso].
 * Prints: instructions (packets), blocks, errors, seconds of CPU time.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <intel-pt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct count { unsigned long long insns, blocks, errors; };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* The path of a file that holds our vDSO: as long as the kernel is that of the recording
 * it is the program's, too. */
static const char *vdso(size_t size)
{
	static char path[32];
	int fd = memfd_create("vdso", 0);

	if (fd < 0 || write(fd, (void *)getauxval(AT_SYSINFO_EHDR), size) < 0)
		perror("vdso");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

/* In a cache: without one, libipt maps a file anew whenever another's code runs. */
static struct pt_image *image(char **argv)
{
	struct pt_image *im = pt_image_alloc(NULL);
	struct pt_image_section_cache *cache = pt_iscache_alloc(NULL);
	int err;

	pt_iscache_set_limit(cache, 1ull << 32);
	for (; argv[0]; argv += 4) {
		unsigned long long size = strtoull(argv[2], NULL, 0);
		const char *path = strcmp(argv[0], "[vdso]") ? argv[0] : vdso(size);

		err = pt_iscache_add_file(cache, path, strtoull(argv[1], NULL, 0), size,
					  strtoull(argv[3], NULL, 0));
		if (err > 0)
			err = pt_image_add_cached(im, cache, err, NULL);
		if (err < 0)
			fprintf(stderr, "%s: %s\n", argv[0], pt_errstr(pt_errcode(err)));
	}
	return im;
}

static void blocks(struct pt_config *config, struct pt_image *im, struct count *n)
{
	struct pt_block_decoder *d = pt_blk_alloc_decoder(config);
	struct pt_event event;
	struct pt_block b;
	int status;

	pt_blk_set_image(d, im);
	while ((status = pt_blk_sync_forward(d)) >= 0) {
		for (;;) {
			while (status & pts_event_pending) {
				status = pt_blk_event(d, &event, sizeof(event));
				if (status < 0)
					break;
			}
			if (status < 0 || status & pts_eos)
				break;
			status = pt_blk_next(d, &b, sizeof(b));
			n->insns += b.ninsn;
			n->blocks++;
			if (status < 0)
				break;
		}
		if (status >= 0 || status == -pte_eos)
			break;
		n->errors++;
	}
	pt_blk_free_decoder(d);
}

static void insns(struct pt_config *config, struct pt_image *im, struct count *n)
{
	struct pt_insn_decoder *d = pt_insn_alloc_decoder(config);
	struct pt_event event;
	struct pt_insn insn;
	int status;

	pt_insn_set_image(d, im);
	while ((status = pt_insn_sync_forward(d)) >= 0) {
		for (;;) {
			while (status & pts_event_pending) {
				status = pt_insn_event(d, &event, sizeof(event));
				if (status < 0)
					break;
			}
			if (status < 0 || status & pts_eos)
				break;
			status = pt_insn_next(d, &insn, sizeof(insn));
			if (status < 0)
				break;
			n->insns++;
		}
		if (status >= 0 || status == -pte_eos)
			break;
		n->errors++;
	}
	pt_insn_free_decoder(d);
}

static void packets(struct pt_config *config, struct count *n)
{
	struct pt_packet_decoder *d = pt_pkt_alloc_decoder(config);
	struct pt_packet pkt;

	if (pt_pkt_sync_forward(d) >= 0)
		while (pt_pkt_next(d, &pkt, sizeof(pkt)) >= 0)
			n->insns++;
	pt_pkt_free_decoder(d);
}

int main(int argc, char **argv)
{
	struct pt_config config;
	struct count n = { 0 };
	struct pt_image *im;
	struct stat st;
	double start = now();
	int fd;

	if (argc < 3 || (argc - 3) % 4)
		return 2;
	fd = open(argv[2], O_RDONLY);
	if (fd < 0 || fstat(fd, &st))
		return perror(argv[2]), 1;
	pt_config_init(&config);
	config.begin = mmap(NULL, st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	config.end = config.begin + st.st_size;
	im = image(argv + 3);
	if (!strcmp(argv[1], "block"))
		blocks(&config, im, &n);
	else if (!strcmp(argv[1], "insn"))
		insns(&config, im, &n);
	else
		packets(&config, &n);
	printf("%llu %llu %llu %.6f\n", n.insns, n.blocks, n.errors, now() - start);
	return 0;
}
