/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A perf PMU called "intel_pt", for machines without Intel PT: a kernel module.
 *
 * User space sees the same interface as with the kernel's Intel PT driver (sysfs names, checks of
 * config, the protocol of the AUX buffer, truncation, snapshots, tasks and CPUs, address filters).
 * The module fills the AUX buffer with a correct trace of the traced tasks' user code: it
 * single-steps them with EFLAGS.TF from inside the kernel and encodes what happened. It also keeps
 * a list of what happened ('truth'), to compare with the result of a decoder. In the kernel it
 * traces one function, which runs when a number is written to 'kernel_run', and the functions that
 * it calls. The samples of a second PMU, "fake_pebs", are written into the trace.
 *
 * It takes over single steps of user tasks, so use it only in a guest that is discarded afterwards.
 * For Linux 6.1.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/kdebug.h>
#include <linux/kprobes.h>
#include <linux/gcd.h>
#include <linux/kernel.h>
#include <linux/sort.h>
#include <linux/uaccess.h>
#include <linux/user-return-notifier.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/sysfs.h>
#include <asm/debugreg.h>
#include <asm/processor.h>
#include <asm/ptrace.h>
#include <asm/tsc.h>

/* ------------------------------------------------------------ parameters */

static char *preset = "skl";
module_param(preset, charp, 0444);
MODULE_PARM_DESC(preset, "capabilities: bdw, skl (default), adl");
static int async = 1;
module_param(async, int, 0644);
MODULE_PARM_DESC(async, "FUP/PGD/PGE at every kernel entry, as hardware does");
static int longtnt = 1;
module_param(longtnt, int, 0644);
MODULE_PARM_DESC(longtnt, "gather up to 47 TNT bits (0: 6)");
static int ipvary;
module_param(ipvary, int, 0644);
MODULE_PARM_DESC(ipvary, "rotate through every IP compression that fits");
static int psb_on_start;
module_param(psb_on_start, int, 0644);
MODULE_PARM_DESC(psb_on_start, "PSB+ at every (re)start, not just the event's first");
static int tsc_switch = 1;
module_param(tsc_switch, int, 0644);
MODULE_PARM_DESC(tsc_switch, "a TSC packet where another task comes to run without a restart");
static int ovf_every;
module_param(ovf_every, int, 0644);
MODULE_PARM_DESC(ovf_every, "inject an internal overflow (OVF) after this many bytes");
static int ovf_len = 200;
module_param(ovf_len, int, 0644);
MODULE_PARM_DESC(ovf_len, "how many instructions an injected overflow swallows");
static int fail_errno;
module_param(fail_errno, int, 0644);
MODULE_PARM_DESC(fail_errno, "make perf_event_open fail with this errno (16: EBUSY)");
static unsigned long old;
module_param(old, ulong, 0644);
MODULE_PARM_DESC(old, "flags of perf_event_attr that this kernel shall not know; bit 63: PERF_FORMAT_LOST");
static int truth_mb;
module_param(truth_mb, int, 0444);
MODULE_PARM_DESC(truth_mb, "MiB kept for the log of every branch (file 'truth')");
static int ratio = 26;
module_param(ratio, int, 0444);
MODULE_PARM_DESC(ratio, "max_nonturbo_ratio");
static char *nf_s = "216:2";
module_param_named(tsc_art, nf_s, charp, 0444);
MODULE_PARM_DESC(tsc_art, "tsc_art_ratio (CPUID 15H EBX:EAX); 0:0 for not enumerated");
static unsigned int art_num = 216, art_den = 2;

static atomic64_t st_bytes, st_steps, st_starts, st_pmi, st_trunc, st_fail,
		  st_odd, st_ovf, st_opens, st_branches, st_unread;

static int stats_get(char *b, const struct kernel_param *kp)
{
	return sprintf(b, "opens=%lld starts=%lld bytes=%lld steps=%lld branches=%lld pmi=%lld truncated=%lld startfail=%lld ovf=%lld odd=%lld unread=%lld\n",
		(s64)atomic64_read(&st_opens), (s64)atomic64_read(&st_starts),
		(s64)atomic64_read(&st_bytes), (s64)atomic64_read(&st_steps),
		(s64)atomic64_read(&st_branches), (s64)atomic64_read(&st_pmi),
		(s64)atomic64_read(&st_trunc), (s64)atomic64_read(&st_fail),
		(s64)atomic64_read(&st_ovf), (s64)atomic64_read(&st_odd),
		(s64)atomic64_read(&st_unread));
}
static int stats_set(const char *v, const struct kernel_param *kp)
{
	atomic64_t *a[] = { &st_bytes, &st_steps, &st_starts, &st_pmi, &st_trunc,
			    &st_fail, &st_odd, &st_ovf, &st_opens, &st_branches, &st_unread };
	int i;

	for (i = 0; i < ARRAY_SIZE(a); i++)
		atomic64_set(a[i], 0);
	return 0;
}
static const struct kernel_param_ops stats_ops = { .get = stats_get, .set = stats_set };
module_param_cb(stats, &stats_ops, NULL, 0644);

/* ------------------------------------------------------------------ truth */

/* what really happened, to compare a decoder's answer with */
struct truth { u64 from, to, tsc; u32 tid; u16 cpu; u16 kind; };
enum { C_NONE, C_JCC, C_JMP, C_CALL, C_RET, C_IJMP, C_ICALL, C_FAR, C_UNK,
       K_PGE = 16, K_PGD, K_APGD, K_OVF, K_NOTTAKEN };
static struct truth *truth;
static u64 truth_max;
static atomic64_t truth_n;

static void truth_log(u32 tid, u64 tsc, u64 from, u64 to, int kind)
{
	u64 i;

	if (!truth)
		return;
	i = atomic64_inc_return(&truth_n) - 1;
	if (i < truth_max)
		truth[i] = (struct truth){ from, to, tsc, tid, smp_processor_id(), kind };
}
static ssize_t truth_read(struct file *f, struct kobject *k, struct bin_attribute *a,
			  char *buf, loff_t off, size_t n)
{
	u64 m = min_t(u64, atomic64_read(&truth_n), truth_max);

	return truth ? memory_read_from_buffer(buf, n, &off, truth, m * sizeof(*truth)) : 0;
}
static ssize_t truth_write(struct file *f, struct kobject *k, struct bin_attribute *a,
			   char *buf, loff_t off, size_t n)
{
	atomic64_set(&truth_n, 0);
	return n;
}
static struct bin_attribute truth_attr = {
	.attr = { .name = "truth", .mode = 0600 }, .read = truth_read, .write = truth_write,
};

/* ----------------------------------------------------- sysfs: caps, format */

/* the bits of RTIT_CTL that a config may carry */
#define F_PT		BIT(0)
#define F_CYC		BIT(1)
#define F_PWR		BIT(4)
#define F_FUPONPTW	BIT(5)
#define F_MTC		BIT(9)
#define F_TSC		BIT(10)
#define F_NORETCOMP	BIT(11)
#define F_PTW		BIT(12)
#define F_BRANCH	BIT(13)
#define F_MTCP		GENMASK(17, 14)
#define F_CYCT		GENMASK(22, 19)
#define F_PSBP		GENMASK(27, 24)
#define F_EVENT		BIT_ULL(31)
#define F_NOTNT		BIT_ULL(55)

enum { CAP_max_subleaf, CAP_cr3_filtering, CAP_psb_cyc, CAP_ip_filtering, CAP_mtc,
       CAP_ptwrite, CAP_power_event_trace, CAP_event_trace, CAP_tnt_disable,
       CAP_topa_output, CAP_topa_multiple_entries, CAP_single_range_output,
       CAP_output_subsys, CAP_payloads_lip, CAP_num_address_ranges, CAP_mtc_periods,
       CAP_cycle_thresholds, CAP_psb_periods, CAP_N };

static const struct fpt_preset { const char *name; u32 c[CAP_N]; } presets[] = {
	{ "skl", { [CAP_max_subleaf] = 1, [CAP_cr3_filtering] = 1, [CAP_psb_cyc] = 1,
		   [CAP_ip_filtering] = 1, [CAP_mtc] = 1, [CAP_topa_output] = 1,
		   [CAP_topa_multiple_entries] = 1, [CAP_single_range_output] = 1,
		   [CAP_num_address_ranges] = 2, [CAP_mtc_periods] = 0x249,
		   [CAP_cycle_thresholds] = 0x3fff, [CAP_psb_periods] = 0x3f } },
	{ "bdw", { [CAP_cr3_filtering] = 1, [CAP_topa_output] = 1 } },
	{ "adl", { [CAP_max_subleaf] = 1, [CAP_cr3_filtering] = 1, [CAP_psb_cyc] = 1,
		   [CAP_ip_filtering] = 1, [CAP_mtc] = 1, [CAP_ptwrite] = 1,
		   [CAP_power_event_trace] = 1, [CAP_event_trace] = 1, [CAP_tnt_disable] = 1,
		   [CAP_topa_output] = 1, [CAP_topa_multiple_entries] = 1,
		   [CAP_single_range_output] = 1, [CAP_num_address_ranges] = 2,
		   [CAP_mtc_periods] = 0x249, [CAP_cycle_thresholds] = 0x1fff,
		   [CAP_psb_periods] = 0x3f } },
};
static u32 cap[CAP_N];

static ssize_t cap_show(struct device *d, struct device_attribute *a, char *b)
{
	return sprintf(b, "%x\n", cap[(long)container_of(a, struct dev_ext_attribute, attr)->var]);
}
#define CAPATTR(n) static struct dev_ext_attribute cap_##n = { \
	{ { .name = #n, .mode = 0444 }, .show = cap_show }, (void *)CAP_##n }
CAPATTR(max_subleaf); CAPATTR(cr3_filtering); CAPATTR(psb_cyc); CAPATTR(ip_filtering);
CAPATTR(mtc); CAPATTR(ptwrite); CAPATTR(power_event_trace); CAPATTR(event_trace);
CAPATTR(tnt_disable); CAPATTR(topa_output); CAPATTR(topa_multiple_entries);
CAPATTR(single_range_output); CAPATTR(output_subsys); CAPATTR(payloads_lip);
CAPATTR(num_address_ranges); CAPATTR(mtc_periods); CAPATTR(cycle_thresholds);
CAPATTR(psb_periods);
#define C(n) &cap_##n.attr.attr
static struct attribute *cap_attrs[] = {
	C(max_subleaf), C(cr3_filtering), C(psb_cyc), C(ip_filtering), C(mtc), C(ptwrite),
	C(power_event_trace), C(event_trace), C(tnt_disable), C(topa_output),
	C(topa_multiple_entries), C(single_range_output), C(output_subsys), C(payloads_lip),
	C(num_address_ranges), C(mtc_periods), C(cycle_thresholds), C(psb_periods), NULL
};
static const struct attribute_group cap_group = { .name = "caps", .attrs = cap_attrs };

PMU_FORMAT_ATTR(pt, "config:0");
PMU_FORMAT_ATTR(cyc, "config:1");
PMU_FORMAT_ATTR(pwr_evt, "config:4");
PMU_FORMAT_ATTR(fup_on_ptw, "config:5");
PMU_FORMAT_ATTR(mtc, "config:9");
PMU_FORMAT_ATTR(tsc, "config:10");
PMU_FORMAT_ATTR(noretcomp, "config:11");
PMU_FORMAT_ATTR(ptw, "config:12");
PMU_FORMAT_ATTR(branch, "config:13");
PMU_FORMAT_ATTR(mtc_period, "config:14-17");
PMU_FORMAT_ATTR(cyc_thresh, "config:19-22");
PMU_FORMAT_ATTR(psb_period, "config:24-27");
PMU_FORMAT_ATTR(event, "config:31");
PMU_FORMAT_ATTR(notnt, "config:55");
#define F(n) &format_attr_##n.attr
static struct attribute *fmt_attrs[] = {
	F(pt), F(cyc), F(pwr_evt), F(event), F(notnt), F(fup_on_ptw), F(mtc), F(tsc),
	F(noretcomp), F(ptw), F(branch), F(mtc_period), F(cyc_thresh), F(psb_period), NULL
};
static const struct attribute_group fmt_group = { .name = "format", .attrs = fmt_attrs };

static ssize_t max_nonturbo_ratio_show(struct device *d, struct device_attribute *a, char *b)
{
	return sprintf(b, "%u\n", ratio);
}
static ssize_t tsc_art_ratio_show(struct device *d, struct device_attribute *a, char *b)
{
	return sprintf(b, "%u:%u\n", art_num, art_den);
}
static DEVICE_ATTR_RO(max_nonturbo_ratio);
static DEVICE_ATTR_RO(tsc_art_ratio);
static struct attribute *timing_attrs[] = {
	&dev_attr_max_nonturbo_ratio.attr, &dev_attr_tsc_art_ratio.attr, NULL
};
static const struct attribute_group timing_group = { .attrs = timing_attrs };
static const struct attribute_group *groups[] = { &cap_group, &fmt_group, &timing_group, NULL };

static bool config_ok(u64 c)
{
	u64 known = F_PT | F_CYC | F_PWR | F_FUPONPTW | F_MTC | F_TSC | F_NORETCOMP | F_PTW |
		    F_BRANCH | F_MTCP | F_CYCT | F_PSBP | F_EVENT | F_NOTNT;
	u64 v;

	if (c & ~known)
		return false;
	if (c & (F_CYC | F_CYCT | F_PSBP)) {
		if (!cap[CAP_psb_cyc])
			return false;
		v = (c & F_PSBP) >> 24;
		if (v && !(cap[CAP_psb_periods] & BIT(v)))
			return false;
		v = (c & F_CYCT) >> 19;
		if (v && !(cap[CAP_cycle_thresholds] & BIT(v)))
			return false;
	}
	if (c & (F_MTC | F_MTCP)) {
		v = (c & F_MTCP) >> 14;
		if (!cap[CAP_mtc] || !(cap[CAP_mtc_periods] & BIT(v)))
			return false;
	}
	if ((c & F_PWR) && !cap[CAP_power_event_trace])
		return false;
	if ((c & F_EVENT) && !cap[CAP_event_trace])
		return false;
	if ((c & F_NOTNT) && !cap[CAP_tnt_disable])
		return false;
	if (c & (F_PTW | F_FUPONPTW)) {
		if (!cap[CAP_ptwrite])
			return false;
		if ((c & F_FUPONPTW) && !(c & F_PTW))
			return false;
	}
	/* branch= may only be given together with pt */
	if (!(c & F_PT) && (c & F_BRANCH))
		return false;
	return true;
}

/* ------------------------------------------------------------- AUX output */

struct fpt_buf { void **pages; u64 size; bool snapshot; };
struct fpt_filters { int n; bool any; struct { u64 a, b; bool stop; } r[4]; };

#define RSTK 64
struct fpt {
	struct perf_output_handle handle;
	struct perf_event *event;
	struct fpt_buf *buf;
	bool on;		/* between start and stop, with room to write */
	bool full;		/* reached stop_at */
	bool step;
	u64 head0, pos;		/* where this AUX record began; bytes since */
	u64 pmi_at, stop_at;	/* in bytes since */
	/* steps */
	struct user_return_notifier urn;
	bool urn_on, was_db;
	u64 cfg;
	struct fpt_filters *flt;
	struct task_struct *task;	/* only compared */
	u32 tid;
	bool ctx;		/* the trace says: in user code */
	bool flt_on;		/* ... and within the filters */
	bool tstop;
	bool exec64, exec_known;
	u64 cur;
	u8 cls, len;
	bool disp0;
	/* encoder */
	u64 last_ip;
	bool ip_known;
	u64 tnt;
	int ntnt;
	int vary;
	u64 since_psb;
	u64 rstk[RSTK];
	int rtop, rn;
	u64 cyc_last, ctc_last;
	u64 tsc;		/* the time the encoder is at: when user code last ran */
	u64 since_ovf;
	int in_ovf;
	bool kernel;		/* kernel_run is at it */
	struct perf_event *pebs;
	u64 pebs_left;
};
static DEFINE_PER_CPU(struct fpt, fpts);
static struct pmu fpmu;

static void put(struct fpt *p, const void *src, unsigned int n)
{
	const u8 *b = src;
	struct fpt_buf *buf = p->buf;

	if (p->full)
		return;
	p->since_psb += n;
	p->since_ovf += n;
	while (n) {
		u64 off = (p->head0 + p->pos) & (buf->size - 1);
		u64 m = min_t(u64, n, PAGE_SIZE - offset_in_page(off));

		if (p->pos >= p->stop_at) {	/* as ToPA STOP does: in mid-packet too */
			p->full = true;
			return;
		}
		m = min(m, p->stop_at - p->pos);
		memcpy(buf->pages[off >> PAGE_SHIFT] + offset_in_page(off), b, m);
		atomic64_add(m, &st_bytes);
		p->pos += m;
		b += m;
		n -= m;
	}
	if (p->pos >= p->stop_at)
		p->full = true;
}

/* where hardware would interrupt, and where it would stop: whole pages only */
static int markers(struct fpt *p)
{
	u64 head = p->handle.head, size = p->handle.size;
	u64 np, last, wk;

	p->pos = 0;
	p->full = false;
	p->head0 = head & (p->buf->size - 1);
	if (p->buf->snapshot) {
		p->pmi_at = p->stop_at = ~0ull;
		return 0;
	}
	if (offset_in_page(head) + size + 1 < PAGE_SIZE) {
		perf_aux_output_flag(&p->handle, PERF_AUX_FLAG_TRUNCATED);
		return -EINVAL;
	}
	np = size >> PAGE_SHIFT;
	if (!offset_in_page(head + size + 1))
		np++;
	/* the last page that may be filled, and the page whose end interrupts */
	last = (head >> PAGE_SHIFT) + np - 1;
	wk = p->handle.wakeup >> PAGE_SHIFT;
	if (wk > last)
		wk = last;
	p->stop_at = ((last + 1) << PAGE_SHIFT) - head;
	p->pmi_at = ((wk + 1) << PAGE_SHIFT) - head;
	return 0;
}

static bool begin(struct fpt *p, struct perf_event *event)
{
	p->buf = perf_aux_output_begin(&p->handle, event);
	if (!p->buf)
		return false;
	if (markers(p)) {
		perf_aux_output_end(&p->handle, 0);
		return false;
	}
	return true;
}

static void step_off(struct fpt *p);

/* the "PMI": hand over what is there, go on if there is room */
static void pmi(struct fpt *p)
{
	struct perf_event *event = p->event;

	if (p->buf->snapshot || (p->pos < p->pmi_at && !p->full))
		return;
	atomic64_inc(&st_pmi);
	if (p->full) {
		atomic64_inc(&st_trunc);
		perf_aux_output_flag(&p->handle, PERF_AUX_FLAG_TRUNCATED);
		/* packets are lost from here on */
		p->tnt = p->ntnt = 0;
		p->ip_known = false;
		p->rn = 0;
		p->ctx = false;
	}
	perf_aux_output_end(&p->handle, p->pos);
	if (!begin(p, event)) {
		atomic64_inc(&st_fail);
		event->hw.state = PERF_HES_STOPPED;
		p->on = false;
		step_off(p);
	}
}

/* --------------------------------------------------------------- encoder */

static u64 now_ctc(struct fpt *p, u64 tsc)
{
	return art_num ? mul_u64_u64_div_u64(tsc, art_den, art_num) : 0;
}

static void pkt_tsc(struct fpt *p, u64 tsc)
{
	u8 b[8] = { 0x19 };

	memcpy(b + 1, &tsc, 7);
	put(p, b, 8);
}

static void pkt_tma(struct fpt *p, u64 tsc)
{
	u64 ctc = now_ctc(p, tsc);
	u64 fc = tsc - (art_den ? mul_u64_u64_div_u64(ctc, art_num, art_den) : tsc);
	u8 b[7] = { 0x02, 0x73, ctc, ctc >> 8, 0, fc, (fc >> 8) & 1 };

	put(p, b, 7);
	p->ctc_last = ctc >> ((p->cfg & F_MTCP) >> 14);
}

/* time packets that come before a packet that matters */
static void pkt_time(struct fpt *p)
{
	u64 tsc;

	if (!(p->cfg & (F_MTC | F_CYC)))
		return;
	tsc = p->tsc;
	if ((p->cfg & F_MTC) && art_num) {
		u64 c = now_ctc(p, tsc) >> ((p->cfg & F_MTCP) >> 14);

		if (c - p->ctc_last > 200) {
			if (p->cfg & F_TSC)
				pkt_tsc(p, tsc);
			pkt_tma(p, tsc);
		} else if (c != p->ctc_last) {
			u8 b[2] = { 0x59, c };

			p->ctc_last = c;
			put(p, b, 2);
		}
	}
	if (p->cfg & F_CYC) {
		u64 d = tsc - p->cyc_last, th = (p->cfg & F_CYCT) >> 19;
		u8 b[8];
		int n = 1;

		if (th && d < BIT(th - 1))
			return;
		p->cyc_last = tsc;
		if (d >= BIT_ULL(33))
			d = BIT_ULL(33) - 1;
		b[0] = 3 | (d & 31) << 3;
		for (d >>= 5; d; d >>= 7, n++) {
			b[n - 1] |= n == 1 ? 4 : 1;
			b[n] = (d & 127) << 1;
		}
		put(p, b, n);
	}
}

static void tnt_flush(struct fpt *p)
{
	u64 v;
	u8 b[8];

	if (!p->ntnt)
		return;
	pkt_time(p);
	v = (1ull << p->ntnt) | p->tnt;		/* stop bit, then oldest .. newest */
	if (p->ntnt <= 6) {
		b[0] = v << 1;
		put(p, b, 1);
	} else {
		b[0] = 0x02;
		b[1] = 0xa3;
		memcpy(b + 2, &v, 6);
		put(p, b, 8);
	}
	p->tnt = p->ntnt = 0;
}

static void tnt(struct fpt *p, bool taken)
{
	p->tnt = p->tnt << 1 | taken;
	if (++p->ntnt == (longtnt ? 47 : 6))
		tnt_flush(p);
}

enum { OP_TIP = 0x0d, OP_PGE = 0x11, OP_PGD = 0x01, OP_FUP = 0x1d };

static void pkt_ip(struct fpt *p, int op, u64 ip)
{
	static const u8 nbytes[] = { 0, 2, 4, 6, 6, 0, 8 };
	u8 b[9];
	int k, i, can[4], n = 0;

	if (p->ip_known) {
		if (!((ip ^ p->last_ip) >> 16))
			can[n++] = 1;
		if (!((ip ^ p->last_ip) >> 32))
			can[n++] = 2;
		if (!((ip ^ p->last_ip) >> 48) && ipvary)
			can[n++] = 4;
	}
	if ((s64)(ip << 16) >> 16 == ip && n < 4)
		can[n++] = 3;
	k = n ? can[ipvary ? p->vary++ % n : 0] : 6;
	b[0] = k << 5 | op;
	for (i = 0; i < nbytes[k]; i++)
		b[1 + i] = ip >> 8 * i;
	put(p, b, 1 + nbytes[k]);
	p->last_ip = ip;
	p->ip_known = true;
}

static void pkt_noip(struct fpt *p, int op)
{
	u8 b = op;

	put(p, &b, 1);
}

static void pkt_exec(struct fpt *p, bool is64)
{
	u8 b[2] = { 0x99, is64 ? 1 : 2 };

	put(p, b, 2);
	p->exec64 = is64;
	p->exec_known = true;
}

/* what says the time in full */
static void pkt_clock(struct fpt *p)
{
	u8 cbr[4] = { 2, 3, ratio, 0 };

	if (p->cfg & F_TSC)
		pkt_tsc(p, p->tsc);
	if ((p->cfg & F_MTC) && (p->cfg & F_TSC) && art_num)
		pkt_tma(p, p->tsc);
	put(p, cbr, 4);
}

static void psb(struct fpt *p)
{
	static const u8 s[16] = { 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
				  2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82 };
	u8 tsx[2] = { 0x99, 0x20 }, end[2] = { 2, 0x23 };

	tnt_flush(p);
	put(p, s, 16);
	p->since_psb = 0;
	p->last_ip = 0;
	p->ip_known = true;
	p->rn = 0;
	pkt_clock(p);
	if (p->ctx)
		put(p, tsx, 2);
	if (p->ctx && p->flt_on) {
		pkt_exec(p, p->exec64);
		pkt_ip(p, OP_FUP, p->cur);
	} else {
		p->exec_known = false;
	}
	put(p, end, 2);
	p->cyc_last = p->tsc;
}

static void maybe_psb(struct fpt *p)
{
	if (p->since_psb >= 2048ull << ((p->cfg & F_PSBP) >> 24))
		psb(p);
}

static void pge(struct fpt *p, u64 ip, bool is64)
{
	if (!p->exec_known || p->exec64 != is64)
		pkt_exec(p, is64);
	pkt_time(p);
	pkt_ip(p, OP_PGE, ip);
	p->rn = 0;
	truth_log(p->tid, p->tsc, 0, ip, K_PGE);
}

/* ------------------------------------------------- what an instruction is */

static bool in_64bit(struct pt_regs *regs)
{
	return !user_mode(regs) || user_64bit_mode(regs);
}

static long read_mem(void *to, u64 at, size_t n)
{
	if (at >= TASK_SIZE_MAX)
		return copy_from_kernel_nofault(to, (void *)at, n);
	return copy_from_user_nofault(to, (void __user *)at, n);
}

static int classify(u64 ip, bool is64, u8 *len, bool *disp0)
{
	u8 b[16];
	int n = 15, i = 0, op;
	bool p66 = false;

	if (read_mem(b, ip, n)) {
		n = PAGE_SIZE - offset_in_page(ip);
		if (n >= 15 || read_mem(b, ip, n))
			return C_UNK;
	}
	memset(b + n, 0, 16 - n);
	*disp0 = false;
	for (;; i++) {
		if (i >= 14)
			return C_NONE;
		switch (b[i]) {
		case 0x66:
			p66 = true;
			fallthrough;
		case 0x67: case 0xf2: case 0xf3: case 0x2e: case 0x36: case 0x3e: case 0x26:
		case 0x64: case 0x65:
			continue;
		}
		break;
	}
	if (is64 && (b[i] & 0xf0) == 0x40)
		i++;
	op = b[i++];
	switch (op) {
	case 0x70 ... 0x7f:
	case 0xe0 ... 0xe3:
		*len = i + 1;
		return C_JCC;
	case 0xe8:
		*disp0 = i + 4 <= 15 && !(b[i] | b[i + 1] | b[i + 2] | b[i + 3]);
		return C_CALL;
	case 0xe9: case 0xeb:
		return C_JMP;
	case 0xc2: case 0xc3:
		return C_RET;
	case 0xca: case 0xcb: case 0xcc: case 0xcd: case 0xce: case 0xcf: case 0xf1:
		return C_FAR;
	case 0x9a: case 0xea:
		return is64 ? C_NONE : C_FAR;
	case 0xff:
		switch ((b[i] >> 3) & 7) {
		case 2: return C_ICALL;
		case 4: return C_IJMP;
		case 3: case 5: return C_FAR;
		}
		return C_NONE;
	case 0x0f:
		op = b[i++];
		if (op >= 0x80 && op <= 0x8f) {
			*len = i + (!is64 && p66 ? 2 : 4);
			return C_JCC;
		}
		if (op == 0x05 || op == 0x34 || op == 0x07 || op == 0x35)
			return C_FAR;
	}
	return C_NONE;
}

static void look(struct fpt *p, struct pt_regs *regs)
{
	p->cls = classify(p->cur, in_64bit(regs), &p->len, &p->disp0);
}

/* --------------------------------------------------------------- stepping */

static bool in_filter(struct fpt *p, u64 ip)
{
	bool in = !p->flt || !p->flt->any;
	int i;

	if (p->tstop)
		return false;
	for (i = 0; p->flt && i < p->flt->n; i++) {
		if (ip < p->flt->r[i].a || ip > p->flt->r[i].b)
			continue;
		if (p->flt->r[i].stop) {
			u8 b[2] = { 0x02, 0x83 };

			if (p->ctx && p->flt_on) {
				tnt_flush(p);
				pkt_ip(p, OP_PGD, ip);
				p->flt_on = false;
			}
			put(p, b, 2);
			p->tstop = true;
			return false;
		}
		in = true;
	}
	return in;
}

/* the kernel was entered at p->cur */
static void leave(struct fpt *p)
{
	if (p->ctx && p->flt_on) {
		tnt_flush(p);
		pkt_time(p);
		if (p->cls != C_FAR)
			pkt_ip(p, OP_FUP, p->cur);
		pkt_noip(p, OP_PGD);
		truth_log(p->tid, p->tsc, p->cur, 0, p->cls == C_FAR ? K_PGD : K_APGD);
	}
	p->ctx = p->flt_on = false;
}

static void enter(struct fpt *p, struct pt_regs *regs)
{
	if (tsc_switch && p->task && p->task != current)
		pkt_clock(p);
	p->task = current;
	p->tid = current->pid;
	p->ctx = true;
	p->flt_on = false;
	p->cur = regs->ip;
	look(p, regs);
	if (in_filter(p, p->cur)) {
		pge(p, p->cur, in_64bit(regs));
		p->flt_on = true;
	}
	maybe_psb(p);
}

/* A PEBS record as a block of the trace: where, which counter, when. */
static void pebs(struct fpt *p, u64 ip)
{
	static const u8 begin[] = { 0x02, 0x63, 0x04 }, end[] = { 0x02, 0xb3 };
	u64 item[3] = { ip, 1, p->tsc };
	int i;

	p->pebs_left = p->pebs->attr.freq ? 100 : max(p->pebs->attr.sample_period, 1ull);
	tnt_flush(p);
	pkt_time(p);
	put(p, begin, sizeof(begin));
	for (i = 0; i < 3; i++) {
		u8 head = i << 3 | 4;

		put(p, &head, 1);
		put(p, item + i, 8);
	}
	put(p, end, sizeof(end));
	pkt_ip(p, OP_FUP, ip);
}

static void ret_push(struct fpt *p, u64 ip)
{
	p->rtop = (p->rtop + 1) % RSTK;
	p->rstk[p->rtop] = ip;
	if (p->rn < RSTK)
		p->rn++;
}

/* one instruction ran: from p->cur to regs->ip */
static void stepped(struct fpt *p, struct pt_regs *regs)
{
	bool is64 = in_64bit(regs), was, now;
	u64 from = p->cur, to = regs->ip, ra = 0;
	int cls;

	atomic64_inc(&st_steps);
	if (p->cls == C_UNK) {		/* its page was not there before it ran */
		look(p, regs);
		if (p->cls == C_UNK)
			atomic64_inc(&st_unread);
	}
	cls = p->cls;
	was = p->flt_on;
	now = in_filter(p, to);
	if (was && !p->flt_on)		/* a TraceStop range: said so already */
		goto out;

	if (cls == C_NONE && to != from && to - from > 15) {
		/* not a branch we know, yet it went elsewhere */
		atomic64_inc(&st_odd);
		leave(p);
		p->ctx = true;
		if (now) {
			pge(p, to, is64);
			p->flt_on = true;
		}
		goto out;
	}
	if (cls == C_CALL || cls == C_ICALL) {
		if (is64) {
			if (read_mem(&ra, regs->sp, 8))
				ra = 0;
		} else {
			u32 r = 0;

			if (copy_from_user_nofault(&r, (void __user *)regs->sp, 4))
				r = 0;
			ra = r;
		}
	}
	if (p->in_ovf) {
		if (--p->in_ovf == 0) {
			static const u8 b[2] = { 0x02, 0xf3 };

			put(p, b, 2);
			atomic64_inc(&st_ovf);
			truth_log(p->tid, p->tsc, from, to, K_OVF);
			p->rn = 0;
			p->exec_known = false;
			if (now)
				pkt_ip(p, OP_FUP, to);
			p->flt_on = now;
		}
		goto out2;
	}
	if (!was) {
		if (now) {
			pge(p, to, is64);
			p->flt_on = true;
		}
		goto out;
	}
	if (!now && to != from && cls != C_UNK) {	/* left the filtered range */
		tnt_flush(p);
		pkt_time(p);
		pkt_ip(p, OP_PGD, to);
		p->flt_on = false;
		truth_log(p->tid, p->tsc, from, to, cls);
		goto out;
	}
	if (cls == C_NONE || cls == C_UNK)
		goto out;
	atomic64_inc(&st_branches);
	truth_log(p->tid, p->tsc, from, to, cls == C_JCC && to == from + p->len ? K_NOTTAKEN : cls);
	switch (cls) {
	case C_JCC:
		tnt(p, to != from + p->len);
		break;
	case C_CALL:
		if (!p->disp0)
			ret_push(p, ra);
		break;
	case C_RET:
		if (!(p->cfg & F_NORETCOMP) && p->rn) {
			if (p->rstk[p->rtop] == to) {
				p->rtop = (p->rtop + RSTK - 1) % RSTK;
				p->rn--;
				tnt(p, true);
				break;
			}
			p->rn = 0;
		}
		fallthrough;
	case C_ICALL:
	case C_IJMP:
	case C_FAR:
		tnt_flush(p);
		pkt_time(p);
		pkt_ip(p, OP_TIP, to);
		if (cls == C_ICALL)
			ret_push(p, ra);
		break;
	}
	if (p->pebs && !--p->pebs_left)
		pebs(p, to);
	if (ovf_every && p->since_ovf >= ovf_every) {
		/* these are lost, not just late */
		p->tnt = p->ntnt = 0;
		p->since_ovf = 0;
		p->in_ovf = max(ovf_len, 1);
	}
out:
	if (!p->in_ovf) {
		p->cur = to;
		maybe_psb(p);
	}
out2:
	p->cur = to;
	look(p, regs);
}

/* on the way back to user mode, the last thing the kernel does */
static void on_user_return(struct user_return_notifier *urn)
{
	struct fpt *p = container_of(urn, struct fpt, urn);
	struct pt_regs *regs = task_pt_regs(current);
	bool db = p->was_db;

	p->was_db = false;
	if (!p->on || !p->step || (current->flags & PF_KTHREAD))
		return;
	if (p->ctx && (p->task != current || p->cur != regs->ip || (async && !db))) {
		/* p->tsc is still from before the kernel was entered */
		if (p->in_ovf) {	/* the overflow hid this */
			p->task = current;
			p->tid = current->pid;
			p->cur = regs->ip;
			look(p, regs);
		} else {
			leave(p);
		}
	}
	p->tsc = rdtsc();
	if (!p->ctx)
		enter(p, regs);
	pmi(p);
	if (p->on)
		regs->flags |= X86_EFLAGS_TF;
}

static int on_die(struct notifier_block *nb, unsigned long val, void *data)
{
	struct die_args *a = data;
	struct pt_regs *regs = a->regs;
	unsigned long *dr6;
	struct fpt *p;

	if (val != DIE_DEBUG)
		return NOTIFY_DONE;
	dr6 = (unsigned long *)ERR_PTR(a->err);
	if (!(*dr6 & DR_STEP))
		return NOTIFY_DONE;
	p = this_cpu_ptr(&fpts);
	if (!user_mode(regs)) {
		if (!p->kernel)
			return NOTIFY_DONE;
		p->tsc = rdtsc();
		if (p->ctx)
			stepped(p, regs);
		else
			enter(p, regs);
		pmi(p);
		*dr6 &= ~DR_STEP;
		return NOTIFY_STOP;
	}
	if (p->on && p->step) {
		p->was_db = true;
		if (p->ctx && p->task == current) {
			p->tsc = rdtsc();
			stepped(p, regs);
			pmi(p);
		}
	} else if (!test_thread_flag(TIF_SINGLESTEP)) {
		regs->flags &= ~X86_EFLAGS_TF;	/* left over */
	}
	if (test_thread_flag(TIF_SINGLESTEP))	/* a debugger wants it as well */
		return NOTIFY_DONE;
	*dr6 &= ~DR_STEP;
	current->thread.virtual_dr6 &= ~DR_STEP;
	return *dr6 & DR_TRAP_BITS ? NOTIFY_DONE : NOTIFY_STOP;
}
static struct notifier_block die_nb = { .notifier_call = on_die, .priority = 0x7ffffff0 };

static void step_on(struct fpt *p, struct perf_event *event)
{
	bool first = !event->hw.config;

	p->cfg = event->attr.config;
	if (!(p->cfg & F_PT))
		p->cfg |= F_BRANCH;
	event->hw.config = p->cfg | F_PT;
	p->flt = event->hw.addr_filters;
	p->step = !event->attr.exclude_user;
	p->ctx = p->flt_on = p->tstop = p->was_db = p->exec_known = false;
	p->in_ovf = 0;
	p->tnt = p->ntnt = p->rn = 0;
	p->ip_known = false;
	p->cyc_last = p->tsc = rdtsc();
	p->task = NULL;
	if (first || psb_on_start)
		psb(p);
	else
		pkt_clock(p);
	if (p->step && !p->urn_on) {
		user_return_notifier_register(&p->urn);
		p->urn_on = true;
	}
}

/* The part of the kernel that is traced: branches of all kinds, in this module
 * and in the kernel's own text. */
static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static noinline unsigned long kernel_work(int n)
{
	unsigned long sum = 0;
	int a[16], i;

	for (; n > 0; n--) {
		for (i = 0; i < ARRAY_SIZE(a); i++)
			a[i] = (i * 7919 + n) % 101;
		sort(a, ARRAY_SIZE(a), sizeof(*a), by_value, NULL);
		sum += int_sqrt(a[3] * 1000) + gcd(a[7] + 1, a[15] + 1);
	}
	return sum;
}

static int kernel_run(const char *v, const struct kernel_param *kp)
{
	unsigned long flags;
	struct fpt *p;
	int n, err = kstrtoint(v, 0, &n);

	if (err)
		return err;
	local_irq_save(flags);
	p = this_cpu_ptr(&fpts);
	if (p->on && !p->event->attr.exclude_kernel) {
		if (p->ctx)
			leave(p);
		p->kernel = true;
		asm volatile("pushfq; orl $0x100, (%%rsp); popfq" ::: "memory", "cc");
		kernel_work(n);
		asm volatile("pushfq; andl $~0x100, (%%rsp); popfq" ::: "memory", "cc");
		p->kernel = false;
		if (p->ctx)
			leave(p);
	}
	local_irq_restore(flags);
	return 0;
}
static const struct kernel_param_ops kernel_run_ops = { .set = kernel_run };
module_param_cb(kernel_run, &kernel_run_ops, NULL, 0200);

static void step_off(struct fpt *p)
{
	if (!p->urn_on)
		return;
	user_return_notifier_unregister(&p->urn);
	p->urn_on = false;
	if (!(current->flags & PF_KTHREAD) && current->mm && !test_thread_flag(TIF_SINGLESTEP))
		task_pt_regs(current)->flags &= ~X86_EFLAGS_TF;
}

/* -------------------------------------------------------------------- PMU */

static void fpt_start(struct perf_event *event, int flags)
{
	struct fpt *p = this_cpu_ptr(&fpts);

	if (event->hw.addr_filters)
		perf_event_addr_filters_sync(event);
	if (!begin(p, event)) {
		atomic64_inc(&st_fail);
		event->hw.state = PERF_HES_STOPPED;
		return;
	}
	atomic64_inc(&st_starts);
	event->attach_state |= PERF_ATTACH_ITRACE;
	event->hw.state = 0;
	p->event = event;
	p->on = true;
	step_on(p, event);
	pmi(p);
}

static void fpt_stop(struct perf_event *event, int flags)
{
	struct fpt *p = this_cpu_ptr(&fpts);

	if (event->hw.state == PERF_HES_STOPPED)
		return;
	event->hw.state = PERF_HES_STOPPED;
	if (p->on && !p->in_ovf)
		leave(p);
	p->on = false;
	step_off(p);
	if (flags & PERF_EF_UPDATE) {
		if (p->full) {
			atomic64_inc(&st_trunc);
			perf_aux_output_flag(&p->handle, PERF_AUX_FLAG_TRUNCATED);
		}
		if (p->buf->snapshot) {
			p->handle.head = (p->head0 + p->pos) & (p->buf->size - 1);
			perf_aux_output_end(&p->handle, p->buf->size);
		} else {
			perf_aux_output_end(&p->handle, p->pos);
		}
	}
}

static int fpt_add(struct perf_event *event, int flags)
{
	struct fpt *p = this_cpu_ptr(&fpts);

	if (p->event)
		return -EBUSY;
	if (flags & PERF_EF_START) {
		fpt_start(event, 0);
		if (event->hw.state == PERF_HES_STOPPED) {
			p->event = NULL;
			return -EINVAL;
		}
	} else {
		event->hw.state = PERF_HES_STOPPED;
		p->event = event;
	}
	return 0;
}

static void fpt_del(struct perf_event *event, int flags)
{
	struct fpt *p = this_cpu_ptr(&fpts);

	fpt_stop(event, PERF_EF_UPDATE);
	if (p->event == event)
		p->event = NULL;
}

static void fpt_read(struct perf_event *event)
{
}

static void fpt_destroy(struct perf_event *event)
{
	kfree(event->hw.addr_filters);
	event->hw.addr_filters = NULL;
}

static int fpt_event_init(struct perf_event *event)
{
	if (event->attr.type != fpmu.type)
		return -ENOENT;
	if (fail_errno)
		return -fail_errno;
	if (!config_ok(event->attr.config))
		return -EINVAL;
	if (fpmu.nr_addr_filters) {
		struct fpt_filters *f = kzalloc(sizeof(*f), GFP_KERNEL);

		if (!f)
			return -ENOMEM;
		if (event->parent && event->parent->hw.addr_filters)
			memcpy(f, event->parent->hw.addr_filters, sizeof(*f));
		event->hw.addr_filters = f;
		event->destroy = fpt_destroy;
	}
	atomic64_inc(&st_opens);
	return 0;
}

static void *fpt_setup_aux(struct perf_event *event, void **pages, int nr_pages, bool overwrite)
{
	struct fpt_buf *b;

	if (!nr_pages)
		return NULL;
	b = kzalloc(sizeof(*b), GFP_KERNEL);
	if (!b)
		return NULL;
	b->pages = pages;
	b->size = (u64)nr_pages << PAGE_SHIFT;
	b->snapshot = overwrite;
	return b;
}

static void fpt_free_aux(void *b)
{
	kfree(b);
}

/* The newest trace, for another event's sample. What is written ends where the
 * interrupt that takes the sample came. */
static long (*copy_aux)(struct perf_output_handle *aux, struct perf_output_handle *to,
			unsigned long from, unsigned long end);

static long fpt_snapshot_aux(struct perf_event *event, struct perf_output_handle *to,
			     unsigned long size)
{
	struct fpt *p = this_cpu_ptr(&fpts);
	u64 end;

	if (!p->on || p->event != event)
		return 0;
	if (p->ctx && !p->in_ovf && !p->kernel)
		leave(p);
	end = p->head0 + p->pos + p->buf->size;
	return copy_aux(&p->handle, to, end - size, end);
}

static int fpt_filters_validate(struct list_head *list)
{
	struct perf_addr_filter *f;
	int n = 0;

	list_for_each_entry(f, list, entry) {
		/* a range to trace, or a range to stop at; no triggers */
		if (!f->size || f->action == PERF_ADDR_FILTER_ACTION_START)
			return -EOPNOTSUPP;
		if (++n > cap[CAP_num_address_ranges])
			return -EOPNOTSUPP;
	}
	return 0;
}

static void fpt_filters_sync(struct perf_event *event)
{
	struct perf_addr_filters_head *head = perf_event_addr_filters(event);
	struct perf_addr_filter_range *r = event->addr_filter_ranges;
	struct fpt_filters *f = event->hw.addr_filters;
	struct perf_addr_filter *i;

	if (!f)
		return;
	f->n = 0;
	f->any = false;
	list_for_each_entry(i, &head->list, entry) {
		bool known = !i->path.dentry || r[f->n].start;

		if (f->n >= ARRAY_SIZE(f->r))
			break;
		f->r[f->n].a = known ? r[f->n].start : 1;
		f->r[f->n].b = known ? r[f->n].start + r[f->n].size - 1 : 0;
		f->r[f->n].stop = i->action == PERF_ADDR_FILTER_ACTION_STOP;
		if (!f->r[f->n].stop)
			f->any = true;
		f->n++;
	}
}

static struct pmu fpmu = {
	.module = THIS_MODULE,
	.capabilities = PERF_PMU_CAP_EXCLUSIVE | PERF_PMU_CAP_ITRACE,
	.attr_groups = groups,
	.task_ctx_nr = perf_sw_context,
	.event_init = fpt_event_init,
	.add = fpt_add,
	.del = fpt_del,
	.start = fpt_start,
	.stop = fpt_stop,
	.read = fpt_read,
	.setup_aux = fpt_setup_aux,
	.free_aux = fpt_free_aux,
	.addr_filters_validate = fpt_filters_validate,
	.addr_filters_sync = fpt_filters_sync,
};

/* "fake_pebs": counts branches of user code, and samples go into the trace. */
static struct pmu pebs_pmu;

static int pebs_event_init(struct perf_event *event)
{
	if (event->attr.type != pebs_pmu.type)
		return -ENOENT;
	return event->attr.aux_output ? 0 : -EINVAL;
}

static int pebs_match(struct perf_event *aux_event)
{
	return aux_event->pmu == &fpmu;
}

static void pebs_start(struct perf_event *event, int flags)
{
	struct fpt *p = this_cpu_ptr(&fpts);

	p->pebs = event;
	p->pebs_left = 1;
	event->hw.state = 0;
}

static void pebs_stop(struct perf_event *event, int flags)
{
	this_cpu_ptr(&fpts)->pebs = NULL;
	event->hw.state = PERF_HES_STOPPED;
}

static int pebs_add(struct perf_event *event, int flags)
{
	if (flags & PERF_EF_START)
		pebs_start(event, 0);
	return 0;
}

static struct pmu pebs_pmu = {
	.module = THIS_MODULE,
	.capabilities = PERF_PMU_CAP_AUX_OUTPUT,
	.task_ctx_nr = perf_sw_context,
	.event_init = pebs_event_init,
	.add = pebs_add,
	.del = pebs_stop,
	.start = pebs_start,
	.stop = pebs_stop,
	.read = fpt_read,
	.aux_output_match = pebs_match,
};

/* What the kernel does not export. */
static void *find_symbol(const char *name)
{
	struct kprobe probe = { .symbol_name = name };
	void *at;

	if (register_kprobe(&probe))
		return NULL;
	at = probe.addr;
	unregister_kprobe(&probe);
	return at;
}

/* An older kernel: perf_event_open() ends with EINVAL before it begins. */
asm(".pushsection .text\nfpt_return: ret\n.popsection");
extern char fpt_return[];

static int on_open(struct kprobe *probe, struct pt_regs *regs)
{
	struct { u64 read_format, flags; } attr;
	void __user *at = (void __user *)((struct pt_regs *)regs->di)->di;

	if (!old || copy_from_user_nofault(&attr, at + 32, sizeof(attr)))
		return 0;
	if (!(attr.flags & old) && !(old >> 63 && attr.read_format & PERF_FORMAT_LOST))
		return 0;
	regs->ax = -EINVAL;
	regs->ip = (unsigned long)fpt_return;
	return 1;
}
static struct kprobe open_probe = {
	.symbol_name = "__x64_sys_perf_event_open", .pre_handler = on_open,
};

static int __init fpt_init(void)
{
	int i, r = -EINVAL, cpu;

	for (i = 0; i < ARRAY_SIZE(presets); i++)
		if (!strcmp(preset, presets[i].name)) {
			memcpy(cap, presets[i].c, sizeof(cap));
			r = 0;
		}
	if (r)
		return r;
	if (sscanf(nf_s, "%u:%u", &art_num, &art_den) != 2)
		return -EINVAL;
	if (!art_den)
		art_num = 0;
	if (truth_mb) {
		truth_max = ((u64)truth_mb << 20) / sizeof(*truth);
		truth = vmalloc(truth_max * sizeof(*truth));
		if (!truth)
			return -ENOMEM;
	}
	for_each_possible_cpu(cpu) {
		struct fpt *p = per_cpu_ptr(&fpts, cpu);

		p->urn.on_user_return = on_user_return;
	}
	r = register_die_notifier(&die_nb);
	if (r)
		goto e_truth;
	if (cap[CAP_ip_filtering])
		fpmu.nr_addr_filters = cap[CAP_num_address_ranges];
	if (!cap[CAP_topa_multiple_entries])
		fpmu.capabilities |= PERF_PMU_CAP_AUX_NO_SG;
	copy_aux = find_symbol("perf_output_copy_aux");
	if (copy_aux)
		fpmu.snapshot_aux = fpt_snapshot_aux;
	r = register_kprobe(&open_probe);
	if (r)
		goto e_die;
	r = perf_pmu_register(&fpmu, "intel_pt", -1);
	if (r)
		goto e_probe;
	r = perf_pmu_register(&pebs_pmu, "fake_pebs", -1);
	if (r)
		goto e_first;
	r = sysfs_create_bin_file(&THIS_MODULE->mkobj.kobj, &truth_attr);
	if (r)
		goto e_pmu;
	pr_info("PMU intel_pt, type %d, preset %s\n", fpmu.type, preset);
	return 0;
e_pmu:
	perf_pmu_unregister(&pebs_pmu);
e_first:
	perf_pmu_unregister(&fpmu);
e_probe:
	unregister_kprobe(&open_probe);
e_die:
	unregister_die_notifier(&die_nb);
e_truth:
	vfree(truth);
	return r;
}

static void __exit fpt_exit(void)
{
	sysfs_remove_bin_file(&THIS_MODULE->mkobj.kobj, &truth_attr);
	perf_pmu_unregister(&pebs_pmu);
	perf_pmu_unregister(&fpmu);
	unregister_kprobe(&open_probe);
	unregister_die_notifier(&die_nb);
	vfree(truth);
}

module_init(fpt_init);
module_exit(fpt_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A stand-in for the Intel PT PMU");
