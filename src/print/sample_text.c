/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a made sample says, as words: the kind of a branch, the values of another event.
 */
#include "sample_line.h"

char *sample_put_word(char *p, const char *before, u64 v)
{
	p = put_str(p, before);
	return put_dec(p, v);
}

char *sample_put_0x(char *p, const char *before, u64 v)
{
	p = put_str(p, before);
	if (v)
		p = put_bytes(p, "0x", 2);
	return put_hex(p, v);
}

static const char *flags_name(u32 flags)
{
	static const struct { u32 flags; const char *name; } names[] = {
		{ FLAG_BRANCH | FLAG_CALL, "call" },
		{ FLAG_BRANCH | FLAG_RETURN, "return" },
		{ FLAG_BRANCH | FLAG_COND, "jcc" },
		{ FLAG_BRANCH, "jmp" },
		{ FLAG_BRANCH | FLAG_CALL | FLAG_INT, "int" },
		{ FLAG_BRANCH | FLAG_RETURN | FLAG_INT, "iret" },
		{ FLAG_BRANCH | FLAG_CALL | FLAG_SYSCALL, "syscall" },
		{ FLAG_BRANCH | FLAG_RETURN | FLAG_SYSCALL, "sysret" },
		{ FLAG_BRANCH | FLAG_ASYNC, "async" },
		{ FLAG_BRANCH | FLAG_CALL | FLAG_ASYNC | FLAG_INT, "hw int" },
		{ FLAG_BRANCH | FLAG_ABORT, "tx abrt" },
		{ FLAG_BRANCH | FLAG_BEGIN, "tr strt" },
		{ FLAG_BRANCH | FLAG_END, "tr end" },
		{ FLAG_BRANCH | FLAG_CALL | FLAG_VMENTRY, "vmentry" },
		{ FLAG_BRANCH | FLAG_CALL | FLAG_ASYNC | FLAG_VMEXIT, "vmexit" },
	};
	size_t i;

	for (i = 0; i < N_ELEM(names); i++)
		if (names[i].flags == flags)
			return names[i].name;
	return NULL;
}

char *sample_put_flag_words(char *p, u32 flags)
{
	static const char letters[] = "bcrosyiABExghDt";
	const u32 state = FLAG_IN_TX | FLAG_INTR_OFF | FLAG_INTR_CHANGE;
	const char *name, *before = "";
	char in[8] = "", *q = in;
	u32 base = flags & ~state, i;

	if (flags & state) {
		*q++ = '(';
		if (flags & FLAG_IN_TX)
			*q++ = 'x';
		if (flags & FLAG_INTR_OFF)
			*q++ = 'D';
		if (flags & FLAG_INTR_CHANGE)
			*q++ = 't';
		*q++ = ')';
		*q = 0;
	}
	name = flags_name(base);
	if (!name && base & FLAG_BEGIN) {
		name = flags_name(base & ~FLAG_BEGIN);
		before = "tr strt ";
	}
	if (!name && base & FLAG_END) {
		name = flags_name(base & ~FLAG_END);
		before = "tr end  ";
	}
	if (name) {
		p = put_str(p, before);
		p = put_str_w(p, name, *before ? -7 : -15);
		return put_str_w(p, in, 6);
	}
	for (i = 0; letters[i]; i++)
		if (flags >> i & 1)
			p = put_char(p, letters[i]);
	return p;
}

/* Are the value's bytes text, up to a NUL? */
static bool is_text(u64 v)
{
	bool ended = false;
	int i;

	for (i = 0; i < 8; i++, v >>= 8) {
		u8 c = v;

		if (!c)
			ended = true;
		else if (ended || c < ' ' || c >= 0x7f)
			return false;
	}
	return true;
}

static char *put_ptw(char *p, const struct sample *s)
{
	p = sample_put_word(p, " IP: ", s->with_ip);
	p = sample_put_0x(p, " payload: ", s->value);
	p = put_char(p, ' ');
	if (is_text(s->value))
		p = put_bytes(p, &s->value, strnlen((const char *)&s->value, 8));
	return put_char(p, ' ');
}

char *sample_put_cbr(char *p, u8 cbr, u8 max, u64 khz)
{
	p = put_str(p, " cbr: ");
	p = put_dec_w(p, cbr, 2);
	p = put_str(p, " freq: ");
	p = put_dec_w(p, (khz + 500) / 1000, 4);
	p = put_str(p, " MHz ");
	if (!max)
		return p;
	p = put_char(p, '(');
	p = put_dec_w(p, (5 + 1000 * cbr / max) / 10, 3);
	return put_str(p, "%) ");
}

static char *put_cfe(char *p, const struct sample *s)
{
	static const char *const cfe[] = { NULL, "INTR", "IRET", "SMI", "RSM", "SIPI", "INIT",
					   "VMENTRY", "VMEXIT", "VMEXIT_INTR", "SHUTDOWN" };
	static const char *const evd[] = { " PFA: ", " VMXQ: ", " VMXR: " };
	const struct event_values *values = s->values;
	u32 type = values->cfe_type & 31, i;

	p = put_str(p, " cfe: ");
	if (type && type < N_ELEM(cfe))
		p = put_str(p, cfe[type]);
	else
		p = put_dec(p, type);
	p = sample_put_word(p, " IP: ", s->with_ip);
	p = sample_put_word(p, " vector: ", values->cfe_vector);
	for (i = 0; i < values->n_evd; i++) {
		type = values->evd[i].type & 63;
		if (type < N_ELEM(evd)) {
			p = sample_put_0x(p, evd[type], values->evd[i].payload);
			continue;
		}
		p = sample_put_word(p, " EVD_", type);
		p = sample_put_0x(p, ": ", values->evd[i].payload);
	}
	return p;
}

char *sample_put_text(char *p, const struct sample_printer *pr, const struct sample *s)
{
	u64 v = s->value;

	switch (s->kind) {
	case SAMPLE_PTW:
		return put_ptw(p, s);
	case SAMPLE_CBR:
		return sample_put_cbr(p, v, pr->session->max_nonturbo,
				      (u8)v * pr->session->khz_per_cbr);
	case SAMPLE_PSB:
		return sample_put_0x(p, " psb offs: ", v);
	case SAMPLE_MWAIT:
		p = sample_put_0x(p, " hints: ", v & 0xff);
		p = sample_put_0x(p, " extensions: ", v >> 32 & 3);
		return put_char(p, ' ');
	case SAMPLE_PWRE:
		p = sample_put_word(p, " hw: ", v >> 7 & 1);
		p = sample_put_word(p, " cstate: ", v >> 12 & 15);
		p = sample_put_word(p, " sub-cstate: ", v >> 8 & 15);
		return put_char(p, ' ');
	case SAMPLE_EXSTOP:
		return put_char(sample_put_word(p, " IP: ", s->with_ip), ' ');
	case SAMPLE_PWRX:
		p = sample_put_word(p, " deepest cstate: ", v & 15);
		p = sample_put_word(p, " last cstate: ", v >> 4 & 15);
		p = sample_put_0x(p, " wake reason: ", v >> 8 & 15);
		return put_char(p, ' ');
	case SAMPLE_EVT:
		return put_cfe(p, s);
	case SAMPLE_IFLAG:
		p = sample_put_word(p, " IFLAG: ", !v);
		p = sample_put_word(p, "->", v);
		return put_str(p, s->via_branch ? " via branch" : " non branch");
	}
	return p;
}
