/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Time: TSC, TMA, MTC, CYC and CBR packets to the TSC value at each point of
 * a trace, and TSC values to the kernel's nanoseconds.
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "Tracing and timing".
 */
#ifndef PT_CLOCK_H
#define PT_CLOCK_H

#include <pt/packet.h>

/* What the recording says of its clocks; zeros where it is not known. */
struct clock_setup {
	u32 ctc_n, ctc_d;	/* TSC ticks per CTC tick: CPUID leaf 15H */
	u32 mtc_shift;		/* MTCFreq: an MTC each 2^mtc_shift CTC ticks */
	u32 max_nonturbo;	/* TSC frequency / bus clock */
};

struct clock {
	struct clock_setup setup;
	u64 tsc;		/* now, as far as it is known; 0: not at all */
	u64 tsc_packet;		/* what the last TSC packet said */
	u64 reference;		/* TSC at the time of recording, until the first TSC packet */
	u64 buffer_reference;	/* the same, of this buffer, for wrap-around */
	u64 cycles;		/* counted while tracing was on */
	u32 cbr, cbr_payload;
	bool have_cyc;		/* CYC packets were seen: 'cycles' is exact */
	bool cycles_new;	/* 'cycles' was brought up to date since this was cleared */

	bool have_tma, fix_mtc;
	u32 last_mtc;
	u64 ctc_tsc, ctc_delta;
	u64 cyc_ref, cyc_n;	/* CYC time counts from here: TSC, cycles since */
	double cyc_ticks;	/* TSC ticks a cycle, measured; 0: not */
	double cbr_ticks;	/* the same by CBR */
	u64 mtc_cyc_tsc, mtc_cyc_base;	/* cycles by MTC, without CYC */
	u64 updates;		/* counts the times 'tsc' was set, however it was */
};

/* Nothing is known any more (a gap in the trace); 'reference' is of the next buffer. */
void clock_reset(struct clock *c, u64 reference);

/* A timing packet. 'after_cyc': the packet before it was a CYC. 'on' says that tracing
 * is on, 'in_psb' that this is a PSB+. */
void clock_tsc(struct clock *c, u64 tsc, bool after_cyc);
void clock_tma(struct clock *c, u32 ctc, u32 fast, bool on, bool in_psb);
bool clock_mtc(struct clock *c, u32 mtc, bool after_cyc, bool on);
void clock_cyc(struct clock *c, u64 cycles, bool on);
void clock_cbr(struct clock *c, u32 payload, bool on);

/* The MTCs that 'in' begins with, behind one, while tracing is off: as clock_mtc() of each.
 * Returns how many bytes they take. */
size_t clock_mtcs(struct clock *c, struct bytes in);

/* Where clock_mtc() was true a cycle is to be measured, up to the next such MTC, before there
 * is a CYC to clock_cyc() or time is asked for. 'ahead' may be anywhere between the two
 * while there was only flow; 'before' is the kind of the last packet, of the MTC itself that
 * of the CYC. Where the next MTC is met clock_measured() does the same without a
 * look; false if it may be that of a later one. */
void clock_measure(struct clock *c, struct packets ahead, u8 before);
bool clock_measured(struct clock *c, u32 mtc, bool after_cyc);

/* While 'cyc_n' stays below this, clock_cyc() may be put off: time does not come to 'until'.
 * 0: it may not. What was counted is made up for by clock_catch_up(). Before a cycle
 * is measured it is less. */
u64 clock_cycles_to(const struct clock *c, u64 until, bool measured);
void clock_catch_up(struct clock *c);

/* The time when 'n' cycles were counted since the last other sign of it; not before 'least'. */
u64 clock_at_cycle(const struct clock *c, u64 n, u64 least);

/* Tracing was switched on: cycles by MTC start here. */
void clock_on(struct clock *c);

/* TSC ticks to kernel time, as the perf mmap page tells (linux/perf_event.h). */
struct timescale {
	u64 shift, mult, zero;
	u64 cycles, mask;	/* cap_user_time_short */
	bool is_short;
};

u64 clock_from_tsc(const struct timescale *t, u64 tsc);
u64 clock_to_tsc(const struct timescale *t, u64 ns);
u64 clock_first_tsc(const struct timescale *t, u64 ns);	/* that is not before 'ns' */
u64 clock_ticks(const struct timescale *t, u64 ns);	/* a length */

#endif
