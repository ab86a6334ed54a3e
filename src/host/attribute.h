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

/* Writes it and reads it back: -ERR_USAGE when the kernel refuses the value or makes another one of
 * it. A negative number asks many attributes for their default, so what it becomes is right. */
int attribute_set(const char *path, const char *value, struct err *err);

/* Values that mean the same: blanks, "08" and "8". */
bool attribute_equal(const char *a, const char *b);
bool attribute_is_number(const char *value);

/* What was set to `wanted`, and is called `what` in messages and `key` in results. */
struct attribute_wanted {
	const char *path, *what, *key, *wanted;
};

/* Reads it back at the end: -ERR_USAGE when something set later has changed it. Adds the value to
 * result->settings, `wanted` itself where it cannot be read. result may be NULL. */
int attribute_confirm(const struct attribute_wanted *attribute, struct result *result,
		      struct err *err);

#endif
