/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * "intel_pt/cyc,mtc_period=5/u" to the bits of a config, where no PMU says by
 * sysfs which bits those are: they are the register's then.
 * Manual: SDM volume 3, "Intel Processor Trace", "IA32_RTIT_CTL MSR".
 */
#include <errno.h>

#include <pt/num.h>

#include "record.h"

static const struct { const char *name; u8 shift, bits; } terms[] = {
	{ "pt", 0, 1 }, { "cyc", 1, 1 }, { "pwr_evt", 4, 1 }, { "fup_on_ptw", 5, 1 },
	{ "mtc", 9, 1 }, { "tsc", 10, 1 }, { "noretcomp", 11, 1 }, { "ptw", 12, 1 },
	{ "branch", 13, 1 }, { "mtc_period", 14, 4 }, { "cyc_thresh", 19, 4 },
	{ "psb_period", 24, 4 },
};

/* One "name" or "name=value" of 'len' bytes. */
static bool read_term(const char *text, size_t len, u64 *config)
{
	const char *eq = memchr(text, '=', len), *end;
	size_t name = eq ? (size_t)(eq - text) : len, i;
	u64 v = 1;

	if (eq) {
		end = num_read_any(eq + 1, &v);
		if (!end || end != text + len)
			return false;
	}
	if (name == 6 && !memcmp(text, "config", 6)) {
		*config = v;
		return true;
	}
	for (i = 0; i < N_ELEM(terms); i++) {
		u64 mask = (1ull << terms[i].bits) - 1;

		if (strlen(terms[i].name) != name || memcmp(terms[i].name, text, name))
			continue;
		*config = (*config & ~(mask << terms[i].shift)) | v << terms[i].shift;
		return v <= mask;
	}
	return false;
}

static int wrong(struct record *r, const char *event, const char *why)
{
	record_say(r, 0, "-e %s: in software %s", event, why);
	return -EINVAL;
}

static int read_event(struct record *r, const char *event)
{
	static const char pmu[] = "intel_pt/";
	const char *at = event + sizeof(pmu) - 1;
	size_t len;

	if (strncmp(event, pmu, sizeof(pmu) - 1) || !strchr(at, '/'))
		return wrong(r, event, "only intel_pt/TERMS/u can be recorded");
	for (; *at != '/'; at += len + (at[len] == ',')) {
		len = strcspn(at, ",/");
		if (!read_term(at, len, &r->pt_config))
			return wrong(r, event, "its terms are tsc mtc mtc_period cyc cyc_thresh "
				     "noretcomp psb_period ptw fup_on_ptw config, some =N");
	}
	if (strchr(at, 'k') && !strchr(at, 'u'))
		return wrong(r, event, "the kernel cannot be traced");
	return 0;
}

/* Bits that the soft recorder does nothing for. */
static const struct { u64 bits, want; const char *why; } undone[] = {
	{ PT_CFG_PWR_EVT, 0, "there are no power events; leave pwr_evt out" },
	{ PT_CFG_BRANCH, PT_CFG_BRANCH, "branches are needed; leave branch=0 out" },
};

static int check_done(struct record *r, const char *event)
{
	size_t i;

	for (i = 0; i < N_ELEM(undone); i++)
		if ((r->pt_config & undone[i].bits) != undone[i].want)
			return wrong(r, event, undone[i].why);
	return 0;
}

int record_read_terms(struct record *r)
{
	const char *const *event;
	int err;

	r->pt_config = PT_CFG_DEFAULT;
	for (event = r->events; event && *event; event++) {
		err = read_event(r, *event);
		if (!err)
			err = check_done(r, *event);
		if (err)
			return err;
	}
	return 0;
}
