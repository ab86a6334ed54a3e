/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_GUEST_REPORT_H
#define REGIO_GUEST_REPORT_H

/* What the guest tells the host: one JSON object a line, "event" first, on a line of its own. */

#include <jansson.h>

struct err;

struct report {
	int fd; /* the second serial port; 1 outside of a guest */
};

/* Adds "event" and "guest_ns" and writes the line; takes the reference of object. A port that
 * cannot be written is what the host sees as a result cut off. */
void report_event(const struct report *report, const char *event, json_t *object);
/* A text that may have any bytes: those that JSON cannot hold become '?'. */
json_t *report_text_of(const char *text);
void report_error(const struct report *report, const struct err *err);

#endif
