/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_block: sealed blocks are recognised, and every kind of damage by its name. */
#include "verify/block.h"

#include <string.h>

#include "model/pattern.h"
#include "test.h"
#include "verify/sum.h"

#define LEN 1024
#define OFFSET 8192

static const unsigned char pattern_bytes[12] = { 'a', 'b', 'c', 'd' };
static const size_t pattern_places[1] = { 4 };
static const struct pattern pattern = {
	.bytes = pattern_bytes,
	.len = sizeof(pattern_bytes),
	.offsets_at = pattern_places,
	.nr_offsets = 1,
};

static const struct block_id id = {
	.offset_bytes = OFFSET, .seed = 77, .number = 70000, .thread = 3
};
static const struct block_expectation expected = {
	.offset_bytes = OFFSET,
	.io_offset_bytes = OFFSET,
	.number = 70000,
	.thread = 3,
	.has_number = true,
};

static struct block_format format_of(int method, uint32_t header_at)
{
	struct block_format format = {
		.method = sum_method((enum verify_method)method),
		.header_at = header_at,
	};

	if (format.method->has_pattern)
		format.pattern = &pattern;
	return format;
}

static void make(const struct block_format *format, unsigned char *block)
{
	block_fill(format, block, LEN, id.seed, OFFSET);
	block_seal(format, block, LEN, &id);
}

static enum block_fault fault_of(const struct block_format *format, const unsigned char *block,
				 const struct block_expectation *expectation)
{
	unsigned char copy[LEN];
	struct block_verdict verdict = { .fault = BLOCK_GOOD };

	memcpy(copy, block, LEN);
	if (block_check(format, copy, LEN, expectation, &verdict)) {
		assert_int_equal(verdict.fault, BLOCK_GOOD);
		return BLOCK_GOOD;
	}
	assert_true(verdict.text[0]);
	return verdict.fault;
}

/* A bit anywhere, of every method. meta looks at the header alone, null at nothing. */
static void test_every_bit(void **state)
{
	static const uint32_t places[] = { 0, 300 };

	(void)state;
	for (int method = VERIFY_META; method < VERIFY_NULL; method++) {
		for (size_t place = 0; place < 2; place++) {
			struct block_format format = format_of(method, places[place]);
			unsigned char block[LEN];

			if (method == VERIFY_PATTERN && place)
				continue;
			make(&format, block);
			assert_int_equal(fault_of(&format, block, &expected), BLOCK_GOOD);
			for (size_t at = 0; at < LEN; at++) {
				bool is_header = at >= places[place] &&
						 at < places[place] + BLOCK_HEADER_BYTES;

				block[at] ^= 0x10;
				if (method != VERIFY_META || is_header)
					assert_int_not_equal(fault_of(&format, block, &expected),
							     BLOCK_GOOD);
				block[at] ^= 0x10;
			}
		}
	}
}

static void test_faults(void **state)
{
	struct block_format format = format_of(VERIFY_CRC32C, 0);
	struct block_expectation other = expected;
	struct block_verdict verdict;
	unsigned char block[LEN];

	(void)state;
	make(&format, block);
	other.offset_bytes = other.io_offset_bytes = OFFSET + LEN;
	assert_int_equal(fault_of(&format, block, &other), BLOCK_BAD_OFFSET);
	other = expected;
	other.number++;
	assert_int_equal(fault_of(&format, block, &other), BLOCK_BAD_NUMBER);
	other.has_number = false;
	assert_int_equal(fault_of(&format, block, &other), BLOCK_GOOD);
	other.has_number = other.may_be_of_another = true;
	assert_int_equal(fault_of(&format, block, &other), BLOCK_BAD_NUMBER);
	other.thread = 4;
	assert_int_equal(fault_of(&format, block, &other), BLOCK_GOOD);

	assert_false(block_check(&format, block, LEN / 2, &expected, &verdict));
	assert_int_equal(verdict.fault, BLOCK_BAD_LENGTH);
	assert_string_equal(verdict.text, "1024, wanted 512");
	assert_int_equal(verdict.thread, 3);
	assert_int_equal(verdict.number, 70000 & 0xffff);
	assert_false(block_check(&format, block, 20, &expected, &verdict));
	assert_int_equal(verdict.fault, BLOCK_CUT);

	memset(block, 0, LEN);
	assert_int_equal(fault_of(&format, block, &expected), BLOCK_BAD_MAGIC);
	make(&format, block);
	block[BLOCK_HEADER_BYTES] ^= 1;
	assert_int_equal(fault_of(&format, block, &expected), BLOCK_BAD_SUM);
	assert_true(block_fault_is_header(BLOCK_BAD_NUMBER));
	assert_false(block_fault_is_header(BLOCK_BAD_SUM));
}

/* Another method's sum: the message names it. */
static void test_other_method(void **state)
{
	struct block_format written = format_of(VERIFY_XXHASH, 0);
	struct block_format read = format_of(VERIFY_CRC32, 0);
	struct block_verdict verdict;
	unsigned char block[LEN];

	(void)state;
	make(&written, block);
	assert_false(block_check(&read, block, LEN, &expected, &verdict));
	assert_non_null(strstr(verdict.text, "verify=xxhash"));
}

static void test_zero(void **state)
{
	struct block_verdict verdict;
	unsigned char block[LEN] = { 0 };

	(void)state;
	assert_true(block_check_zero(block, LEN, &verdict));
	assert_true(block_check_zero(block, 0, &verdict));
	block[LEN - 1] = 5;
	assert_false(block_check_zero(block, LEN, &verdict));
	assert_int_equal(verdict.fault, BLOCK_NOT_ZERO);
	assert_string_equal(verdict.text, "expected 00, received 05 at byte 1023 of the block");
}

/* A part of an I/O, whose pattern began before it. */
static void test_pattern_phase(void **state)
{
	struct block_format format = format_of(VERIFY_PATTERN, 0);
	struct block_expectation part = expected;
	unsigned char io[2 * LEN];

	(void)state;
	block_fill(&format, io, sizeof(io), 0, OFFSET);
	part.offset_bytes = OFFSET + LEN;
	assert_int_equal(fault_of(&format, io + LEN, &part), BLOCK_GOOD);
	assert_int_equal(fault_of(&format, io, &part), BLOCK_BAD_PATTERN);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_bit),     cmocka_unit_test(test_faults),
		cmocka_unit_test(test_other_method),  cmocka_unit_test(test_zero),
		cmocka_unit_test(test_pattern_phase),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
