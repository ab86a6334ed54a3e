/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CANDIDATE_LINES_H
#define REGIO_CANDIDATE_LINES_H

/* Private to src/candidate: a file with one candidate in each line. */

#include <stddef.h>

struct err;

/*
 * Calls take for each line, without the white space around it, in their order. Empty lines and
 * comments (#) are passed over, and no line may stand there twice. An error ends it, with
 * "FILE:LINE: " in front.
 */
int lines_read(const char *path, int (*take)(void *arg, const char *line, struct err *err),
	       void *arg, struct err *err);

#endif
