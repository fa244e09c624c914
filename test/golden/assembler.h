/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What ptasm and dataasm share: errors with the number of the line, and labels of 'ptasm -e'.
 */
#ifndef PT_TEST_ASSEMBLER_H
#define PT_TEST_ASSEMBLER_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pt/base.h>

enum { LABELS = 512 };

static struct label { char name[64]; u64 at; } labels[LABELS];
static u32 n_labels, line_no;

static _Noreturn void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "line %u: ", line_no);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	exit(1);
}

/* From the file "labels", if there is one. */
static void read_labels(void)
{
	FILE *f = fopen("labels", "r");

	while (f && n_labels < LABELS &&
	       fscanf(f, "%63s %llx", labels[n_labels].name, &labels[n_labels].at) == 2)
		n_labels++;
	if (f)
		fclose(f);
}

/* The last label of that name. */
static u64 label(const char *name)
{
	u32 i = n_labels;

	while (i--)
		if (!strcmp(labels[i].name, name))
			return labels[i].at;
	die("there is no label '%s'", name);
}

#endif
