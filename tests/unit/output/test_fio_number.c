/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_number: values seen in the output of fio 3.33 and the edges of rounding. */
#include "output/fio_number.h"

#include <string.h>

#include "test.h"

static void test_numbers(void **state)
{
	static const struct {
		uint64_t value;
		unsigned digits;
		enum fio_prefix prefix;
		enum fio_unit unit;
		const char *text;
	} rows[] = {
		{ 0, 4, FIO_PREFIX_SI, FIO_UNIT_NONE, "0" },
		{ 4096, 4, FIO_PREFIX_IEC, FIO_UNIT_BYTE, "4096B" },
		{ 8192, 4, FIO_PREFIX_IEC, FIO_UNIT_BYTE, "8192B" },
		{ 65536, 4, FIO_PREFIX_IEC, FIO_UNIT_BYTE, "64.0KiB" },
		{ 131072, 4, FIO_PREFIX_IEC, FIO_UNIT_BYTE, "128KiB" },
		{ 131072, 4, FIO_PREFIX_SI, FIO_UNIT_BYTE, "131kB" },
		{ 1048576, 4, FIO_PREFIX_IEC, FIO_UNIT_BYTE, "1024KiB" },
		{ 9999, 4, FIO_PREFIX_SI, FIO_UNIT_BYTE, "9999B" },
		{ 10239, 4, FIO_PREFIX_IEC, FIO_UNIT_BYTE, "10.00KiB" }, /* carry, decimals kept */
		{ 10239, 4, FIO_PREFIX_SI, FIO_UNIT_BYTE, "10.2kB" },
		{ 10240, 4, FIO_PREFIX_IEC, FIO_UNIT_BYTE, "10.0KiB" },
		{ 12345, 4, FIO_PREFIX_IEC, FIO_UNIT_BYTE, "12.1KiB" },
		{ 99999, 4, FIO_PREFIX_SI, FIO_UNIT_BYTE, "100.0kB" },
		{ 102349, 4, FIO_PREFIX_IEC, FIO_UNIT_BYTE, "100.0KiB" },
		{ 1048575, 4, FIO_PREFIX_IEC, FIO_UNIT_BYTE, "1024KiB" },
		{ 1048575, 4, FIO_PREFIX_SI, FIO_UNIT_BYTE, "1049kB" },
		{ 1073741823, 4, FIO_PREFIX_IEC, FIO_UNIT_BYTE, "1024MiB" },
		{ 13421772800, 4, FIO_PREFIX_IEC, FIO_UNIT_BYTE, "12.5GiB" },
		{ 28520000, 4, FIO_PREFIX_IEC, FIO_UNIT_BYTE_PER_SEC, "27.2MiB/s" },
		{ 3306000, 4, FIO_PREFIX_SI, FIO_UNIT_NONE, "3306k" },
		{ 10700000, 4, FIO_PREFIX_SI, FIO_UNIT_NONE, "10.7M" },
		{ 12375, 4, FIO_PREFIX_SI, FIO_UNIT_NONE, "12.4k" },
		{ 999999, 6, FIO_PREFIX_SI, FIO_UNIT_NONE, "999999" },
		{ 52642123, 6, FIO_PREFIX_SI, FIO_UNIT_NONE, "52642k" },
		{ 1681400, 6, FIO_PREFIX_SI, FIO_UNIT_NONE, "1681.4k" },
		{ 5788200, 6, FIO_PREFIX_SI, FIO_UNIT_NONE, "5788.2k" },
		{ UINT64_MAX, 4, FIO_PREFIX_SI, FIO_UNIT_BYTE, "18.4EB" },
		{ UINT64_MAX, 4, FIO_PREFIX_IEC, FIO_UNIT_BYTE, "16.0EiB" },
		{ UINT64_MAX, 6, FIO_PREFIX_SI, FIO_UNIT_NONE, "18447P" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char buf[FIO_NUMBER_LEN];

		assert_string_equal(fio_number_text(rows[i].value, rows[i].digits, rows[i].prefix,
						    rows[i].unit, buf),
				    rows[i].text);
	}
}

static void test_prefixes(void **state)
{
	(void)state;
	assert_int_equal(fio_prefix_of(1024), FIO_PREFIX_IEC);
	assert_int_equal(fio_prefix_of(0), FIO_PREFIX_IEC);
	assert_int_equal(fio_prefix_of(1000), FIO_PREFIX_SI);
	assert_int_equal(fio_prefix_other(FIO_PREFIX_SI), FIO_PREFIX_IEC);
	assert_int_equal(fio_prefix_other(FIO_PREFIX_IEC), FIO_PREFIX_SI);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_prefixes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
