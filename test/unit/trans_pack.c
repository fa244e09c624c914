/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <test.h>
#include <pt/host.h>
#include <pt/last_ip.h>
#include <pt/packet.h>
#include <pt/record.h>
#include "src/record/trans_pack.h"

/* Made-up records. */
static u8 ring[1 << 16], *end = ring;

static void cond(const char *bits)
{
	while (*bits)
		*end++ = *bits++ == 'T';
}

static void branch(u8 tag, u64 ip)
{
	set64(end, ip << 8 | tag);
	end += 8;
}

static void slow_that_says(u32 more, u8 kind, u64 tsc, u64 ip)
{
	const struct agent_slow s = { REC_SLOW, kind, 2, more };
	const u64 all[2] = { tsc, ip };

	memcpy(end, &s, sizeof(s));
	memcpy(end + sizeof(s), all, sizeof(all));
	end += sizeof(s) + sizeof(all);
}

static void slow(u8 kind, u16 words, u64 tsc, u64 ip, u64 value)
{
	const struct agent_slow s = { REC_SLOW, kind, words, kind == SLOW_PTWRITE ? 8 : 0 };
	const u64 all[3] = { tsc, ip, value };

	memcpy(end, &s, sizeof(s));
	memcpy(end + sizeof(s), all, 8 * words);
	end += sizeof(s) + 8 * words;
}

/* The packets that came of them, as words. */
static u8 packets[1 << 16];
static u32 n_packets;
static char words[1 << 16];

static void keep(void *who, struct trans_pack *p)
{
	memcpy(packets + n_packets, p->buf, p->at - p->buf);
	n_packets += p->at - p->buf;
}

static const char *const names[N_PACKET_KINDS] = {
	[PACKET_TIP] = "tip", [PACKET_TIP_PGE] = "pge", [PACKET_TIP_PGD] = "pgd",
	[PACKET_FUP] = "fup", [PACKET_MTC] = "mtc", [PACKET_TSC] = "tsc", [PACKET_TMA] = "tma",
	[PACKET_CBR] = "cbr", [PACKET_MODE_EXEC] = "mode", [PACKET_PSB] = "psb",
	[PACKET_PSBEND] = "psbend", [PACKET_OVF] = "ovf", [PACKET_CYC] = "cyc",
	[PACKET_PTW] = "ptw",
};

static char *add_tnt(char *to, const struct packet *pkt)
{
	u32 i;

	for (i = pkt->count; i--; )
		*to++ = pkt->payload >> i & 1 ? 'T' : 'n';
	return to;
}

/* Branches of neighbouring TNTs are one word; 'timing' packets only if asked for. */
static void spell(bool timing)
{
	struct packets all = { .rest = { packets, n_packets } };
	struct last_ip last = { 0 };
	struct packet pkt;
	char *to = words;
	bool tnt = false;

	while (packet_next(&all, &pkt)) {
		bool time = pkt.kind == PACKET_MTC || pkt.kind == PACKET_TSC ||
			pkt.kind == PACKET_TMA || pkt.kind == PACKET_CBR || pkt.kind == PACKET_CYC;
		u64 ip = 0;

		if (pkt.kind == PACKET_PAD || (time && !timing))
			continue;
		if (to != words && !(tnt && pkt.kind == PACKET_TNT))
			*to++ = ' ';
		tnt = pkt.kind == PACKET_TNT;
		if (pkt.kind == PACKET_PSB)
			last_ip_reset(&last);
		if (tnt) {
			to = add_tnt(to, &pkt);
			continue;
		}
		to += sprintf(to, "%s", names[pkt.kind] ? names[pkt.kind] : "?");
		if (pkt.kind == PACKET_MTC || pkt.kind == PACKET_TSC || pkt.kind == PACKET_CYC ||
		    pkt.kind == PACKET_PTW)
			to += sprintf(to, ":%llu", pkt.payload);
		if (pkt.kind == PACKET_TIP || pkt.kind == PACKET_TIP_PGE ||
		    pkt.kind == PACKET_FUP) {
			last_ip_update(&last, &pkt, &ip);
			to += sprintf(to, ":%llx", ip);
		}
	}
	*to = 0;
}

static struct pack_clock default_clock = { PT_CFG_TSC | PT_CFG_MTC | PT_CFG_BRANCH |
	3 << PT_CFG_MTC_PERIOD | 3 << PT_CFG_PSB_PERIOD, .ctc_n = 100, .ctc_d = 1, .cbr = 20 };
static u8 buf[PACK_BUFFER];

static struct trans_pack begin(const struct pack_clock *clock)
{
	struct trans_pack p = { .clock = clock, .buf = buf, .full = keep };

	n_packets = 0;
	end = ring;
	trans_pack_start(&p);
	return p;
}

/* Take all records; they are gone then. */
static void take(struct trans_pack *p)
{
	bool pad;

	EQ(trans_pack(p, (struct bytes){ ring, end - ring }, &pad), end - ring);
	OK(!pad);
	trans_pack_flush(p);
	end = ring;
}

#define HEAD "psb psbend mode pge:401000 "

TEST(branches_are_tnts_and_targets_tips)
{
	struct trans_pack p = begin(&default_clock);

	slow(SLOW_ON, 2, 1000, 0x401000, 0);
	cond("TnTnnnTT");
	branch(REC_INDIRECT, 0x402000);
	branch(REC_INDIRECT, 0x7fff12345678);
	cond("T");
	branch(REC_INDIRECT, 0xffffffffff600000);
	slow(SLOW_OFF, 2, 2000, 0x402010, 0);
	take(&p);
	spell(false);
	STR_EQ(words, HEAD "TnTnnnTT tip:402000 tip:7fff12345678 T tip:ffffffffff600000 pgd");
}

/* Or a decoder would add all that the TSC counted to the TSC itself. */
TEST(cycles_are_counted_from_the_first_time_on)
{
	struct pack_clock clock = default_clock;
	struct trans_pack p = begin(&clock);
	struct packets all;
	struct packet pkt;

	clock.config |= PT_CFG_CYC;
	slow(SLOW_ON, 2, 1ull << 40, 0x401000, 0);
	cond("nTnT");
	slow(SLOW_OFF, 2, (1ull << 40) + 5000, 0x402010, 0);
	take(&p);
	all = (struct packets){ .rest = { packets, n_packets } };
	while (packet_next(&all, &pkt))
		OK(pkt.kind != PACKET_CYC || pkt.payload <= 5000);
}

/* As of a thread that is killed while it writes one. */
TEST(branches_before_half_a_record_are_told_once)
{
	struct trans_pack p = begin(&default_clock);
	bool pad;

	slow(SLOW_ON, 2, 1000, 0x401000, 0);
	take(&p);
	cond("nTnT");
	slow(SLOW_OFF, 2, 2000, 0x402010, 0);
	EQ(trans_pack(&p, (struct bytes){ ring, 4 + 8 }, &pad), 4);
	trans_pack_flush(&p);
	spell(false);
	STR_EQ(words, HEAD "nTnT");
}

TEST(any_number_of_branches_between_two_targets)
{
	u32 n, i, run;

	for (run = 0; run < 400; run++) {
		struct trans_pack p = begin(&default_clock);
		char want[512] = HEAD, *to = want + strlen(want);

		n = run / 2;
		default_clock.vectors = run & 1 && host_has_ssse3();
		slow(SLOW_ON, 2, 1000, 0x401000, 0);
		for (i = 0; i < n; i++) {
			bool taken = (i * i + n) % 7 < 3;

			*end++ = taken;
			*to++ = taken ? 'T' : 'n';
		}
		branch(REC_INDIRECT, 0x401234);
		slow(SLOW_OFF, 2, 2000, 0, 0);
		take(&p);
		spell(false);
		sprintf(to, "%stip:401234 pgd", n ? " " : "");
		STR_EQ(words, want);
	}
}

/* Where a decoder may begin is known by the writer, who forgets the calls there. */
TEST(psbs_come_where_calls_are_forgotten)
{
	struct trans_pack p = begin(&default_clock);
	u32 i, j;

	slow(SLOW_ON, 2, 1000, 0x401000, 0);
	for (i = 0; i < 40; i++) {
		for (j = 0; j < 100; j++)
			branch(REC_INDIRECT, j & 1 ? 0x401000 : 0x7fff00000000);
		slow(SLOW_STAMP, 2, 2000 + i, 0x401000, 0);
	}
	slow_that_says(AGENT_FORGOT, SLOW_STAMP, 3000, 0x401000);
	branch(REC_INDIRECT, 0x401004);
	take(&p);
	spell(false);
	OK(strstr(words, " tip:401000 psb mode fup:401000 psbend tip:401004"));
}

TEST(a_signal_interrupts_and_its_handler_begins)
{
	struct trans_pack p = begin(&default_clock);

	slow(SLOW_ON, 2, 1000, 0x401000, 0);
	cond("T");
	slow(SLOW_INTERRUPT, 2, 1100, 0x401010, 0);
	slow(SLOW_ON, 2, 1200, 0x402000, 0);
	slow(SLOW_OFF, 2, 1300, 0x402010, 0);
	slow(SLOW_OFF, 2, 1300, 0x402010, 0);	/* it is off: nothing more to say */
	take(&p);
	spell(false);
	STR_EQ(words, HEAD "T fup:401010 pgd pge:402000 pgd");
}

TEST(code_that_was_just_made_begins_the_trace_again)
{
	struct trans_pack p = begin(&default_clock);

	slow(SLOW_ON, 2, 1000, 0x401000, 0);
	cond("T");
	slow(SLOW_CODE, 2, 1100, 0x402000, 0);
	cond("n");
	slow(SLOW_OFF, 2, 1300, 0x402010, 0);
	slow(SLOW_CODE, 2, 1400, 0x403000, 0);
	take(&p);
	spell(false);
	STR_EQ(words, HEAD "T fup:402000 pgd pge:402000 n pgd");
}

/* Its time is in the trace before it runs. */
TEST(code_that_another_thread_has_mapped_begins_the_trace_again)
{
	struct trans_pack p = begin(&default_clock);

	slow(SLOW_ON, 2, 1000, 0x401000, 0);
	branch(REC_INDIRECT, 0x402000);
	slow_that_says(AGENT_NEW_CODE, SLOW_STAMP, 1100, 0x402000);
	cond("n");
	slow(SLOW_OFF, 2, 1300, 0x402010, 0);
	slow_that_says(AGENT_NEW_CODE, SLOW_ON, 1400, 0x403000);
	take(&p);
	spell(true);
	STR_EQ(strstr(words, " tip"), " tip:402000 fup:402000 pgd tsc:1100 tma pge:402000 n pgd"
	       " tsc:1400 tma pge:403000");
}

TEST(what_ran_before_code_changed_has_a_time_before)
{
	struct trans_pack p = begin(&default_clock);	/* an MTC every 800 ticks */
	u32 i, n = 0;
	char *at, *change;

	slow(SLOW_ON, 2, 800, 0x401000, 0);
	for (i = 0; i < 2048; i++)
		cond("T");
	slow(SLOW_BEFORE, 1, 800 + 4 * 800, 0, 0);
	slow_that_says(AGENT_NEW_CODE, SLOW_STAMP, 800 + 16 * 800, 0x401000);
	take(&p);
	spell(true);
	change = strstr(words, "mtc:5");
	for (at = words; change && at < change; at++)
		n += *at == 'T' && at[1] != 'S';
	EQ(n, 2048);
}

TEST(ptwrite_stands_where_it_was)
{
	struct pack_clock clock = default_clock;
	struct trans_pack p;

	clock.config |= PT_CFG_PTW | PT_CFG_FUP_ON_PTW;
	p = begin(&clock);
	slow(SLOW_ON, 2, 1000, 0x401000, 0);
	cond("Tn");
	slow(SLOW_PTWRITE, 3, 1100, 0x401020, 42);
	cond("T");
	slow(SLOW_OFF, 2, 1300, 0x402010, 0);
	take(&p);
	spell(false);
	STR_EQ(words, HEAD "Tn ptw:42 fup:401020 T pgd");
}

TEST(time_between_two_stamps_is_shared_out)
{
	struct trans_pack p = begin(&default_clock);	/* an MTC every 800 ticks */
	u32 i, n = 0, marks = 0;
	const char *at;

	slow(SLOW_ON, 2, 800, 0x401000, 0);
	for (i = 0; i < 4096; i++)
		cond("T");
	slow(SLOW_STAMP, 2, 800 + 16 * 800, 0x401000, 0);
	take(&p);
	spell(true);
	/* Wherever an MTC is, it says how many of the branches were before it. */
	for (at = strstr(words, "401000") + 6; *at; at++) {
		n += *at == 'T';
		if (strncmp(at, "mtc:", 4))
			continue;
		i = atoi(at + 4);
		OK(i >= 1 + 16 * n / 4096 && i <= 2 + 16 * n / 4096);
		marks++;
	}
	EQ(n, 4096);
	EQ(i, 17);
	OK(marks > 4);
}

/* Else all samples by time would be where indirect branches and returns lead to. */
TEST(time_does_not_prefer_places_after_targets)
{
	struct trans_pack p = begin(&default_clock);
	u32 i, marks = 0, after_target = 0;
	const char *at;

	slow(SLOW_ON, 2, 800, 0x401000, 0);
	for (i = 0; i < 3000; i++) {
		branch(REC_INDIRECT, 0x401000);
		cond("TTTTTTTTT");
	}
	slow(SLOW_STAMP, 2, 800 + 200 * 800, 0x401000, 0);
	take(&p);
	spell(true);
	for (at = strstr(words, " mtc"); at; at = strstr(at + 1, " mtc")) {
		marks++;
		after_target += at[-1] != 'T';
	}
	OK(marks > 30);
	OK(after_target < marks / 3);
}

TEST(a_long_time_is_told_by_tsc)
{
	struct trans_pack p = begin(&default_clock);

	slow(SLOW_ON, 2, 800, 0x401000, 0);
	slow(SLOW_OFF, 2, 80000000, 0x401000, 0);
	slow(SLOW_ON, 2, 70000000, 0x401000, 0);	/* another processor's counter */
	take(&p);
	spell(true);
	STR_EQ(words, "psb tsc:800 tma cbr psbend mode pge:401000 tsc:80000000 tma pgd "
	       "pge:401000");
}

TEST(cycles_add_up_to_the_time)
{
	struct pack_clock clock = default_clock;
	struct packets all;
	struct packet pkt;
	struct trans_pack p;
	u64 sum = 0;
	u32 i;

	clock.config |= PT_CFG_CYC;
	p = begin(&clock);
	slow(SLOW_ON, 2, 1000, 0x401000, 0);
	for (i = 0; i < 3000; i++)
		cond("T");
	slow(SLOW_STAMP, 2, 91000, 0x401000, 0);
	take(&p);
	all = (struct packets){ .rest = { packets, n_packets } };
	while (packet_next(&all, &pkt)) {
		OK(pkt.kind != PACKET_BAD);
		if (pkt.kind == PACKET_CYC)
			sum += pkt.payload;
	}
	EQ(sum, 91000 - 1000);	/* the first TSC tells the first 1000 */
}

TEST(whatever_the_program_wrote_over_its_ring_is_a_gap)
{
	struct trans_pack p = begin(&default_clock);
	u32 seed = 1, i, n;
	bool pad;

	slow(SLOW_ON, 2, 1000, 0x401000, 0);
	branch(77, 0x401000);
	take(&p);
	spell(false);
	STR_EQ(words, HEAD "ovf");
	for (n = 0; n < 2000; n++) {
		u8 *some = malloc(1024 + 8);

		for (i = 0; i < 1024; i++) {
			seed = seed * 1103515245 + 12345;
			some[i] = seed >> 24 < 200 ? seed >> 16 & 1 : (seed >> 16) % 7;
		}
		p = begin(&default_clock);
		trans_pack(&p, (struct bytes){ some, seed >> 16 & 1023 }, &pad);
		trans_pack_flush(&p);
		free(some);
	}
}

TEST(a_record_that_is_not_whole_waits)
{
	struct trans_pack p = begin(&default_clock);
	u32 size;
	bool pad;

	slow(SLOW_ON, 2, 1000, 0x401000, 0);
	size = end - ring;
	EQ(trans_pack(&p, (struct bytes){ ring, size - 1 }, &pad), 0);
	EQ(trans_pack(&p, (struct bytes){ ring, size }, &pad), size);
	slow(SLOW_PAD, 0, 0, 0, 0);
	cond("TTT");
	EQ(trans_pack(&p, (struct bytes){ ring + size, end - ring - size }, &pad), 8);
	OK(pad);
}
