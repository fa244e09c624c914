/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Errata of processors: family and model to the flags that the flow decoder needs.
 *
 * Intel's specification updates list errata by letters for the model and a number.
 */
#include <pt/num.h>

#include "session.h"

/* What is wrong in a model, by the erratum's name in Intel's lists. */
enum { BDM64 = 1, SKD007 = 2, SKZ84 = 4, GOLDMONT = 8, APL12 = 16, SKD022 = 32 };

static const struct {
	u8 family, errata;
	const char *models;
} errata[] = {
	{ 6, BDM64, "\x3d\x47\x4f\x56" },
	{ 6, SKD007 | SKD022, "\x4e\x5e\x8e\x9e\xa5\xa6" },
	{ 6, SKZ84 | SKD022, "\x55\x6a\x6c\x8f\xcf\xad\xae" },
	{ 0x13, SKZ84 | SKD022, "\x01" },
	{ 6, SKD022, "\x66\x7d\x7e\x8c\x8d\xa7\xa8"
		     "\x97\x9a\xba\xb7\xbf\xc5\xc6\xb5\xaa\xac\xbd\xcc\xd5" },
	{ 0x12, SKD022, "\x01\x03" },
	{ 6, GOLDMONT | APL12, "\x5c\x5f" },
};

COLD void errata_set(struct session *s, u64 family, u64 model)
{
	struct flow_setup *f = &s->setup;
	u32 i, found = 0;

	if (!model || model > 0xff)
		return;
	for (i = 0; i < N_ELEM(errata); i++)
		if (errata[i].family == family && strchr(errata[i].models, (char)model))
			found |= errata[i].errata;
	f->fup_next_ip = found & GOLDMONT;
	f->abort_astray = found & BDM64;
	f->stray_fup = found & APL12;
	f->vmentry_fup = found & SKD022;
	f->errata = found & SKD007 ? PACKET_CUT_CYC : found & SKZ84 ? PACKET_LONG_TMA : 0;
}

/* The header has the model in the form "GenuineIntel,6,94,3". */
void errata_find(struct session *s)
{
	enum { FEATURE_CPUID = 9 };
	static const char intel[] = "GenuineIntel,";
	struct bytes id = perf_feature(&s->file, FEATURE_CPUID);
	char text[8] = { 0 };
	u64 family, model;
	const char *p;

	if (id.len < 4 + sizeof(intel) + 4 || memcmp(id.at + 4, intel, sizeof(intel) - 1))
		return;
	id = bytes_skip(id, 4 + sizeof(intel) - 1);
	memcpy(text, id.at, MIN(id.len, sizeof(text) - 1));
	p = num_read(text, 10, &family);
	if (p && *p == ',' && num_read(p + 1, 10, &model))
		errata_set(s, family, model);
}
