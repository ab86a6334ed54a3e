/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pattern: repeats a pattern over a block, and compares one with it. */
#include "model/pattern.h"

#include <string.h>

/* One period, cut to len, with its offsets. */
static void fill_once(const struct pattern *pattern, unsigned char *to, size_t len,
		      uint64_t offset_bytes)
{
	memcpy(to, pattern->bytes, len);
	for (size_t i = 0; i < pattern->nr_offsets && pattern->offsets_at[i] < len; i++) {
		size_t at = pattern->offsets_at[i];

		for (size_t byte = 0; byte < PATTERN_OFFSET_BYTES && at + byte < len; byte++)
			to[at + byte] = (unsigned char)(offset_bytes >> (8 * byte));
	}
}

void pattern_fill(const struct pattern *pattern, void *buf, size_t len, uint64_t offset_bytes)
{
	size_t filled = pattern->len < len ? pattern->len : len;
	unsigned char *to = buf;

	fill_once(pattern, to, filled, offset_bytes);
	while (filled < len) { /* doubles, so that short patterns are copied in large pieces */
		size_t more = filled < len - filled ? filled : len - filled;

		memcpy(to + filled, to, more);
		filled += more;
	}
}

unsigned char pattern_byte(const struct pattern *pattern, size_t at, uint64_t offset_bytes)
{
	size_t place = at % pattern->len;

	for (size_t i = 0; i < pattern->nr_offsets; i++) {
		size_t first = pattern->offsets_at[i];

		if (place >= first && place < first + PATTERN_OFFSET_BYTES)
			return (unsigned char)(offset_bytes >> (8 * (place - first)));
	}
	return pattern->bytes[place];
}

static bool is_period(const struct pattern *pattern, const unsigned char *from, size_t len,
		      uint64_t offset_bytes)
{
	if (pattern->nr_offsets == 0)
		return memcmp(from, pattern->bytes, len) == 0;
	for (size_t at = 0; at < len; at++) {
		if (from[at] != pattern_byte(pattern, at, offset_bytes))
			return false;
	}
	return true;
}

bool pattern_matches(const struct pattern *pattern, const void *buf, size_t len,
		     uint64_t offset_bytes, size_t *ret_at)
{
	const unsigned char *from = buf;
	size_t period = pattern->len < len ? pattern->len : len;
	size_t at = 0;

	/* when the first period is right, the rest has to repeat it */
	if (is_period(pattern, from, period, offset_bytes) &&
	    memcmp(from, from + period, len - period) == 0)
		return true;
	while (at < len && from[at] == pattern_byte(pattern, at, offset_bytes))
		at++;
	*ret_at = at;
	return false;
}
