/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Assemble traces and code: text on standard input, bytes on standard output.
 *
 * usage: ptasm < packets > trace.pt
 *        ptasm -c ADDR < code > file
 *        ptasm -e ADDR OBJECT > file
 *
 * Packets are one on a line, or separated by ';'. '#' begins a comment. Numbers are as in C. Words
 * in brackets are optional:
 *
 *	psb  psbend  ovf  tracestop  pad [COUNT]
 *	tnt TNNT          the short form if it fits; tnt64 has the long one
 *	tip [ADDRESS]     also tip.pge, tip.pgd, fup. Without an address it is
 *	                  suppressed; tip/16, /32, /48 and /64 give as many bits
 *	                  of it, plain tip 48 bits that are sign-extended
 *	tsc TICKS   tma CTC FAST   mtc CTC   cyc CYCLES   cbr RATIO
 *	mode.exec 64|32|16 [if]    mode.tsx [in|abort]
 *	pip CR3 [nr]   vmcs ADDRESS   mnt VALUE   ptw VALUE [ip] (ptw/8: 8 bytes)
 *	mwait HINTS EXTENSIONS   pwre STATE SUBSTATE [hw]   exstop [ip]
 *	pwrx LAST DEEPEST REASON   cfe TYPE VECTOR [ip]   evd TYPE VALUE
 *	bbp TYPE [short]   bip ID VALUE   bep [ip]   trig BITS [ip] [mult] [icnt COUNT]
 *	raw BYTE...       hexadecimal, for bytes that are not a packet
 *
 * Code is lines "ADDRESS: BYTE... anything"; the addresses are contiguous from ADDR on.
 *
 * -e extracts the code from an object of as(1), as if it were linked to ADDR, and appends its
 * labels to the file "labels". In packets @LABEL can replace any number.
 */
#include <ctype.h>
#include <elf.h>

#include <pt/encode.h>

#include "assembler.h"

enum { WORDS = 64, OBJECT_MAX = 1 << 16 };

static char *words[WORDS + 1];	/* of the item, NULL-terminated; words[0] is its name */
static int item_size = 8;

static u64 number(const char *s)
{
	char *end;
	u64 v;

	if (!s)
		die("%s: a number is missing", words[0]);
	if (*s == '@')
		return label(s + 1);
	v = strtoull(s, &end, 0);
	if (*end || !*s)
		die("%s: '%s' is no number", words[0], s);
	return v;
}

/* Whether 'word' is among the words of the item; it is taken out. */
static bool flag(const char *word)
{
	char **w;

	for (w = words + 1; *w; w++) {
		if (strcmp(*w, word))
			continue;
		do
			w[0] = w[1];
		while (*w++);
		return true;
	}
	return false;
}

static void no_more(int n)
{
	if (words[n])
		die("%s: what is '%s'?", words[0], words[n]);
}

static void put(struct packet pkt)
{
	u8 to[PACKET_MAX];
	int n = packet_encode(to, &pkt);

	if (!n)
		die("%s: no packet says that", words[0]);
	fwrite(to, 1, n, stdout);
	item_size = packet_item(&pkt, item_size);
	if (!item_size)
		item_size = 8;
}

static struct packet tnt(const char *letters)
{
	struct packet pkt = { PACKET_TNT };

	for (; letters && *letters; letters++) {
		if (*letters != 'T' && *letters != 'N')
			die("tnt: '%c' is not T or N", *letters);
		pkt.payload = pkt.payload << 1 | (*letters == 'T');
		pkt.count++;
	}
	return pkt;
}

static void put_tnt(void)
{
	put(tnt(words[1]));
	no_more(2);
}

/* The long form of few results, which packet_encode() does not choose. */
static void put_tnt64(void)
{
	struct packet pkt = tnt(words[1]);
	u64 value = 1ULL << pkt.count | pkt.payload;
	u8 to[8] = { 0x02, 0xa3 };

	if (pkt.count > 47)
		die("tnt64: more than 47 results");
	for (int i = 2; i < 8; i++, value >>= 8)
		to[i] = value;
	fwrite(to, 1, sizeof(to), stdout);
	no_more(2);
}

static void put_ip(int kind, const char *form)
{
	static const struct { const char *form; int ip_bytes, bits; } forms[] = {
		{ "/16", 1, 16 }, { "/32", 2, 32 }, { "/48", 4, 48 }, { "/64", 6, 64 },
		{ "", 3, 48 },
	};
	struct packet pkt = { kind };
	size_t i = 0;

	if (words[1]) {
		pkt.payload = number(words[1]);
		while (i < N_ELEM(forms) && strcmp(form, forms[i].form))
			i++;
		if (i == N_ELEM(forms))
			die("%s: what is '%s'?", words[0], form);
		pkt.count = forms[i].ip_bytes;
		pkt.payload &= ~0ULL >> (64 - forms[i].bits);
		no_more(2);
	}
	put(pkt);
}

static void put_mode_exec(void)
{
	struct packet pkt = { PACKET_MODE_EXEC };
	u64 width;

	pkt.payload = flag("if") ? 4 : 0;
	width = number(words[1]);
	if (width != 64 && width != 32 && width != 16)
		die("mode.exec: 64, 32 or 16");
	pkt.payload |= width == 64 ? 1 : width == 32 ? 2 : 0;
	put(pkt);
}

static void put_mode_tsx(void)
{
	put((struct packet){ PACKET_MODE_TSX, .payload = flag("in") | flag("abort") << 1 });
	no_more(1);
}

static void put_mwait(void)
{
	put((struct packet){ PACKET_MWAIT,
			     .payload = number(words[1]) | number(words[2]) << 32 });
}

static void put_pwre(void)
{
	u64 hw = flag("hw");

	put((struct packet){ PACKET_PWRE,
			     .payload = number(words[1]) << 12 | number(words[2]) << 8 | hw << 7 });
}

static void put_pwrx(void)
{
	put((struct packet){ PACKET_PWRX, .payload = number(words[1]) << 4 | number(words[2]) |
						     number(words[3]) << 8 });
}

static void put_ptw(void)
{
	bool ip = flag("ip");

	put((struct packet){ PACKET_PTW, .ip = ip, .payload = number(words[1]),
			     .extra = words[0][3] ? 8 : 4 });
}

static void put_bbp(void)
{
	u64 is_short = flag("short");

	put((struct packet){ PACKET_BBP, .payload = number(words[1]) | is_short << 7 });
}

static void put_bip(void)
{
	put((struct packet){ PACKET_BIP, .count = item_size, .extra = number(words[1]),
			     .payload = number(words[2]) });
}

static void put_trig(void)
{
	struct packet pkt = { PACKET_TRIG, .ip = flag("ip") };

	pkt.extra = flag("mult") << 17;
	if (flag("icnt"))
		pkt.extra |= 1 << 16 | number(words[2]);
	pkt.payload = number(words[1]);
	put(pkt);
}

static void put_pad(void)
{
	u64 n = words[1] ? number(words[1]) : 1;

	while (n--)
		put((struct packet){ PACKET_PAD });
}

static void put_raw(void)
{
	char **w, *end;

	for (w = words + 1; *w; w++) {
		unsigned long v = strtoul(*w, &end, 16);

		if (*end || v > 255)
			die("raw: '%s' is no byte", *w);
		putchar(v);
	}
}

/* Kinds whose words are plain numbers: where each goes, and the words that may
 * follow them. */
static void put_plain(int kind, const char *where, int shift)
{
	struct packet pkt = { kind };
	int n = 1;

	pkt.ip = flag("ip") | flag("nr");
	for (; *where; where++, n++) {
		if (*where == 'p')
			pkt.payload = number(words[n]) >> shift;
		else
			pkt.extra = number(words[n]);
	}
	no_more(n);
	put(pkt);
}

static const struct item {
	const char *name;
	int kind;
	const char *where;	/* p: payload, e: extra */
	int shift;
	void (*put)(void);
} items[] = {
	{ "psb", PACKET_PSB, "" },
	{ "psbend", PACKET_PSBEND, "" },
	{ "ovf", PACKET_OVF, "" },
	{ "tracestop", PACKET_TRACESTOP, "" },
	{ "pad", .put = put_pad },
	{ "tnt", .put = put_tnt },
	{ "tnt64", .put = put_tnt64 },
	{ "tip", PACKET_TIP },
	{ "tip.pge", PACKET_TIP_PGE },
	{ "tip.pgd", PACKET_TIP_PGD },
	{ "fup", PACKET_FUP },
	{ "tsc", PACKET_TSC, "p" },
	{ "tma", PACKET_TMA, "pe" },
	{ "mtc", PACKET_MTC, "p" },
	{ "cyc", PACKET_CYC, "p" },
	{ "cbr", PACKET_CBR, "p" },
	{ "mode.exec", .put = put_mode_exec },
	{ "mode.tsx", .put = put_mode_tsx },
	{ "pip", PACKET_PIP, "p", 5 },
	{ "vmcs", PACKET_VMCS, "p", 12 },
	{ "mnt", PACKET_MNT, "p" },
	{ "ptw", .put = put_ptw },
	{ "ptw/8", .put = put_ptw },
	{ "mwait", .put = put_mwait },
	{ "pwre", .put = put_pwre },
	{ "pwrx", .put = put_pwrx },
	{ "exstop", PACKET_EXSTOP, "" },
	{ "cfe", PACKET_CFE, "pe" },
	{ "evd", PACKET_EVD, "ep" },
	{ "bbp", .put = put_bbp },
	{ "bip", .put = put_bip },
	{ "bep", PACKET_BEP, "" },
	{ "trig", .put = put_trig },
	{ "raw", .put = put_raw },
};

static void put_item(void)
{
	const struct item *it;
	size_t len;

	for (it = items; it < items + N_ELEM(items); it++) {
		len = strlen(it->name);
		if (!strcmp(words[0], it->name)) {
			if (it->put)
				it->put();
			else if (it->where)
				put_plain(it->kind, it->where, it->shift);
			else
				put_ip(it->kind, "");
			return;
		}
		if (!it->put && !it->where && !strncmp(words[0], it->name, len) &&
		    words[0][len] == '/') {
			put_ip(it->kind, words[0] + len);
			return;
		}
	}
	die("what is '%s'?", words[0]);
}

static void split(char *item)
{
	int n = 0;

	for (item = strtok(item, " \t\n"); item; item = strtok(NULL, " \t\n")) {
		if (n == WORDS)
			die("too many words");
		words[n++] = item;
	}
	words[n] = NULL;
}

static void put_packets(char *line)
{
	char *next;

	line[strcspn(line, "#")] = '\0';
	for (; line; line = next) {
		next = strchr(line, ';');
		if (next)
			*next++ = '\0';
		split(line);
		if (words[0])
			put_item();
	}
}

/* Returns how many bytes the line has. */
static int put_code(char *line, u64 addr)
{
	char *p = strchr(line, ':');
	int n = 0;

	if (!p || !isxdigit((unsigned char)line[strspn(line, " ")]))
		die("no address");
	if (strtoull(line, NULL, 16) != addr)
		die("the address should be %llx", addr);
	for (p++; *p == ' ' && isxdigit((unsigned char)p[1]) && isxdigit((unsigned char)p[2]) &&
		  isspace((unsigned char)p[3]); p += 3, n++)
		putchar(strtoul((char[]){ p[1], p[2], 0 }, NULL, 16));
	return n;
}

/* The section header of that name. */
static const Elf64_Shdr *section(const u8 *object, const char *name)
{
	const Elf64_Ehdr *e = (const void *)object;
	const Elf64_Shdr *sh = (const void *)(object + e->e_shoff);
	const char *names = (const char *)object + sh[e->e_shstrndx].sh_offset;
	int i;

	for (i = 0; i < e->e_shnum; i++)
		if (!strcmp(names + sh[i].sh_name, name))
			return sh + i;
	return NULL;
}

static void put_object(u64 addr, const char *path)
{
	static _Alignas(8) u8 object[OBJECT_MAX];
	FILE *f = fopen(path, "r"), *to = fopen("labels", "a");
	const Elf64_Shdr *text, *symtab, *sh;
	const char *names;
	const Elf64_Sym *sym;
	size_t i;

	if (!f || !to || !fread(object, 1, sizeof(object), f))
		die("cannot read %s", path);
	sh = (const void *)(object + ((const Elf64_Ehdr *)object)->e_shoff);
	text = section(object, ".text");
	symtab = section(object, ".symtab");
	if (section(object, ".rela.text"))
		die("a word of the code is no label");
	fwrite(object + text->sh_offset, 1, text->sh_size, stdout);
	sym = (const void *)(object + symtab->sh_offset);
	names = (const char *)object + sh[symtab->sh_link].sh_offset;
	for (i = 0; i < symtab->sh_size / sizeof(*sym); i++)
		if (sym[i].st_shndx == text - sh && names[sym[i].st_name])
			fprintf(to, "%s %llx\n", names + sym[i].st_name, addr + sym[i].st_value);
	fclose(f);
	fclose(to);
}

int main(int argc, char **argv)
{
	bool code = argc == 3 && !strcmp(argv[1], "-c");
	u64 addr = code ? strtoull(argv[2], NULL, 0) : 0;
	char line[4096];

	if (argc == 4 && !strcmp(argv[1], "-e")) {
		put_object(strtoull(argv[2], NULL, 0), argv[3]);
		return 0;
	}
	read_labels();
	while (fgets(line, sizeof(line), stdin)) {
		line_no++;
		if (!code)
			put_packets(line);
		else if (line[strspn(line, " \t\n")] && *line != '#')
			addr += put_code(line, addr);
	}
	return 0;
}
