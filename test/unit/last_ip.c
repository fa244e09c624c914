/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <test.h>
#include <pt/last_ip.h>

static struct packet tip(int count, u64 payload)
{
	return (struct packet){ PACKET_TIP, .count = count, .payload = payload };
}

/* The address that a TIP gives if the last one was 0x1122334455667788. */
static u64 after(int count, u64 payload)
{
	struct last_ip l = { 0x1122334455667788, true };
	struct packet pkt = tip(count, payload);
	u64 ip = 0;

	OK(last_ip_update(&l, &pkt, &ip));
	EQ(l.ip, ip);
	return ip;
}

TEST(short_payloads_replace_the_low_part)
{
	EQ(after(1, 0xabcd), 0x112233445566abcd);
	EQ(after(2, 0xabcdef01), 0x11223344abcdef01);
	EQ(after(4, 0xabcdef012345), 0x1122abcdef012345);
}

TEST(a_full_payload_is_the_address)
{
	EQ(after(3, 0x7fff12345678), 0x7fff12345678);
	EQ(after(3, 0xffff81000000), 0xffffffff81000000);
	EQ(after(6, 0xabcdef0123456789), 0xabcdef0123456789);
}

TEST(a_suppressed_address_changes_nothing)
{
	struct last_ip l = { 0x1000, true };
	struct packet pkt = tip(0, 0);
	u64 ip = 5;

	OK(!last_ip_update(&l, &pkt, &ip));
	EQ(ip, 5);
	EQ(l.ip, 0x1000);
}

TEST(an_address_relative_to_nothing_known_is_none)
{
	struct last_ip l = { 0 };
	struct packet pkt = tip(1, 0x1234);
	u64 ip = 5;

	OK(!last_ip_update(&l, &pkt, &ip));
	EQ(ip, 5);
	pkt = tip(3, 0x401000);
	OK(last_ip_update(&l, &pkt, &ip));
	pkt = tip(1, 0x1234);
	OK(last_ip_update(&l, &pkt, &ip));
	EQ(ip, 0x401234);
}

TEST(behind_a_psb_addresses_are_relative_to_0)
{
	struct last_ip l = { 0x7fff00000000, true };
	struct packet pkt = tip(1, 0x1234);
	u64 ip;

	last_ip_reset(&l);
	OK(last_ip_update(&l, &pkt, &ip));
	EQ(ip, 0x1234);
}

TEST(ip_bytes_says_how_long_each_form_is)
{
	int i;

	for (i = 0; i < 8; i++) {
		u8 in[9] = { 0x0d | i << 5 };
		struct packet pkt;
		int size = packet_decode(&pkt, (struct bytes){ in, sizeof(in) }, 0);

		EQ(size, i == 5 || i == 7 ? -1 : 1 + ip_bytes[i]);
	}
}
