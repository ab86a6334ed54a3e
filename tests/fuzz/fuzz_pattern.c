/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_pattern: any text as a pattern; what it fills it recognises. No files: they are outside. */
#include "fuzz.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "job/key.h"
#include "job/number.h"
#include "model/job.h"
#include "model/pattern.h"

#define OFFSET UINT64_C(0x0123456789ab)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct number_reader reader = { .arena = &arena, .kb_base = 1024 };
	const struct key_row row = { .offset = offsetof(struct job, verify_pattern) };
	struct job job = { .name = "fuzz" };
	struct err err = { .code = 0 };
	char *text = arena_strndup(&arena, (const char *)data, len);
	unsigned char block[300];
	size_t bad;

	if (!*text || strchr(text, '\''))
		return 0;
	if (key_pattern.parse(&row, text, &reader, &job, &err) < 0) {
		assert(err.msg[0]);
		return 0;
	}
	assert(job.verify_pattern->len > 0 && job.verify_pattern->len <= PATTERN_MAX_BYTES);
	pattern_fill(job.verify_pattern, block, sizeof(block), OFFSET);
	assert(pattern_matches(job.verify_pattern, block, sizeof(block), OFFSET, &bad));
	for (size_t at = 0; at < sizeof(block); at++)
		assert(block[at] == pattern_byte(job.verify_pattern, at, OFFSET));
	block[200] ^= 1;
	assert(!pattern_matches(job.verify_pattern, block, sizeof(block), OFFSET, &bad));
	assert(bad == 200);
	return 0;
}
