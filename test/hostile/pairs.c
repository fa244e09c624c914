/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table for help texts that are not packed: each byte stands for itself.
 */
#include <pt/packed.h>

const unsigned char packed_pairs[1][2], packed_n;
