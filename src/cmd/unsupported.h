/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Options of perf that pt accepts without effect, or does not have.
 */
#ifndef UNSUPPORTED_H
#define UNSUPPORTED_H

#include <pt/opt.h>

/* Let the options of 'command' include those without effect. */
void unsupported_add(struct opt *o, const char *command);

/* 'error' is that of an unknown option: why 'command' does not have it, "--x: pt ...". NULL: perf
 * has no such option either. */
const char *unsupported_why(const char *command, const char *error);

/* Why pt does not have a command of perf, or what is used instead; NULL: perf has none, either. */
const char *unsupported_command(const char *name);

#endif
