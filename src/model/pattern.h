/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_PATTERN_H
#define REGIO_MODEL_PATTERN_H

/*
 * A pattern is what the option verify_pattern (or buffer_pattern) describes: bytes that are
 * repeated over a block. Some places in it may stand for the offset of the block in its file.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATTERN_OFFSET_BYTES 8 /* %o: little-endian */
#define PATTERN_MAX_BYTES 131072

struct pattern {
	const unsigned char *bytes; /* zeros where an offset goes */
	size_t len;
	const size_t *offsets_at; /* places of the offsets, ascending */
	size_t nr_offsets;
};

/* Fills len bytes of buf, which begin at the start of the pattern. */
void pattern_fill(const struct pattern *pattern, void *buf, size_t len, uint64_t offset_bytes);

/* True if buf is what pattern_fill makes of it; else *ret_at is the first byte that is not. */
bool pattern_matches(const struct pattern *pattern, const void *buf, size_t len,
		     uint64_t offset_bytes, size_t *ret_at);

/* The byte at that place of a block of that offset. */
unsigned char pattern_byte(const struct pattern *pattern, size_t at, uint64_t offset_bytes);

#endif
