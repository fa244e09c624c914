/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Symbol tables: sorted arrays, loaded when a DSO is first asked for a name.
 */
#include "image.h"

const struct symbol *dso_symbol(struct images *im, struct dso *dso, u64 addr)
{
	return NULL;
}
