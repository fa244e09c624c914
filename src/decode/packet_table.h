/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The packets that begin with 02h, for reading and for writing them.
 */
#ifndef PACKET_TABLE_H
#define PACKET_TABLE_H

/* X(byte, kind, size, n, ip): the second byte, the packet, its total size in bytes, how many bytes
 * at the end are the value, and 1 if the byte says that a FUP follows. */
#define EXTENDED(X) \
	X(0x03, PACKET_CBR, 4, 2, 0) \
	X(0x12, PACKET_PTW, 6, 4, 0) \
	X(0x13, PACKET_CFE, 4, 2, 0) \
	X(0x22, PACKET_PWRE, 4, 2, 0) \
	X(0x23, PACKET_PSBEND, 2, 0, 0) \
	X(0x32, PACKET_PTW, 10, 8, 0) \
	X(0x33, PACKET_BEP, 2, 0, 0) \
	X(0x43, PACKET_PIP, 8, 6, 0) \
	X(0x53, PACKET_EVD, 11, 8, 0) \
	X(0x62, PACKET_EXSTOP, 2, 0, 0) \
	X(0x63, PACKET_BBP, 3, 1, 0) \
	X(0x73, PACKET_TMA, 7, 5, 0) \
	X(0x82, PACKET_PSB, 16, 0, 0) \
	X(0x83, PACKET_TRACESTOP, 2, 0, 0) \
	X(0x92, PACKET_PTW, 6, 4, 1) \
	X(0xa2, PACKET_PWRX, 7, 5, 0) \
	X(0xa3, PACKET_TNT, 8, 6, 0) \
	X(0xb2, PACKET_PTW, 10, 8, 1) \
	X(0xb3, PACKET_BEP, 2, 0, 1) \
	X(0xc2, PACKET_MWAIT, 10, 8, 0) \
	X(0xc3, PACKET_MNT, 11, 8, 0) \
	X(0xc8, PACKET_VMCS, 7, 5, 0) \
	X(0xe2, PACKET_EXSTOP, 2, 0, 1) \
	X(0xf3, PACKET_OVF, 2, 0, 0)

#endif
