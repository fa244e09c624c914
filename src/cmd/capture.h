/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files that contain a trace in another form: see capture.c.
 */
#ifndef CAPTURE_H
#define CAPTURE_H

/* The path to open in place of 'path': that of a file in memory if the file must be converted.
 * Losses are reported once. */
const char *capture_path(const char *path);

#endif
