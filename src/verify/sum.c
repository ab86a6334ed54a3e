/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sum: the table of methods, and the cyclic codes as they are stored. */
#include "verify/sum.h"

void sum_store(unsigned char *to, uint64_t value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		to[i] = (unsigned char)(value >> (8 * i));
}

static void crc7(const void *data, size_t len, unsigned char *ret_sum)
{
	*ret_sum = sum_crc7(data, len);
}

static void crc16(const void *data, size_t len, unsigned char *ret_sum)
{
	sum_store(ret_sum, sum_crc16(data, len), 2);
}

static void crc32(const void *data, size_t len, unsigned char *ret_sum)
{
	sum_store(ret_sum, sum_crc32(data, len), 4);
}

static void crc32c(const void *data, size_t len, unsigned char *ret_sum)
{
	sum_store(ret_sum, sum_crc32c(data, len), 4);
}

static void crc64(const void *data, size_t len, unsigned char *ret_sum)
{
	sum_store(ret_sum, sum_crc64(data, len), 8);
}

#define SUM(type_of_it, bytes, function)                                                           \
	.type = (type_of_it), .has_header = true, .sum_bytes = (bytes), .compute = (function)

static const struct sum_method methods[VERIFY_NR_METHODS] = {
	[VERIFY_META] = { .name = "meta", .type = 1, .has_header = true },
	[VERIFY_MD5] = { .name = "md5", SUM(2, 16, sum_md5) },
	[VERIFY_CRC64] = { .name = "crc64", SUM(3, 8, crc64) },
	[VERIFY_CRC32] = { .name = "crc32", SUM(4, 4, crc32) },
	[VERIFY_CRC32C] = { .name = "crc32c", SUM(5, 4, crc32c) },
	[VERIFY_CRC32C_INTEL] = { .name = "crc32c", SUM(5, 4, crc32c) },
	[VERIFY_CRC16] = { .name = "crc16", SUM(7, 2, crc16) },
	[VERIFY_CRC7] = { .name = "crc7", SUM(8, 1, crc7) },
	[VERIFY_SHA256] = { .name = "sha256", SUM(9, 64, sum_sha256) },
	[VERIFY_SHA512] = { .name = "sha512", SUM(10, 128, sum_sha512_tail), .digest = sum_sha512 },
	[VERIFY_SHA3_224] = { .name = "sha3-224", SUM(11, 28, sum_sha3_224) },
	[VERIFY_SHA3_256] = { .name = "sha3-256", SUM(12, 32, sum_sha3_256) },
	[VERIFY_SHA3_384] = { .name = "sha3-384", SUM(13, 48, sum_sha3_384) },
	[VERIFY_SHA3_512] = { .name = "sha3-512", SUM(14, 64, sum_sha3_512) },
	[VERIFY_XXHASH] = { .name = "xxhash", SUM(15, 4, sum_xxhash) },
	[VERIFY_SHA1] = { .name = "sha1", SUM(16, 20, sum_sha1) },
	[VERIFY_PATTERN_HEADER] = { .name = "pattern_hdr",
				    .type = 17,
				    .has_header = true,
				    .has_pattern = true },
	[VERIFY_PATTERN] = { .name = "pattern", .type = 18, .has_pattern = true },
	[VERIFY_NULL] = { .name = "null", .type = 19 },
};

const struct sum_method *sum_method(enum verify_method method)
{
	return &methods[method];
}

const char *sum_type_name(uint16_t type)
{
	for (size_t i = 0; i < VERIFY_NR_METHODS; i++) {
		if (methods[i].has_header && methods[i].type == type)
			return methods[i].name;
	}
	return NULL;
}
