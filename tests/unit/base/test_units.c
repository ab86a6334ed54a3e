/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_units: what is a quantity, what is not, where the first bad character is, and printing. */
#include "base/units.h"

#include "test.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define NR(array) (sizeof(array) / sizeof((array)[0]))
#define KIB UINT64_C(1024)

struct row {
	const char *text;
	int ret;
	uint64_t value;
	size_t bad; /* offset of the first bad character */
};

static void check_row(const struct row *row, int ret, uint64_t value, const char *bad)
{
	if (ret != row->ret || (ret == 0 && value != row->value))
		fail_msg("'%s': ret %d value %llu, wanted %d %llu", row->text, ret,
			 (unsigned long long)value, row->ret, (unsigned long long)row->value);
	if (ret < 0 && (size_t)(bad - row->text) != row->bad)
		fail_msg("'%s': bad at %td, wanted %zu", row->text, bad - row->text, row->bad);
}

static void test_size(void **state)
{
	static const struct row rows[] = {
		{ "0", 0, 0, 0 },
		{ "512", 0, 512, 0 },
		{ "512B", 0, 512, 0 },
		{ "4k", 0, 4 * KIB, 0 },
		{ "4K", 0, 4 * KIB, 0 },
		{ "4Ki", 0, 4 * KIB, 0 },
		{ "4KiB", 0, 4 * KIB, 0 },
		{ "4kib", 0, 4 * KIB, 0 },
		{ "4kB", 0, 4000, 0 },
		{ "1.5GiB", 0, 3 * KIB * KIB * KIB / 2, 0 },
		{ "0.1k", 0, 102, 0 }, /* 102.4 */
		{ "0.5", 0, 1, 0 },    /* halves go up */
		{ "0.4", 0, 0, 0 },
		{ "2T", 0, 2 * KIB * KIB * KIB * KIB, 0 },
		{ "1PiB", 0, KIB * KIB * KIB * KIB * KIB, 0 },
		{ "15EiB", 0, 15 * KIB * KIB * KIB * KIB * KIB * KIB, 0 },
		{ "18446744073709551615", 0, UINT64_MAX, 0 },
		{ "18446744073709551616", -ERANGE, 0, 0 },
		{ "16EiB", -ERANGE, 0, 0 },
		{ "99999999999999999999999999k", -ERANGE, 0, 0 },
		{ "", -EINVAL, 0, 0 },
		{ "k", -EINVAL, 0, 0 },
		{ " 4k", -EINVAL, 0, 0 },
		{ "4k ", -EINVAL, 0, 2 },
		{ "4 k", -EINVAL, 0, 1 },
		{ "-4k", -EINVAL, 0, 0 },
		{ "+4k", -EINVAL, 0, 0 },
		{ "4x", -EINVAL, 0, 1 },
		{ "4kk", -EINVAL, 0, 2 },
		{ "4KiBs", -EINVAL, 0, 4 },
		{ "4ib", -EINVAL, 0, 1 },
		{ "4.", -EINVAL, 0, 2 },
		{ "4.k", -EINVAL, 0, 2 },
		{ ".5k", -EINVAL, 0, 0 },
		{ "1e3", -EINVAL, 0, 2 }, /* E is exa, then 3 is left over */
		{ "0x10", -EINVAL, 0, 1 },
		{ "4k/s", -EINVAL, 0, 2 },
		{ "99999999999999999999x", -EINVAL, 0, 20 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		const char *bad = NULL;
		uint64_t value = 77;
		int ret = units_parse_size(rows[i].text, 1024, &value, &bad);

		check_row(&rows[i], ret, value, bad);
		if (ret < 0)
			assert_int_equal(value, 77); /* written only on success */
		assert_int_equal(units_parse_size(rows[i].text, 1024, &value, NULL), ret);
	}
}

static void test_size_kb_base(void **state)
{
	uint64_t value;

	(void)state;
	assert_int_equal(units_parse_size("4k", 1000, &value, NULL), 0);
	assert_int_equal(value, 4000);
	assert_int_equal(units_parse_size("4KiB", 1000, &value, NULL), 0);
	assert_int_equal(value, 4096);
	assert_int_equal(units_parse_size("4kB", 1024, &value, NULL), 0);
	assert_int_equal(value, 4000);
}

static void test_rate(void **state)
{
	static const struct row rows[] = {
		{ "1.5GiB/s", 0, 3 * KIB * KIB * KIB / 2, 0 },
		{ "100k", 0, 100 * KIB, 0 },
		{ "100kB/S", 0, 100000, 0 },
		{ "7/s", 0, 7, 0 },
		{ "7/", -EINVAL, 0, 1 },
		{ "7/m", -EINVAL, 0, 1 },
		{ "7/s/s", -EINVAL, 0, 1 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		const char *bad = NULL;
		uint64_t value = 0;
		int ret;

		ret = units_parse_rate(rows[i].text, 1024, &value, &bad);
		check_row(&rows[i], ret, value, bad);
	}
}

static void test_duration(void **state)
{
	static const struct row rows[] = {
		{ "0", 0, 0, 0 },
		{ "10us", 0, 10000, 0 },
		{ "1ns", 0, 1, 0 },
		{ "2.5ms", 0, 2500000, 0 },
		{ "30s", 0, 30 * NS_PER_S, 0 },
		{ "1.5m", 0, 90 * NS_PER_S, 0 },
		{ "2min", 0, 120 * NS_PER_S, 0 },
		{ "1h", 0, 3600 * NS_PER_S, 0 },
		{ "2d", 0, 2 * 86400 * NS_PER_S, 0 },
		{ "0.3ns", 0, 0, 0 },
		{ "213503d", 0, UINT64_C(213503) * 86400 * NS_PER_S, 0 },
		{ "213504d", -ERANGE, 0, 0 },
		{ "5", -EINVAL, 0, 1 },
		{ "0.5", -EINVAL, 0, 3 },
		{ "5 s", -EINVAL, 0, 1 },
		{ "5S", -EINVAL, 0, 1 },
		{ "1m30s", -EINVAL, 0, 1 },
		{ "s", -EINVAL, 0, 0 },
		{ "99999999999999999999", -EINVAL, 0, 20 },
		{ "99999999999999999999ns", -ERANGE, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		const char *bad = NULL;
		uint64_t value = 0;
		int ret;

		ret = units_parse_duration_ns(rows[i].text, &value, &bad);
		check_row(&rows[i], ret, value, bad);
	}
}

static void test_u64(void **state)
{
	static const struct row rows[] = {
		{ "0", 0, 0, 0 },
		{ "007", 0, 7, 0 },
		{ "18446744073709551615", 0, UINT64_MAX, 0 },
		{ "18446744073709551616", -ERANGE, 0, 0 },
		{ "", -EINVAL, 0, 0 },
		{ "1k", -EINVAL, 0, 1 },
		{ "-1", -EINVAL, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		const char *bad = NULL;
		uint64_t value = 0;
		int ret;

		ret = units_parse_u64(rows[i].text, &value, &bad);
		check_row(&rows[i], ret, value, bad);
	}
}

struct double_row {
	const char *text;
	int ret;
	double value;
	size_t bad;
};

static void check_double_row(const struct double_row *row, int ret, double value, const char *bad)
{
	if (ret != row->ret || (ret == 0 && fabs(value - row->value) > 1e-15 * fabs(row->value)))
		fail_msg("'%s': ret %d value %.17g", row->text, ret, value);
	if (ret < 0 && (size_t)(bad - row->text) != row->bad)
		fail_msg("'%s': bad at %td, wanted %zu", row->text, bad - row->text, row->bad);
}

static void test_share(void **state)
{
	static const struct double_row rows[] = {
		{ "5%", 0, 0.05, 0 },	  { "0.05", 0, 0.05, 0 }, { "0%", 0, 0, 0 },
		{ "1", 0, 1, 0 },	  { "100%", 0, 1, 0 },	  { "250%", 0, 2.5, 0 },
		{ "2.5%", 0, 0.025, 0 },  { "5", -ERANGE, 0, 0 }, { "1.01", -ERANGE, 0, 0 },
		{ "5 %", -EINVAL, 0, 1 }, { "%", -EINVAL, 0, 0 }, { "5%%", -EINVAL, 0, 1 },
		{ "-5%", -EINVAL, 0, 0 }, { "", -EINVAL, 0, 0 },  { "5.%", -EINVAL, 0, 2 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		const char *bad = NULL;
		double value = 0;
		int ret;

		ret = units_parse_share(rows[i].text, &value, &bad);
		check_double_row(&rows[i], ret, value, bad);
	}
}

static void test_double(void **state)
{
	static const struct double_row rows[] = {
		{ "1.5", 0, 1.5, 0 },	  { "-2", 0, -2, 0 },	      { "+1e3", 0, 1000, 0 },
		{ "1E-2", 0, 0.01, 0 },	  { "0", 0, 0, 0 },	      { "nan", -EINVAL, 0, 0 },
		{ "inf", -EINVAL, 0, 0 }, { "0x1p3", -EINVAL, 0, 1 }, { "1e999", -ERANGE, 0, 0 },
		{ "1.", -EINVAL, 0, 2 },  { ".5", -EINVAL, 0, 0 },    { "1e", -EINVAL, 0, 1 },
		{ "1e+", -EINVAL, 0, 1 }, { "1,5", -EINVAL, 0, 1 },   { "", -EINVAL, 0, 0 },
		{ "-", -EINVAL, 0, 1 },	  { " 1", -EINVAL, 0, 0 },    { "1 ", -EINVAL, 0, 1 },
	};

	(void)state;
	for (size_t i = 0; i < NR(rows); i++) {
		const char *bad = NULL;
		double value = 0;
		int ret;

		ret = units_parse_double(rows[i].text, &value, &bad);
		check_double_row(&rows[i], ret, value, bad);
	}
}

static void test_print_bytes(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} rows[] = {
		{ 0, "0B" },
		{ 512, "512B" },
		{ 1023, "1023B" },
		{ 1024, "1KiB" },
		{ 1536, "1.5KiB" },
		{ 4096, "4KiB" },
		{ 10 * KIB + 512, "10.5KiB" },
		{ 100 * KIB + 512, "100KiB" },
		{ 1023 * KIB, "1023KiB" },
		{ 1024 * KIB - 1, "1MiB" }, /* rounds up into the next unit */
		{ 10239, "10KiB" },	    /* 9.999 */
		{ 3 * KIB * KIB * KIB / 2, "1.5GiB" },
		{ UINT64_MAX, "16EiB" },
	};
	char buf[UNITS_TEXT_LEN];

	(void)state;
	for (size_t i = 0; i < NR(rows); i++)
		assert_string_equal(units_print_bytes(rows[i].bytes, buf, sizeof(buf)),
				    rows[i].text);
}

static void test_print_duration(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} rows[] = {
		{ 0, "0ns" },
		{ 999, "999ns" },
		{ 10000, "10us" },
		{ 12345, "12.3us" },
		{ 999999, "1ms" },
		{ 4560000, "4.56ms" },
		{ 1000 * 1000 * 1000, "1s" },
		{ 59400000000, "59.4s" },
		{ 59500000000, "1m00s" },
		{ 90 * NS_PER_S, "1m30s" },
		{ 3599 * NS_PER_S, "59m59s" },
		{ 7500 * NS_PER_S, "2h05m" },
		{ 100 * 3600 * NS_PER_S, "4d04h" },
	};
	char buf[UNITS_TEXT_LEN];

	(void)state;
	for (size_t i = 0; i < NR(rows); i++)
		assert_string_equal(units_print_duration_ns(rows[i].ns, buf, sizeof(buf)),
				    rows[i].text);
	assert_true(strlen(units_print_duration_ns(UINT64_MAX, buf, sizeof(buf))) < sizeof(buf));
}

static void test_print_others(void **state)
{
	char buf[UNITS_TEXT_LEN];

	(void)state;
	assert_string_equal(units_print_rate(1.5 * 1024 * 1024, buf, sizeof(buf)), "1.5MiB/s");
	assert_string_equal(units_print_rate(0, buf, sizeof(buf)), "0B/s");
	assert_string_equal(units_print_count(950, buf, sizeof(buf)), "950");
	assert_string_equal(units_print_count(306700, buf, sizeof(buf)), "307k");
	assert_string_equal(units_print_count(52300000, buf, sizeof(buf)), "52.3M");
	assert_string_equal(units_print_count(999999, buf, sizeof(buf)), "1M");
	assert_string_equal(units_print_percent(0.0525, buf, sizeof(buf)), "5.25%");
	assert_string_equal(units_print_percent(-0.104, buf, sizeof(buf)), "-10.4%");
	assert_string_equal(units_print_percent(0, buf, sizeof(buf)), "0%");
	assert_string_equal(units_print_percent(12.5, buf, sizeof(buf)), "1250%");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_size_kb_base),
		cmocka_unit_test(test_rate),
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_u64),
		cmocka_unit_test(test_share),
		cmocka_unit_test(test_double),
		cmocka_unit_test(test_print_bytes),
		cmocka_unit_test(test_print_duration),
		cmocka_unit_test(test_print_others),
	};

	return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
