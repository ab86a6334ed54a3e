/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block: makes blocks that can be recognised, and recognises them. */
#include "verify/block.h"

#include <endian.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model/pattern.h"
#include "verify/sum.h"

#define AT_MAGIC 0
#define AT_TYPE 2
#define AT_LENGTH 4
#define AT_SEED 8
#define AT_OFFSET 16
#define AT_DIGEST 24 /* fio: time */
#define AT_THREAD 32
#define AT_NUMBER 34
#define AT_CRC 36
#define DIGEST_BYTES 8
#define LARGEST_DIGEST_BYTES 64
#define HAS_DIGEST 0x8000 /* in thread */

static uint16_t load_u16(const unsigned char *from)
{
	uint16_t value;

	memcpy(&value, from, sizeof(value));
	return le16toh(value);
}

static uint32_t load_u32(const unsigned char *from)
{
	uint32_t value;

	memcpy(&value, from, sizeof(value));
	return le32toh(value);
}

static uint64_t load_u64(const unsigned char *from)
{
	uint64_t value;

	memcpy(&value, from, sizeof(value));
	return le64toh(value);
}

size_t block_overhead_bytes(const struct block_format *format)
{
	return format->method->has_header ? BLOCK_HEADER_BYTES + format->method->sum_bytes : 0;
}

/* Steele, Lea & Flood 2014: a Weyl sequence and a mix of each of its numbers, here with one
 * multiplication, which is enough for data that must only differ. */
static void fill_random(unsigned char *to, size_t len, uint64_t seed)
{
	uint64_t state = seed;
	size_t at = 0;

	for (; at + sizeof(uint64_t) <= len; at += sizeof(uint64_t)) {
		uint64_t value;

		state += UINT64_C(0x9e3779b97f4a7c15);
		value = (state ^ state >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
		value = htole64(value ^ value >> 32);
		memcpy(to + at, &value, sizeof(value));
	}
	if (at < len)
		memset(to + at, (int)(seed & 0xff), len - at);
}

void block_fill(const struct block_format *format, void *data, size_t len, uint64_t seed,
		uint64_t offset_bytes)
{
	if (format->pattern)
		pattern_fill(format->pattern, data, len, offset_bytes);
	else
		fill_random(data, len, seed);
}

/* The header changes places with the data at header_at; a second time undoes it. */
static void swap_header(const struct block_format *format, unsigned char *data)
{
	unsigned char kept[BLOCK_HEADER_BYTES + SUM_MAX_BYTES];
	size_t len = block_overhead_bytes(format);

	if (format->header_at == 0 || len == 0)
		return;
	memcpy(kept, data, len);
	memcpy(data, data + format->header_at, len);
	memcpy(data + format->header_at, kept, len);
}

void block_seal(const struct block_format *format, void *data, uint32_t len,
		const struct block_id *id)
{
	const struct sum_method *method = format->method;
	size_t overhead_bytes = block_overhead_bytes(format);
	unsigned char *header = data;

	if (!method->has_header)
		return;
	sum_store(header + AT_MAGIC, BLOCK_MAGIC, 2);
	sum_store(header + AT_TYPE, method->type, 2);
	sum_store(header + AT_LENGTH, len, 4);
	sum_store(header + AT_SEED, id->seed, 8);
	sum_store(header + AT_OFFSET, id->offset_bytes, 8);
	sum_store(header + AT_DIGEST, 0, DIGEST_BYTES);
	sum_store(header + AT_THREAD, id->thread, 2);
	sum_store(header + AT_NUMBER, id->number & UINT16_MAX, 2);
	if (method->digest) {
		unsigned char digest[LARGEST_DIGEST_BYTES];

		method->digest(header + overhead_bytes, len - overhead_bytes, digest);
		memcpy(header + AT_DIGEST, digest, DIGEST_BYTES);
		sum_store(header + AT_THREAD, id->thread | HAS_DIGEST, 2);
	}
	sum_store(header + AT_CRC, sum_crc32c(header, AT_CRC), 4);
	if (method->compute)
		method->compute(header + overhead_bytes, len - overhead_bytes,
				header + BLOCK_HEADER_BYTES);
	swap_header(format, header);
}

static void print_hex(const unsigned char *bytes, size_t nr, char *ret_text)
{
	for (size_t i = 0; i < nr; i++)
		(void)snprintf(ret_text + 2 * i, 3, "%02x", bytes[i]);
}

/* Expected is what the header says of the data, received what they are. Long sums are cut. */
static enum block_fault tell_sums(struct block_verdict *verdict, enum block_fault fault,
				  const unsigned char *expected, const unsigned char *received,
				  size_t nr)
{
	size_t shown = nr < SUM_MAX_BYTES / 2 ? nr : SUM_MAX_BYTES / 2;
	char expected_text[SUM_MAX_BYTES + 1];
	char received_text[SUM_MAX_BYTES + 1];

	print_hex(expected, shown, expected_text);
	print_hex(received, shown, received_text);
	(void)snprintf(verdict->text, sizeof(verdict->text), "expected %s, received %s",
		       expected_text, received_text);
	return fault;
}

/* The usual reason of a wrong sum that is no corruption. */
static void tell_type(struct block_verdict *verdict, const struct sum_method *method, uint16_t type)
{
	const char *name = sum_type_name(type);
	size_t len = strlen(verdict->text);

	if (type == method->type)
		return;
	(void)snprintf(verdict->text + len, sizeof(verdict->text) - len,
		       " (written with verify=%s)", name ? name : "something unknown");
}

static enum block_fault check_sum(const struct block_format *format, const unsigned char *block,
				  uint32_t len, struct block_verdict *verdict)
{
	const struct sum_method *method = format->method;
	size_t overhead_bytes = block_overhead_bytes(format);
	const unsigned char *data = block + overhead_bytes;
	unsigned char sum[SUM_MAX_BYTES];

	if (method->digest && (load_u16(block + AT_THREAD) & HAS_DIGEST)) {
		method->digest(data, len - overhead_bytes, sum);
		if (memcmp(sum, block + AT_DIGEST, DIGEST_BYTES) != 0)
			return tell_sums(verdict, BLOCK_BAD_DIGEST, block + AT_DIGEST, sum,
					 DIGEST_BYTES);
	}
	if (!method->compute)
		return BLOCK_GOOD;
	method->compute(data, len - overhead_bytes, sum);
	if (memcmp(sum, block + BLOCK_HEADER_BYTES, method->sum_bytes) == 0)
		return BLOCK_GOOD;
	(void)tell_sums(verdict, BLOCK_BAD_SUM, block + BLOCK_HEADER_BYTES, sum, method->sum_bytes);
	tell_type(verdict, method, load_u16(block + AT_TYPE));
	return BLOCK_BAD_SUM;
}

__attribute__((format(printf, 3, 4))) static enum block_fault tell(struct block_verdict *verdict,
								   enum block_fault fault,
								   const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(verdict->text, sizeof(verdict->text), format, args);
	va_end(args);
	return fault;
}

/* True if the number is one that may stand there. */
static bool is_number_good(const struct block_expectation *expectation, uint16_t number,
			   uint16_t thread)
{
	if (!expectation->has_number || number == (expectation->number & UINT16_MAX))
		return true;
	return expectation->may_be_of_another && thread != expectation->thread;
}

static enum block_fault check_header(const unsigned char *header, uint32_t len,
				     const struct block_expectation *expectation,
				     struct block_verdict *verdict)
{
	uint16_t magic = load_u16(header + AT_MAGIC);
	uint32_t found_len = load_u32(header + AT_LENGTH);
	uint64_t offset_bytes = load_u64(header + AT_OFFSET);
	uint32_t crc = load_u32(header + AT_CRC);
	uint32_t right_crc = sum_crc32c(header, AT_CRC);

	verdict->seed = load_u64(header + AT_SEED);
	verdict->number = load_u16(header + AT_NUMBER);
	verdict->thread = (uint16_t)(load_u16(header + AT_THREAD) & ~HAS_DIGEST);
	if (magic != BLOCK_MAGIC)
		return tell(verdict, BLOCK_BAD_MAGIC, "%x, wanted %x", magic, BLOCK_MAGIC);
	if (crc != right_crc)
		return tell(verdict, BLOCK_BAD_HEADER, "%" PRIx32 ", calculated %" PRIx32, crc,
			    right_crc);
	if (found_len != len)
		return tell(verdict, BLOCK_BAD_LENGTH, "%" PRIu32 ", wanted %" PRIu32, found_len,
			    len);
	if (offset_bytes != expectation->offset_bytes)
		return tell(verdict, BLOCK_BAD_OFFSET, "%" PRIu64 ", wanted %" PRIu64, offset_bytes,
			    expectation->offset_bytes);
	if (!is_number_good(expectation, (uint16_t)verdict->number, verdict->thread))
		return tell(verdict, BLOCK_BAD_NUMBER,
			    "%" PRIu32 ", wanted %" PRIu32 " (not the newest write)",
			    verdict->number, expectation->number & UINT16_MAX);
	return BLOCK_GOOD;
}

static enum block_fault check_pattern(const struct block_format *format, const unsigned char *data,
				      uint32_t len, const struct block_expectation *expectation,
				      struct block_verdict *verdict)
{
	size_t skipped = block_overhead_bytes(format);
	size_t first = (size_t)(expectation->offset_bytes - expectation->io_offset_bytes);
	size_t bad;

	if (skipped == 0 && first == 0) { /* at once */
		if (pattern_matches(format->pattern, data, len, expectation->io_offset_bytes, &bad))
			return BLOCK_GOOD;
	} else {
		for (bad = skipped; bad < len; bad++) {
			if (data[bad] != pattern_byte(format->pattern, first + bad,
						      expectation->io_offset_bytes))
				break;
		}
		if (bad == len)
			return BLOCK_GOOD;
	}
	(void)snprintf(verdict->text, sizeof(verdict->text),
		       "expected %02x, received %02x at byte %zu of the block",
		       pattern_byte(format->pattern, first + bad, expectation->io_offset_bytes),
		       data[bad], bad);
	return BLOCK_BAD_PATTERN;
}

static enum block_fault find_fault(const struct block_format *format, unsigned char *data,
				   uint32_t len, const struct block_expectation *expectation,
				   struct block_verdict *verdict)
{
	const struct sum_method *method = format->method;
	enum block_fault fault = BLOCK_GOOD;

	if (len < block_overhead_bytes(format) + (size_t)format->header_at)
		return tell(verdict, BLOCK_CUT, "%" PRIu32 " bytes, a header needs %zu", len,
			    block_overhead_bytes(format));
	if (method->has_header) {
		swap_header(format, data);
		fault = check_header(data, len, expectation, verdict);
	}
	if (fault == BLOCK_GOOD && method->has_header)
		fault = check_sum(format, data, len, verdict);
	if (fault == BLOCK_GOOD && method->has_pattern)
		fault = check_pattern(format, data, len, expectation, verdict);
	return fault;
}

bool block_check(const struct block_format *format, void *data, uint32_t len,
		 const struct block_expectation *expectation, struct block_verdict *ret_verdict)
{
	struct block_verdict verdict = { .text = "" };

	verdict.fault = find_fault(format, data, len, expectation, &verdict);
	if (verdict.fault == BLOCK_GOOD)
		return true;
	*ret_verdict = verdict;
	return false;
}

bool block_check_zero(const void *data, size_t len, struct block_verdict *ret_verdict)
{
	const unsigned char *bytes = data;
	size_t bad = 0;

	if (len == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, len - 1) == 0))
		return true;
	while (bytes[bad] == 0)
		bad++;
	*ret_verdict = (struct block_verdict){ .fault = BLOCK_NOT_ZERO };
	(void)snprintf(ret_verdict->text, sizeof(ret_verdict->text),
		       "expected 00, received %02x at byte %zu of the block", bytes[bad], bad);
	return false;
}

const char *block_fault_name(enum block_fault fault)
{
	static const char *const names[] = {
		[BLOCK_GOOD] = "good",
		[BLOCK_BAD_MAGIC] = "bad magic header",
		[BLOCK_BAD_LENGTH] = "bad header length",
		[BLOCK_BAD_OFFSET] = "bad header offset",
		[BLOCK_BAD_NUMBER] = "bad header numberio",
		[BLOCK_BAD_HEADER] = "bad header crc",
		[BLOCK_BAD_SUM] = "wrong data",
		[BLOCK_BAD_DIGEST] = "wrong digest",
		[BLOCK_BAD_PATTERN] = "wrong pattern",
		[BLOCK_NOT_ZERO] = "trimmed, but not zero",
		[BLOCK_CUT] = "cut",
	};

	return names[fault];
}

bool block_fault_is_header(enum block_fault fault)
{
	return fault >= BLOCK_BAD_MAGIC && fault <= BLOCK_BAD_HEADER;
}
