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

/* The clocks of a recording; zeros if unknown. */
struct clock_setup {
	u32 ctc_n, ctc_d;	/* TSC ticks per CTC tick: CPUID leaf 15H */
	u32 mtc_shift;		/* MTCFreq: an MTC each 2^mtc_shift CTC ticks */
	u32 max_nonturbo;	/* TSC frequency / bus clock */
};

struct clock {
	struct clock_setup setup;
	u64 tsc;		/* the time now, as far as it is known; 0: unknown */
	u64 tsc_packet;		/* the value of the last TSC packet */
	u64 reference;		/* TSC at the time of recording, until the first TSC packet */
	u64 buffer_reference;	/* the same for this buffer, for wrap-around */
	u64 cycles;		/* counted while tracing was on */
	u32 cbr, cbr_payload;
	bool have_cyc;		/* CYC packets were seen: 'cycles' is exact */
	bool cycles_new;	/* 'cycles' was updated since this was cleared */

	bool have_tma, fix_mtc;
	u32 last_mtc;
	u64 ctc_tsc, ctc_delta;
	u64 cyc_ref, cyc_n;	/* CYC time counts from here: TSC, cycles since */
	double cyc_ticks;	/* TSC ticks per cycle, measured; 0: not measured */
	double cbr_ticks;	/* the same by CBR */
	u64 mtc_cyc_tsc, mtc_cyc_base;	/* cycles by MTC, without CYC */
	u64 updates;		/* how often 'tsc' was set */
};

/* The time is unknown from here on (a gap in the trace); 'reference' is that of the next buffer. */
void clock_reset(struct clock *c, u64 reference);

/* A timing packet. 'after_cyc': the packet before it was a CYC. 'on': tracing is on. 'in_psb': it
 * is in a PSB+. */
void clock_tsc(struct clock *c, u64 tsc, bool after_cyc);
void clock_tma(struct clock *c, u32 ctc, u32 fast, bool on, bool in_psb);
bool clock_mtc(struct clock *c, u32 mtc, bool after_cyc, bool on);
void clock_cyc(struct clock *c, u64 cycles, bool on);
void clock_cbr(struct clock *c, u32 payload, bool on);

/* The MTCs at the front of 'in', while tracing is off: the same as clock_mtc() for each. An MTC was
 * read directly before (the first MTC after a TMA completes that). Returns how many bytes they
 * have. */
size_t clock_mtcs(struct clock *c, struct bytes in);

/* If clock_mtc() returned true, a cycle has to be measured, up to the next such MTC, before
 * clock_cyc() is called or the time is needed. 'ahead' may be anywhere between the two MTCs if
 * there are only flow packets; 'before' is the kind of the last packet, for the MTC itself that
 * of the CYC. When the next MTC is read, clock_measured() does the same without a look ahead; it
 * returns false if that MTC may be a later one. */
void clock_measure(struct clock *c, struct packets ahead, u8 before);
bool clock_measured(struct clock *c, u32 mtc, bool after_cyc);

/* While 'cyc_n' stays below this, clock_cyc() may be postponed: time does not reach 'until'. 0:
 * it may not. clock_catch_up() makes up for the counted cycles. Before a cycle is measured the
 * value is less. */
u64 clock_cycles_to(const struct clock *c, u64 until, bool measured);
void clock_catch_up(struct clock *c);

/* The time when 'n' cycles were counted since the last other timing packet; not before 'least'. */
u64 clock_at_cycle(const struct clock *c, u64 n, u64 least);

/* Tracing was switched on: cycles by MTC start here. */
void clock_on(struct clock *c);

/* TSC ticks to kernel time, as described in the perf mmap page (linux/perf_event.h). */
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
