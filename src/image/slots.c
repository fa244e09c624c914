/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slots: pointers to functions, which the loader sets. Code calls functions of other files through
 * them, and functions of which there are several forms (STT_GNU_IFUNC: memcpy, strlen). Those forms
 * have other names: only the slot has the name that the source has.
 *
 * The formats: System V ABI, AMD64 supplement, "Relocation Types", "Procedure Linkage Table".
 */
#include <elf.h>

#include <pt/sort.h>
#include "elf.h"
#include "image.h"
#include "segment.h"

struct slot {
	u64 addr;
	const char *name;	/* NULL: not known by a name */
	u64 resolver;		/* where the function is that chooses the form, in the file; or 0 */
};

struct slots { struct slot *at; u32 n; };

static u64 offset_of(struct bytes file, u64 addr)
{
	struct segments all = segments_of(file);
	struct segment s;

	while (segment_next(&all, &s))
		if (s.type == SEGMENT_LOAD && addr - s.vaddr < s.filesz)
			return addr - s.vaddr + s.off;
	return 0;
}

static const char *name_of(struct elf *e, u32 table, u32 i, struct arena *arena)
{
	struct elf_table t;
	struct elf_symbol s;
	struct bytes names;
	size_t len;
	char *name;

	if (!i || !elf_table(e, table, &t) || i >= t.n)
		return NULL;
	elf_symbol(&t, i, &s);
	names = elf_strings(e, e->sections[table].link);
	if (s.name >= names.len)
		return NULL;
	len = strnlen((const char *)names.at + s.name, names.len - s.name);
	name = NEW(arena, char, len + 1);
	memcpy(name, names.at + s.name, len);
	return name;
}

static void add_section(struct images *im, struct slots *to, struct elf *e, u32 section)
{
	struct elf_table t;
	u32 i;

	if (e->sections[section].type != SHT_RELA || !elf_table(e, section, &t))
		return;
	to->at = arena_grow(im->arena, to->at, sizeof(*to->at), to->n, to->n + t.n);
	for (i = 0; i < t.n; i++) {
		const u8 *at = t.bytes.at + (size_t)i * t.size;
		struct slot *s = &to->at[to->n];

		*s = (struct slot){ .addr = get64(at) };
		switch ((u32)get64(at + 8)) {
		case R_X86_64_JUMP_SLOT:
		case R_X86_64_GLOB_DAT:
			s->name = name_of(e, e->sections[section].link, elf_reloc(&t, i),
					  im->arena);
			break;
		case R_X86_64_IRELATIVE:
			s->resolver = offset_of(e->file, get64(at + 16));
			break;
		}
		to->n += s->name || s->resolver;
	}
}

static void sort_slots(struct images *im, struct slots *to)
{
	struct sort_item *items = NEW(im->arena, struct sort_item, 2 * (size_t)to->n + 1);
	struct slot *sorted = NEW(im->arena, struct slot, to->n + 1);
	u32 i;

	for (i = 0; i < to->n; i++)
		items[i] = (struct sort_item){ to->at[i].addr, i };
	sort_items(items, to->n, items + to->n);
	for (i = 0; i < to->n; i++)
		sorted[i] = to->at[items[i].index];
	to->at = sorted;
}

static const struct slots *slots_of(struct images *im, struct dso *dso)
{
	struct arena scratch = { 0 };
	struct elf e;
	u32 i;

	if (dso->slots)
		return dso->slots;
	dso->slots = NEW(im->arena, struct slots, 1);
	if (elf_open(&e, dso_file_bytes(im, dso), &scratch) && e.wide && e.machine == EM_X86_64)
		for (i = 1; i < e.n_sections; i++)
			if (e.sections[i].flags & SHF_ALLOC)
				add_section(im, dso->slots, &e, i);
	sort_slots(im, dso->slots);
	arena_free(&scratch);
	return dso->slots;
}

static const struct slot *find(const struct slots *s, u64 addr)
{
	u32 from = 0, end = s->n;

	while (from < end) {
		u32 i = (from + end) / 2;

		if (s->at[i].addr == addr)
			return &s->at[i];
		if (s->at[i].addr < addr)
			from = i + 1;
		else
			end = i;
	}
	return NULL;
}

/* The address of the pointer by which the code goes on: call or jmp *N(%rip), or 0. */
static u64 pointer_at(struct bytes file, u64 off)
{
	static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	struct bytes code = off < file.len ? bytes_skip(file, off) : (struct bytes){ 0 };
	u64 addr;

	if (code.len > 4 && !memcmp(code.at, endbr64, 4))
		code = bytes_skip(code, 4);
	if (code.len && (code.at[0] == 0xf2 || code.at[0] == 0x3e))	/* bnd, notrack */
		code = bytes_skip(code, 1);
	if (code.len < 6 || code.at[0] != 0xff || (code.at[1] != 0x15 && code.at[1] != 0x25) ||
	    !segments_address(file, code.at - file.at, &addr))
		return 0;
	return addr + 6 + (i64)(i32)get32(code.at + 2);
}

bool dso_calls_by_slot(struct images *im, struct dso *dso, u64 off, const char *name)
{
	u64 addr = dso->kind == DSO_FILE ? pointer_at(dso_file_bytes(im, dso), off) : 0;
	const struct slot *slot = addr ? find(slots_of(im, dso), addr) : NULL;
	const struct symbol *sym;

	if (!slot)
		return false;
	if (slot->name)
		return !strcmp(slot->name, name);
	sym = dso_symbol(im, dso, slot->resolver);
	return sym && sym->start == slot->resolver && symbol_is(sym, name, strlen(name));
}
