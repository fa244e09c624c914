/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files that hold a trace in another form: see capture.c.
 */
#ifndef CAPTURE_H
#define CAPTURE_H

/* The path to open for 'path': of a file in memory, if what is there has to be converted. What was
 * lost is said, once. */
const char *capture_path(const char *path);

#endif
