/* SPDX-License-Identifier: GPL-2.0-or-later */
/* crc: the cyclic codes, eight bytes at a time by tables, CRC-32C by the CPU where it can. */
#include "verify/sum.h"

#include <endian.h>
#include <string.h>

#include "verify/crc_tables.h"

#define SLICES 8

static uint64_t crc_reflected(const uint64_t table[SLICES][256], uint64_t crc, const void *data,
			      size_t len)
{
	const unsigned char *byte = data;

	for (; len >= SLICES; len -= SLICES, byte += SLICES) {
		uint64_t word;

		memcpy(&word, byte, sizeof(word));
		word = le64toh(word) ^ crc;
		crc = table[7][word & 255] ^ table[6][word >> 8 & 255] ^
		      table[5][word >> 16 & 255] ^ table[4][word >> 24 & 255] ^
		      table[3][word >> 32 & 255] ^ table[2][word >> 40 & 255] ^
		      table[1][word >> 48 & 255] ^ table[0][word >> 56];
	}
	for (; len; len--, byte++)
		crc = crc >> 8 ^ table[0][(crc ^ *byte) & 255];
	return crc;
}

/* The register stands in the upper bits, and so does the result. */
static uint64_t crc_forward(const uint64_t table[SLICES][256], const void *data, size_t len)
{
	const unsigned char *byte = data;
	uint64_t crc = 0;

	for (; len >= SLICES; len -= SLICES, byte += SLICES) {
		uint64_t word;

		memcpy(&word, byte, sizeof(word));
		word = be64toh(word) ^ crc;
		crc = table[7][word >> 56] ^ table[6][word >> 48 & 255] ^
		      table[5][word >> 40 & 255] ^ table[4][word >> 32 & 255] ^
		      table[3][word >> 24 & 255] ^ table[2][word >> 16 & 255] ^
		      table[1][word >> 8 & 255] ^ table[0][word & 255];
	}
	for (; len; len--, byte++)
		crc = crc << 8 ^ table[0][(crc >> 56) ^ *byte];
	return crc;
}

uint16_t sum_crc16(const void *data, size_t len)
{
	return (uint16_t)crc_reflected(crc16_table, 0, data, len);
}

uint8_t sum_crc7(const void *data, size_t len)
{
	return (uint8_t)(crc_forward(crc7_table, data, len) >> 57);
}

uint32_t sum_crc32(const void *data, size_t len)
{
	return (uint32_t)(crc_forward(crc32_table, data, len) >> 32);
}

uint64_t sum_crc64(const void *data, size_t len)
{
	return crc_reflected(crc64_table, 0, data, len);
}

uint32_t sum_crc32c_by_tables(const void *data, size_t len)
{
	return (uint32_t)crc_reflected(crc32c_table, UINT32_MAX, data, len);
}

#ifdef __x86_64__
__attribute__((target("sse4.2"))) static uint32_t crc32c_by_cpu(const void *data, size_t len)
{
	const unsigned char *byte = data;
	uint64_t crc = UINT32_MAX;

	for (; len >= sizeof(uint64_t); len -= sizeof(uint64_t), byte += sizeof(uint64_t)) {
		unsigned long long word;

		memcpy(&word, byte, sizeof(word));
		crc = __builtin_ia32_crc32di(crc, word);
	}
	for (; len; len--, byte++)
		crc = __builtin_ia32_crc32qi((uint32_t)crc, *byte);
	return (uint32_t)crc;
}

uint32_t sum_crc32c(const void *data, size_t len)
{
	return __builtin_cpu_supports("sse4.2") ? crc32c_by_cpu(data, len)
						: sum_crc32c_by_tables(data, len);
}
#else
uint32_t sum_crc32c(const void *data, size_t len)
{
	return sum_crc32c_by_tables(data, len);
}
#endif
