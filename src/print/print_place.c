/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Addresses to text.
 *
 * Looking up the symbol of an address is slow, so the text is cached by (space, address, columns).
 */
#include <pt/config/SCRIPT_MORE.h>
#include <pt/print_record.h>
#include "sample_fields.h"
#include "sample_line.h"

static const char unknown[] = "[unknown]";

char *sample_put_name(char *p, const char *name)
{
	char *end = p + SAMPLE_NAME - 4;

	for (; *name && p < end; name++) {
		if (*name >= ' ' && *name < 0x7f)
			p = put_char(p, *name);
		else
			p = put_byte(put_bytes(p, "\\x", 2), *name);
	}
	return p;
}

static char *put_symbol(char *p, const struct symbol *sym, u64 addr, bool with_offset)
{
	if (!sym)
		return put_bytes(p, unknown, sizeof(unknown) - 1);
	p = sample_put_name(p, sym->name);
	if (!with_offset)
		return p;
	p = put_bytes(p, "+0x", 3);
	return put_hex(p, addr - sym->start);
}

char *sample_put_symbol(char *p, const struct sample_printer *pr, const struct map *map, u64 ip)
{
	return put_symbol(p, session_symbol_at(pr->session, map, ip),
			  map ? map_addr(&pr->session->images, map, ip) : 0, true);
}

static const char *dso_name(const struct sample_printer *pr, const struct dso *dso)
{
	const struct images *im = &pr->session->images;

	if (!CONFIG_SCRIPT_MORE || !pr->kernel_path || dso->kind != DSO_KERNEL || dso->guest)
		return dso->name;
	return im->vmlinux ? im->vmlinux : im->kcore ? im->kcore : dso->name;
}

char *sample_put_dso(char *p, const struct sample_printer *pr, const struct map *map)
{
	char *start = p;

	p = sample_put_name(p, map ? dso_name(pr, map->dso) : unknown);
	if (!pr->dso_width)
		return p;
	if (p - start >= pr->dso_width)
		p = start + pr->dso_width - 1;
	return put_fill(p, ' ', pr->dso_width - (p - start));
}

char *sample_put_dso_off(char *p, const struct sample_printer *pr, const struct map *map, u64 ip)
{
	if (!map || (map->dso->kind != DSO_FILE && map->dso->kind != DSO_VDSO))
		return sample_put_dso(p, pr, map);
	p = put_str(sample_put_name(p, map->dso->name), "+0x");
	return put_hex(p, ip - map->start + map->pgoff);
}

static char *render(char *p, struct sample_printer *pr, const struct map *map, u64 ip, u32 fields)
{
	const struct symbol *sym = NULL;

	if (fields & PLACE_ADDRESS)
		p = put_hex_w(p, ip, 16);
	if (fields & PLACE_NAME) {
		sym = session_symbol_at(pr->session, map, ip);
		return sym ? sample_put_name(p, sym->name) : put_hex_w(p, ip, 16);
	}
	if (fields & FIELD_SYM) {
		sym = session_symbol_at(pr->session, map, ip);
		p = put_char(p, ' ');
		p = put_symbol(p, sym, map ? map_addr(&pr->session->images, map, ip) : 0,
			       fields & FIELD_SYMOFF);
	}
	if (fields & FIELD_DSO) {
		p = put_bytes(p, " (", 2);
		p = sample_put_dso_at(p, pr, map, ip, fields);
		p = put_char(p, ')');
	}
	return p;
}

static u32 slot(const struct sample_printer *pr, u32 space, u64 ip)
{
	return ((ip ^ (u64)space << 40) * 0x9e3779b97f4a7c15 >> 32) & (pr->places_room - 1);
}

static void grow(struct sample_printer *pr)
{
	u32 room = pr->places_room, i, at;
	struct place *old = pr->places;

	pr->places_room = room ? room * 2 : 4096;
	pr->places = NEW(&pr->session->arena, struct place, pr->places_room);
	for (i = 0; i < room; i++) {
		if (!old[i].text)
			continue;
		at = slot(pr, old[i].space, old[i].ip);
		while (pr->places[at].text)
			at = (at + 1) & (pr->places_room - 1);
		pr->places[at] = old[i];
	}
}

const struct place *sample_place(char *p, struct sample_printer *pr, const struct thread *t,
				 u64 ip, u32 fields)
{
	const struct space *space = session_space_at(pr->session, t, ip);
	const struct map *map;
	struct place *place;
	u32 at, len, id;

	fields &= FIELD_SYM | FIELD_SYMOFF | FIELD_DSO | FIELD_DSOFF | PLACE_NAME | PLACE_ADDRESS;
	if (!space)
		return NULL;
	if (pr->n_places >= pr->places_room / 2)
		grow(pr);
	id = space_id(space, ip);
	at = slot(pr, id, ip);
	for (; (place = &pr->places[at])->text; at = (at + 1) & (pr->places_room - 1))
		if (place->ip == ip && place->space == id && place->fields == fields)
			return place;
	/* Do not cache this: the address may be mapped later. */
	map = space_find(space, ip);
	if (!map)
		return NULL;
	len = render(p, pr, map, ip, fields) - p;
	*place = (struct place){ ip, id, fields, len,
				 arena_alloc(&pr->session->arena, len + KEPT_SLACK) };
	memcpy(place->text, p, len);
	pr->n_places++;
	return place;
}

char *sample_put_place(char *p, struct sample_printer *pr, const struct thread *t, u64 ip,
		       u32 fields)
{
	bool named = fields & (FIELD_SYM | FIELD_DSO | PLACE_NAME);
	const struct place *place = NULL;

	if (named && !pr->once)
		place = sample_place(p, pr, t, ip, fields);
	return place ? put_bytes(p, place->text, place->len) :
		       render(p, pr, named ? session_map_at(pr->session, t, ip) : NULL, ip, fields);
}

void print_poke(struct sample_printer *pr, const struct perf_record *rec)
{
	struct perf_text_poke poke = { 0 };
	const struct map *map;
	char name[SAMPLE_NAME + KEPT_SLACK] = "";

	if (perf_get_text_poke(rec, &poke)) {
		map = session_map_at(pr->session, NULL, poke.addr);
		if (session_symbol_at(pr->session, map, poke.addr))
			*sample_put_symbol(name, pr, map, poke.addr) = 0;
	}
	print_side_band_poke(pr->out, rec, name);
}
