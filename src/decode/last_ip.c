/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * IPBytes to the size of an IP packet's payload.
 *
 * Manual: SDM volume 3, "Intel Processor Trace", "IP Compression".
 */
#include <pt/last_ip.h>

const u8 ip_bytes[8] = { 0, 2, 4, 6, 6, 0, 8, 0 };
