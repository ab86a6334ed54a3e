/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sum: the sums against published check values, and against blocks that fio 3.33 wrote. */
#include "verify/sum.h"

#include <string.h>

#include "test.h"

static const char digits[] = "123456789";
#define DIGITS_LEN 9

/* "123456789" as in the catalogue of parametrised CRC algorithms (CRC-16/ARC, CRC-7/MMC, CRC-32/ISCSI
 * before its inversion). */
static void test_crcs(void **state)
{
	(void)state;
	assert_int_equal(sum_crc16(digits, DIGITS_LEN), 0xbb3d);
	assert_int_equal(sum_crc7(digits, DIGITS_LEN), 0x75);
	assert_int_equal(sum_crc32c(digits, DIGITS_LEN), (uint32_t)~0xe3069283U);
	for (size_t len = 0; len <= sizeof(digits); len++)
		assert_int_equal(sum_crc32c_by_tables(digits, len), sum_crc32c(digits, len));
	assert_int_equal(sum_crc16("", 0), 0);
	assert_int_equal(sum_crc7("", 0), 0);
}

static void assert_sum(enum verify_method which, const void *data, size_t len, const char *hex)
{
	const struct sum_method *method = sum_method(which);
	unsigned char sum[SUM_MAX_BYTES];
	char text[2 * SUM_MAX_BYTES + 1] = "";

	method->compute(data, len, sum);
	for (size_t i = 0; i < method->sum_bytes; i++)
		(void)snprintf(text + 2 * i, 3, "%02x", sum[i]);
	assert_string_equal(text, hex);
}

/* RFC 1321, RFC 3174, FIPS 202, the catalogue of CRCs; multi-byte numbers little-endian. */
static void test_published(void **state)
{
	(void)state;
	assert_sum(VERIFY_MD5, "abc", 3, "900150983cd24fb0d6963f7d28e17f72");
	/* a9993e36 4706816a ba3e2571 7850c26c 9cd0d89d, each word turned round */
	assert_sum(VERIFY_SHA1, "abc", 3, "363e99a96a81064771253eba6cc250789dd8d09c");
	assert_sum(VERIFY_SHA3_224, "abc", 3,
		   "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf");
	assert_sum(VERIFY_SHA3_256, "abc", 3,
		   "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532");
	assert_sum(VERIFY_SHA3_384, "abc", 3,
		   "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b2"
		   "98d88cea927ac7f539f1edf228376d25");
	assert_sum(VERIFY_SHA3_512, "abc", 3,
		   "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"
		   "10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0");
	assert_sum(VERIFY_CRC64, digits, DIGITS_LEN, "cad9b8c414d9c6e9"); /* CRC-64/REDIS */
	assert_sum(VERIFY_CRC32, digits, DIGITS_LEN, "7f89a189");	  /* ~ CRC-32/CKSUM */
	assert_sum(VERIFY_CRC32C, digits, DIGITS_LEN, "7c6df91c");
	assert_sum(VERIFY_CRC32C_INTEL, digits, DIGITS_LEN, "7c6df91c");
	assert_sum(VERIFY_CRC16, digits, DIGITS_LEN, "3dbb");
	assert_sum(VERIFY_CRC7, digits, DIGITS_LEN, "75");
}

/* The last block with its padding; where the length has no room in it, one more. */
static void test_sha256_form(void **state)
{
	unsigned char data[256], sum[SUM_MAX_BYTES], other[SUM_MAX_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)i;
	sum_sha256(data, 64 + 20, sum);
	assert_memory_equal(sum + 8, data + 64 + 8, 12);
	assert_int_equal(sum[20], 0x80);
	assert_int_equal(sum[56], (84 * 8) & 0xff);
	assert_int_equal(sum[57], 84 * 8 >> 8);
	data[3] ^= 1; /* far from the end */
	sum_sha256(data, 64 + 20, other);
	assert_memory_not_equal(sum, other, 8);
	sum_sha256(data, 64 + 60, sum);
	for (size_t i = 8; i < 56; i++)
		assert_int_equal(sum[i], 0);
	assert_int_equal(sum[56], (124 * 8) & 0xff);
}

static void test_sha512_form(void **state)
{
	unsigned char data[300], sum[SUM_MAX_BYTES], digest[64];

	(void)state;
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)(i * 7);
	sum_sha512_tail(data, 280, sum);
	assert_memory_equal(sum, data + 256, 24);
	assert_memory_equal(sum + 24, data + 24, 104);
	sum_sha512("abc", 3, digest); /* FIPS 180-4 */
	assert_memory_equal(digest, "\xdd\xaf\x35\xa1\x93\x61\x7a\xba", 8);
}

static void test_types(void **state)
{
	(void)state;
	assert_string_equal(sum_type_name(5), "crc32c");
	assert_string_equal(sum_type_name(16), "sha1");
	assert_null(sum_type_name(6));
	assert_null(sum_type_name(18)); /* pattern has no header */
	for (int i = VERIFY_NONE + 1; i < VERIFY_NR_METHODS; i++) {
		const struct sum_method *method = sum_method((enum verify_method)i);

		assert_non_null(method->name);
		assert_true(method->sum_bytes <= SUM_MAX_BYTES);
		assert_true(!method->compute == (method->sum_bytes == 0));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_crcs),	    cmocka_unit_test(test_published),
		cmocka_unit_test(test_sha256_form), cmocka_unit_test(test_sha512_form),
		cmocka_unit_test(test_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
