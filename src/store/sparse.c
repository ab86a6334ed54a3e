/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sparse: the stored form of a histogram, which has mostly empty buckets. */
#include "store/sparse.h"

#include "base/strbuf.h"
#include "stats/hist.h"

#include <stdint.h>

static void leb128_add(struct strbuf *out, uint64_t value)
{
	while (value >= 0x80) {
		strbuf_add_char(out, (char)(unsigned char)(value | 0x80));
		value >>= 7;
	}
	strbuf_add_char(out, (char)value);
}

/* 0 and the position after the number, or -1. */
static int leb128_get(const unsigned char **pos, const unsigned char *end, uint64_t *ret_value)
{
	uint64_t value = 0;

	for (unsigned shift = 0; *pos < end && shift < 64; shift += 7) {
		uint64_t byte = *(*pos)++;

		if (shift == 63 && byte > 1)
			return -1;
		value |= (byte & 0x7f) << shift;
		if (byte < 0x80) {
			*ret_value = value;
			return 0;
		}
	}
	return -1;
}

void sparse_encode(const struct hist *hist, struct strbuf *out)
{
	size_t before = 0;

	for (size_t i = 0; i < HIST_NR_BUCKETS; i++) {
		if (hist->counts[i] == 0)
			continue;
		leb128_add(out, i - before);
		leb128_add(out, hist->counts[i]);
		before = i;
	}
}

int sparse_decode(const void *data, size_t len, struct hist *into)
{
	const unsigned char *pos = data;
	const unsigned char *end = len > 0 ? pos + len : pos;
	size_t index = 0;

	while (pos < end) {
		uint64_t distance;
		uint64_t count;

		if (leb128_get(&pos, end, &distance) < 0 || leb128_get(&pos, end, &count) < 0)
			return -1;
		if (distance >= HIST_NR_BUCKETS - index)
			return -1;
		index += (size_t)distance;
		into->counts[index] += count;
	}
	return 0;
}
