/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * C++ and Rust names (Itanium C++ ABI, "Mangling"; Rust RFC 2603 and its legacy form), and those of
 * OCaml.
 */
#ifndef SYMBOL_NAME_H
#define SYMBOL_NAME_H

#include <pt/base.h>

/* Write the source form of the symbol 'name', of 'len' bytes, to 'to', without parameters and
 * without a terminating 0. Returns its length, or 0 if the symbol is not such a name or the text
 * is longer than 'size'. */
size_t symbol_name_read(const char *name, size_t len, char *to, size_t size);

#endif
