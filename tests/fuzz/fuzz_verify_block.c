/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_verify_block: any bytes as a block of any method; a block that is sealed is always good. */
#include "fuzz.h"

#include <assert.h>
#include <string.h>

#include "model/job.h"
#include "model/pattern.h"
#include "verify/block.h"
#include "verify/sum.h"

#define MAX_LEN 4096
#define HEADER_BYTES 4 /* of the input: method, place, what is known */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const unsigned char bytes[] = { 1, 2, 3 };
	static const struct pattern pattern = { .bytes = bytes, .len = sizeof(bytes) };
	struct block_expectation expectation = { .offset_bytes = 4096, .io_offset_bytes = 4096 };
	const struct block_id id = { .offset_bytes = 4096, .seed = 5, .number = 0, .thread = 1 };
	struct block_format format = { .pattern = &pattern };
	struct block_verdict verdict;
	unsigned char block[MAX_LEN];

	if (len < HEADER_BYTES || len - HEADER_BYTES > MAX_LEN)
		return 0;
	format.method = sum_method((enum verify_method)(data[0] % (VERIFY_NR_METHODS - 1) + 1));
	format.header_at = data[1] >= block_overhead_bytes(&format) ? data[1] : 0;
	expectation.has_number = data[2] & 1;
	expectation.may_be_of_another = data[2] & 2;
	len -= HEADER_BYTES;
	if (len)
		memcpy(block, data + HEADER_BYTES, len);
	if (!block_check(&format, block, (uint32_t)len, &expectation, &verdict))
		assert(verdict.fault != BLOCK_GOOD && verdict.text[0]);
	if (len < block_overhead_bytes(&format) + block_overhead_bytes(&format) + format.header_at)
		return 0;
	if (format.method->has_pattern)
		block_fill(&format, block, len, 0, 4096);
	block_seal(&format, block, (uint32_t)len, &id);
	assert(block_check(&format, block, (uint32_t)len, &expectation, &verdict));
	return 0;
}
