/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files of src/print that become part of an output: scripts and pages for browsers. They are stored
 * compressed where there is zlib.
 */
#ifndef PT_PRINT_PAGE_H
#define PT_PRINT_PAGE_H

#include <pt/config/ZLIB.h>
#include <pt/out.h>
#include <pt/zip.h>

/* Declare page_NAME as the bytes of 'file'. */
#define PAGE(name, file) \
	asm(".pushsection .rodata." #name ", \"a\"\n" \
	    "page_" #name ":\n" \
	    "	.incbin \"" PAGES file PAGES_END "\"\n" \
	    "page_" #name "_end:\n" \
	    "	.popsection\n"); \
	extern const u8 page_##name[] __attribute__((visibility("hidden"))); \
	extern const u8 page_##name##_end[] __attribute__((visibility("hidden")))

static inline void print_page(struct out *out, const u8 *at, const u8 *end)
{
	struct bytes text = { at, end - at };
	struct arena a = { 0 };

	if (CONFIG_ZLIB)
		text = zip_inflate(text, 0, &a);
	out_bytes(out, text.at, text.len);
	arena_free(&a);
}

#endif
