/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Values to text. Nothing here decides what is printed.
 */
#ifndef PT_PRINT_H
#define PT_PRINT_H

#include <pt/packet.h>

struct out;
struct perf_file;

/* Packets that are one line on a terminal: see short_packets.c. */
struct packet_run {
	u64 off, n;		/* where it begins; how many they are, 0: there is none */
	struct packet first;
	u64 last;		/* payload */
	u8 size, bytes[16];	/* of the first */
};

/* Trace bytes as lines, one a packet, as 'perf script -D' has them. A zeroed
 * struct is the start of a buffer; its bytes come in pieces of any size. */
struct packet_lines {
	u64 off;		/* of the next line, as it is printed */
	u8 item;		/* as in struct packets */
	u8 n_kept;		/* bytes seen, but not printed yet */
	u8 kept[16];
	struct packet_run run;
};

void print_packets(struct out *out, struct packet_lines *l, struct bytes piece);

/* The buffer ends here: what is left of it is printed. */
void print_packets_end(struct out *out, struct packet_lines *l);

/* print_packets() where lines have to fit: a line for each packet while at least 'least' bytes
 * are left; returns those. The last line is printed by the flush. */
struct bytes short_packets(struct out *out, struct packet_lines *l, struct bytes in, size_t least);
void short_packets_flush(struct out *out, struct packet_lines *l);

/* A packet in words, "TIP 0x401000", of at most PACKET_TEXT bytes. Returns
 * where they stop. */
enum { PACKET_TEXT = 128 };
char *put_packet(char *p, const struct packet *pkt);

/* Every record of 'f' as 'perf script -D' has it, in raw bytes and in words,
 * with the packets of its trace. 0 or -errno; '*why' as perf_next() sets it. */
int print_perf(struct out *out, struct perf_file *f, const char **why);

#endif
