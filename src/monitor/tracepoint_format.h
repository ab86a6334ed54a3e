/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_TRACEPOINT_FORMAT_H
#define REGIO_MONITOR_TRACEPOINT_FORMAT_H

/*
 * Private to src/monitor: where a tracepoint of the kernel has its fields, from the format file
 * that tracefs has of it (Documentation/trace/events.rst).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tracepoint_field {
	uint32_t offset, size; /* in the raw record */
};

/* False if there is no such field, or its line is none that can be read. */
bool tracepoint_find_field(const char *text, size_t len, const char *name,
			   struct tracepoint_field *ret_field);

/* An unsigned number of 1, 2, 4 or 8 bytes; false if the record does not hold it. */
bool tracepoint_read_number(const void *raw, size_t len, const struct tracepoint_field *field,
			    uint64_t *ret_value);
/* A field of text has this character before its end. */
bool tracepoint_has_char(const void *raw, size_t len, const struct tracepoint_field *field, char c);

#endif
