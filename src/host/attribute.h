/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_HOST_ATTRIBUTE_H
#define REGIO_HOST_ATTRIBUTE_H

#include <stdbool.h>

struct err;
struct result;
struct strbuf;

/* Kernel attributes: small files of /sys and /proc/sys that hold one value. */

/* Replaces out by the value: the first line, blanks reduced to single spaces; of a choice like
 * "none [mq-deadline] bfq" only the word in brackets. */
int attribute_read(const char *path, struct strbuf *out, struct err *err);

/* The attribute must be there, with a did-you-mean if not, and take writes from us. */
int attribute_check(const char *path, struct err *err);

/* Writes a value as attribute_read gives it. */
int attribute_write(const char *path, const char *value, struct err *err);

/* Values that mean the same: blanks, "08" and "8". */
bool attribute_equal(const char *a, const char *b);
bool attribute_is_number(const char *value);

/* Reads the value and adds it to result->settings as key, with a note if it is not `wanted`, or
 * `wanted` itself where it cannot be read. `what` is its name in the note. */
void attribute_report(const char *path, const char *what, const char *key, const char *wanted,
		      struct result *result);

#endif
