/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "src/session/session.h"
#include "test.h"

static struct session session;

/* A letter for each erratum of the model. */
static const char *of(u64 family, u64 model)
{
	const struct flow_setup *f = &session.setup;
	static char text[8];
	char *p = text;

	errata_set(&session, family, model);
	if (f->abort_astray)
		*p++ = 'a';	/* BDM64 */
	if (f->errata == PACKET_CUT_CYC)
		*p++ = 'c';	/* SKD007 */
	if (f->errata == PACKET_LONG_TMA)
		*p++ = 't';	/* SKZ84 */
	if (f->vmentry_fup)
		*p++ = 'v';	/* SKD022 */
	if (f->fup_next_ip)
		*p++ = 'n';	/* Goldmont */
	if (f->stray_fup)
		*p++ = 's';	/* APL12 */
	*p = 0;
	return text;
}

TEST(a_model_has_its_errata_and_no_others)
{
	static const struct { u8 family; const char *errata, *models; } all[] = {
		{ 6, "a", "\x3d\x47\x4f\x56" },
		{ 6, "cv", "\x4e\x5e\x8e\x9e\xa5\xa6" },
		{ 6, "tv", "\x55\x6a\x6c\x8f\xcf\xad\xae" },
		{ 0x13, "tv", "\x01" },
		{ 6, "v", "\x66\x7d\x7e\x8c\x8d\xa7\xa8" },
		{ 6, "v", "\x97\x9a\xba\xb7\xbf\xc5\xc6\xb5\xaa\xac\xbd\xcc\xd5" },
		{ 0x12, "v", "\x01\x03" },
		{ 6, "ns", "\x5c\x5f" },
		{ 6, "", "\x7a\x86\x96\x9c\xb6\xaf\xdd\x01\xff" },
		{ 0x12, "", "\x4e" },
	};
	const char *m;
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		for (m = all[i].models; *m; m++)
			STR_EQ(of(all[i].family, (u8)*m), all[i].errata);
	STR_EQ(of(6, 0), "");
	STR_EQ(of(6, 0x14e), "");
}
