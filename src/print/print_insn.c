/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The columns of an instruction: its length, its bytes, its text, its source line.
 */
#include <elf.h>

#include <pt/config/DISASM.h>
#include <pt/disasm.h>
#include "sample_line.h"

u32 sample_read_code(struct sample_printer *pr, const struct thread *t, u64 ip, u8 *to, u32 len)
{
	struct space *space = (struct space *)session_space_at(pr->session, t, ip);
	u32 n = 0;

	while (space && n < len) {
		struct bytes code = bytes_first(space_bytes(&pr->session->images, space, ip + n),
						len - n);

		if (!code.len)
			break;
		memcpy(to + n, code.at, code.len);
		n += code.len;
	}
	return n;
}

static char *put_code(char *p, const u8 *code, u8 n)
{
	u8 i;

	for (i = 0; i < n; i++) {
		p = put_char(p, ' ');
		p = put_byte(p, code[i]);
	}
	return p;
}

COLD char *sample_put_code(char *p, struct sample_printer *pr, const struct sample *s)
{
	u8 code[INSN_MAX];

	return put_code(p, code, sample_read_code(pr, s->insn_thread, s->insn_ip, code,
						  s->insn_len));
}

COLD char *sample_put_srcline(char *p, struct sample_printer *pr, const struct thread *t, u64 ip,
			      const char *before)
{
	const struct map *map = session_map_at(pr->session, t, ip);
	struct images *im = &pr->session->images;
	struct source_line line;

	if (!map || !dso_source_line(im, map->dso, map_addr(im, map, ip), &line))
		return p;
	p = sample_put_name(put_str(p, before), pr->full_path ? line.path : line.file);
	p = put_char(p, ':');
	return put_dec(p, line.line);
}

COLD char *sample_put_line(char *p, struct sample_printer *pr, const struct thread *t, u64 ip)
{
	const struct map *map = session_map_at(pr->session, t, ip);
	struct images *im = &pr->session->images;
	struct source_line line;
	u64 addr;

	if (!map)
		return p;
	addr = map_addr(im, map, ip);
	if (dso_source_line(im, map->dso, addr, &line) ||
	    dso_source_file(im, map->dso, addr, &line)) {
		if (!line.line && !strcmp(line.file, "??"))
			return p;
		p = sample_put_name(put_str(p, "\n  "), pr->full_path ? line.path : line.file);
		return put_dec(put_char(p, ':'), line.line);
	}
	p = sample_put_name(put_str(p, "\n  "), map->dso->short_name);
	return put_char(put_hex(put_char(p, '['), addr), ']');
}

/* Is this 32-bit code? As in perf, the class of the ELF file decides. */
static bool is_narrow(struct sample_printer *pr, const struct map *map)
{
	struct bytes file = { 0 };

	if (map)
		file = dso_bytes(&pr->session->images, map->dso, 0);
	return file.len > EI_CLASS && !memcmp(file.at, ELFMAG, SELFMAG) &&
	       file.at[EI_CLASS] == ELFCLASS32;
}

/* Print an instruction that Capstone does not know as .byte. It is valid, since it was executed. */
static char *put_unknown(char *p, struct bytes code)
{
	size_t i;

	p = put_bytes(p, ".byte ", 6);
	for (i = 0; i < code.len; i++)
		p = put_byte(put_bytes(p, i ? ",0x" : "0x", i ? 3 : 2), code.at[i]);
	return p;
}

/* Print the instruction 'code' at 'ip' as text, with the symbol of a branch target. */
COLD static char *put_disasm(char *p, struct sample_printer *pr, const struct thread *t, u64 ip,
			     struct bytes code)
{
	const struct symbol *sym = NULL;
	const struct map *map;
	struct disasm d;

	if (!CONFIG_DISASM ||
	    !disasm(&d, code, ip, is_narrow(pr, session_map_at(pr->session, t, ip))))
		return put_unknown(p, code);
	p = put_str(p, d.name);
	if (*d.operands)
		p = put_char(p, ' ');
	map = d.has_target ? session_map_at(pr->session, t, d.target) : NULL;
	if (map)
		sym = session_symbol_at(pr->session, map, d.target);
	if (!sym)
		return put_str(p, d.operands);
	p = put_bytes(sample_put_name(p, sym->name), "+0x", 3);
	return put_hex(p, map_addr(&pr->session->images, map, d.target) - sym->start);
}

char *sample_put_disasm(char *p, struct sample_printer *pr, const struct sample *s)
{
	u8 code[INSN_MAX], n = sample_read_code(pr, s->insn_thread, s->insn_ip, code, s->insn_len);

	return put_disasm(p, pr, s->insn_thread, s->insn_ip, (struct bytes){ code, n });
}

char *sample_put_insn_columns(char *p, struct sample_printer *pr, const struct thread *t,
			      u64 insn_ip, u8 len, u64 ip, u32 fields)
{
	u64 at = len ? insn_ip : ip;
	u8 code[INSN_MAX], n;
	struct insn insn;

	n = sample_read_code(pr, t, at, code, len ? len : INSN_MAX);
	if (!len && insn_decode(&insn, INSN_64, (struct bytes){ code, n }) > 0)
		len = insn.len;
	if (fields & FIELD_INSNLEN)
		p = put_dec(put_bytes(p, " ilen: ", 7), len);
	if (fields & FIELD_INSN && len)
		p = put_code(put_bytes(p, " insn:", 6), code, MIN(len, n));
	if (CONFIG_DISASM && fields & FIELD_DISASM && len)
		p = put_disasm(put_bytes(p, "\t\t", 2), pr, t, at,
			       (struct bytes){ code, MIN(len, n) });
	return p;
}
