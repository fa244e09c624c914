/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * usage: packet TRACE: reads every packet of TRACE with libipt and with packet_next(), and prints
 * where they differ. The exit status is 1 if they differ.
 *
 * TRACE begins with a PSB and has valid packets of the kinds that libipt 2.0 knows, without CYCs of
 * more than 60 bits.
 */
#include <stdio.h>
#include <stdlib.h>

#include <intel-pt.h>
#include <pt/packet.h>

static const u8 ip_forms[] = {
	[pt_ipc_suppressed] = 0, [pt_ipc_update_16] = 1, [pt_ipc_update_32] = 2,
	[pt_ipc_sext_48] = 3, [pt_ipc_update_48] = 4, [pt_ipc_full] = 6,
};

static struct packet ip(int kind, const struct pt_packet *p)
{
	return (struct packet){ kind, .count = ip_forms[p->payload.ip.ipc],
				.payload = p->payload.ip.ip };
}

static struct packet tnt(const struct pt_packet *p)
{
	return (struct packet){ PACKET_TNT, .count = p->payload.tnt.bit_size,
				.payload = p->payload.tnt.payload };
}

static struct packet mode(const struct pt_packet *p)
{
	if (p->payload.mode.leaf == pt_mol_tsx)
		return (struct packet){ PACKET_MODE_TSX, .payload = p->payload.mode.bits.tsx.intx |
					p->payload.mode.bits.tsx.abrt << 1 };
	return (struct packet){ PACKET_MODE_EXEC, .payload = p->payload.mode.bits.exec.csl |
				p->payload.mode.bits.exec.csd << 1 };
}

static struct packet pwrx(const struct pt_packet *p)
{
	return (struct packet){ PACKET_PWRX, .payload = p->payload.pwrx.deepest |
				p->payload.pwrx.last << 4 | p->payload.pwrx.interrupt << 8 |
				p->payload.pwrx.store << 10 | p->payload.pwrx.autonomous << 11 };
}

static struct packet pwre(const struct pt_packet *p)
{
	return (struct packet){ PACKET_PWRE, .payload = p->payload.pwre.sub_state << 8 |
				p->payload.pwre.state << 12 };
}

/* A packet of libipt in our words. */
static struct packet ours(const struct pt_packet *p)
{
	switch (p->type) {
	case ppt_pad: return (struct packet){ PACKET_PAD };
	case ppt_psb: return (struct packet){ PACKET_PSB };
	case ppt_psbend: return (struct packet){ PACKET_PSBEND };
	case ppt_stop: return (struct packet){ PACKET_TRACESTOP };
	case ppt_ovf: return (struct packet){ PACKET_OVF };
	case ppt_tip: return ip(PACKET_TIP, p);
	case ppt_tip_pge: return ip(PACKET_TIP_PGE, p);
	case ppt_tip_pgd: return ip(PACKET_TIP_PGD, p);
	case ppt_fup: return ip(PACKET_FUP, p);
	case ppt_tnt_8:
	case ppt_tnt_64: return tnt(p);
	case ppt_mode: return mode(p);
	case ppt_pip: return (struct packet){ PACKET_PIP, .ip = p->payload.pip.nr,
					      .payload = p->payload.pip.cr3 >> 5 };
	case ppt_vmcs: return (struct packet){ PACKET_VMCS, .payload = p->payload.vmcs.base >> 12 };
	case ppt_cbr: return (struct packet){ PACKET_CBR, .payload = p->payload.cbr.ratio };
	case ppt_tsc: return (struct packet){ PACKET_TSC, .payload = p->payload.tsc.tsc };
	case ppt_tma: return (struct packet){ PACKET_TMA, .payload = p->payload.tma.ctc,
					      .extra = p->payload.tma.fc };
	case ppt_mtc: return (struct packet){ PACKET_MTC, .payload = p->payload.mtc.ctc };
	case ppt_cyc: return (struct packet){ PACKET_CYC, .payload = p->payload.cyc.value };
	case ppt_mnt: return (struct packet){ PACKET_MNT, .payload = p->payload.mnt.payload };
	case ppt_exstop: return (struct packet){ PACKET_EXSTOP, .ip = p->payload.exstop.ip };
	case ppt_mwait: return (struct packet){ PACKET_MWAIT, .payload = p->payload.mwait.hints |
						(u64)p->payload.mwait.ext << 32 };
	case ppt_pwre: return pwre(p);
	case ppt_pwrx: return pwrx(p);
	case ppt_ptw: return (struct packet){ PACKET_PTW, .ip = p->payload.ptw.ip,
					      .extra = p->payload.ptw.plc ? 8 : 4,
					      .payload = p->payload.ptw.payload };
	default: return (struct packet){ PACKET_BAD };
	}
}

static bool same(const struct packet *a, const struct packet *b)
{
	return a->kind == b->kind && a->payload == b->payload && a->extra == b->extra &&
	       a->count == b->count && a->ip == b->ip;
}

static int differ(u64 off, const struct packet *theirs, const struct packet *got)
{
	printf("at %#llx: kind %d payload %#llx extra %#x count %d ip %d, not %d %#llx %#x %d %d\n",
	       off, got->kind, got->payload, got->extra, got->count, got->ip, theirs->kind,
	       theirs->payload, theirs->extra, theirs->count, theirs->ip);
	return 1;
}

int main(int argc, char **argv)
{
	static u8 trace[64 << 20];
	FILE *f = argc == 2 ? fopen(argv[1], "rb") : NULL;
	struct packets walk = { .rest = { trace } };
	struct pt_packet_decoder *d;
	struct pt_config config;
	struct pt_packet p;
	struct packet pkt, theirs;
	u64 off, n = 0;
	int err;

	if (!f)
		return 1;
	walk.rest.len = fread(trace, 1, sizeof(trace), f);
	pt_config_init(&config);
	config.begin = trace;
	config.end = trace + walk.rest.len;
	d = pt_pkt_alloc_decoder(&config);
	pt_pkt_sync_set(d, 0);
	while ((err = pt_pkt_next(d, &p, sizeof(p))) > 0) {
		off = walk.off;
		if (!packet_next(&walk, &pkt)) {
			printf("at %#llx: no packet\n", off);
			return 1;
		}
		theirs = ours(&p);
		if (pkt.kind == PACKET_PWRE)
			pkt.payload &= ~0x80ULL;	/* libipt looks for HW in another bit */
		if (!same(&theirs, &pkt) || pkt.size != p.size)
			return differ(off, &theirs, &pkt);
		n++;
	}
	if (packet_next(&walk, &pkt) || err != -pte_eos) {
		printf("at %#llx: libipt ends with '%s'\n", walk.off, pt_errstr(pt_errcode(err)));
		return 1;
	}
	printf("%llu packets are the same\n", n);
	return 0;
}
