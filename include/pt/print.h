/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Values to text. The callers decide what is printed.
 */
#ifndef PT_PRINT_H
#define PT_PRINT_H

#include <pt/packet.h>

struct out;
struct perf_file;

/* Packets that share one line on a terminal: see short_packets.c. */
struct packet_run {
	u64 off, n;		/* offset of the first; number of packets */
	struct packet first;
	u64 last;		/* payload */
	u8 size, bytes[16];	/* of the first */
};

/* State of printing trace bytes as lines, one for each packet, like 'perf script -D'. A zeroed
 * struct is the start of a buffer; its bytes come in pieces of any size. */
struct packet_lines {
	u64 off;		/* printed offset of the next line */
	u8 item;		/* as in struct packets */
	u8 n_kept;		/* bytes that are not yet printed */
	u8 kept[16];
	struct packet_run run;
};

void print_packets(struct out *out, struct packet_lines *l, struct bytes piece);

/* At the end of the buffer: print the bytes that are left. */
void print_packets_end(struct out *out, struct packet_lines *l);

/* Print a line for each packet while at least 'least' bytes are left, and return those bytes. If
 * 'least' is less than PACKET_MAX, zeros must follow 'in'. */
struct bytes print_packet_lines(struct out *out, struct packet_lines *l, struct bytes in,
				size_t least);

/* The same with lines that fit a terminal. short_packets_flush() prints the last line. */
struct bytes short_packets(struct out *out, struct packet_lines *l, struct bytes in, size_t least);
void short_packets_flush(struct out *out, struct packet_lines *l);

/* Write a packet as text, "TIP 0x401000", of at most PACKET_TEXT bytes. Returns the end of the
 * text. */
enum { PACKET_TEXT = 128 };
char *put_packet(char *p, const struct packet *pkt);

/* Call this before the first put_packet() or print_packet_lines(). */
void print_packet_start(void);

/* Print every record of 'f' like 'perf script -D': raw bytes, text, and the packets of its trace.
 * Returns 0 or -errno; '*why' is set as by perf_next(). */
int print_perf(struct out *out, struct perf_file *f, const char **why);

#endif
