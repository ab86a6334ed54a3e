/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_REPORT_TEXT_H
#define REGIO_CMD_REPORT_TEXT_H

/* Phrases that the documents of several commands share. */

#include <stddef.h>

#include "base/strbuf.h"

struct result;

#define REPORT_NUMBER_LEN 48

/* A number as it stands in a sentence: "2518", "315 MiB/s", "1.21 s". */
char *report_plain(double value, const char *unit, char ret_text[REPORT_NUMBER_LEN]);

/* Appends two of one unit: "315 -> 236 MiB/s". */
void report_plain_change(double before, double after, const char *unit, struct strbuf *out);

/* "1 run", "3 runs". */
void report_count(size_t nr, const char *what, struct strbuf *out);

/* Copy without control characters: names come from files. Caller frees. */
char *report_clean(const char *text);

/* How the first job or command that failed did: "job 'x': read: Input/output error". NULL if none
 * has. Caller frees. */
char *report_failure(const struct result *result);

#endif
