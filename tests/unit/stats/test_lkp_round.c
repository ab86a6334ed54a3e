/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decimal halves, with what Ruby 3.1 prints for them. */
#include "stats/lkp_round.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"

static const struct row {
	double value;
	int nr;
	const char *text;
} decimals[] = {
	/* nearer to the other side of the half than Ruby says */
	{ 12.35, 1, "12.4" },
	{ 0.45, 1, "0.4" },
	{ 2.675, 2, "2.68" },
	{ 1.235, 2, "1.24" },
	{ 0.15, 1, "0.2" },
	/* exact halves, and those that both print alike */
	{ 0.25, 1, "0.2" },
	{ 0.35, 1, "0.4" },
	{ 1.005, 2, "1.00" },
	{ 0.125, 2, "0.12" },
	{ 0.0625, 3, "0.062" },
	{ 0.95, 1, "1.0" },
	/* a few units of the last place beside the half */
	{ 47.925000000000004, 2, "47.92" },
	{ 37.834999999999994, 2, "37.84" },
	{ -5.045000000000001, 2, "-5.04" },
	{ 563.9499999999999, 1, "564.0" },
	{ -337.05000000000007, 1, "-337.0" },
	{ -0.45, 1, "-0.4" },
	/* no half left before the first digit */
	{ 0.05, 1, "0.1" },
	{ 0.005, 2, "0.01" },
	{ 0.004, 2, "0.00" },
	{ 1e-9, 2, "0.00" },
	{ 0.00015, 4, "0.0002" },
	/* one digit more */
	{ 999.995, 2, "1000.00" },
	{ 99999.95, 1, "100000.0" },
	{ 9.95, 1, "10.0" },
	{ 99.995, 2, "100.00" },
	/* no half */
	{ 12.3501, 1, "12.4" },
	{ 0.0, 2, "0.00" },
	{ -187.64, 2, "-187.64" },
};

static const struct row digits[] = {
	{ 123450000.0, 4, "1.234e+08" },
	{ 123550000.0, 4, "1.236e+08" },
	{ 1.998e10, 4, "1.998e+10" },
	{ 196012345678.0, 4, "1.96e+11" },
	{ 999950000.0, 4, "1e+09" },
	{ 999850000.0, 4, "9.998e+08" },
	{ 123456.0, 2, "1.2e+05" },
	{ 115000.0, 2, "1.2e+05" },
	{ 125000.0, 2, "1.2e+05" },
	{ 2e102, 2, "2e+102" },
	{ 0.0, 2, "0" },
};

static void test_decimals(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(decimals) / sizeof(decimals[0]); i++) {
		const struct row *row = &decimals[i];
		char text[64];

		snprintf(text, sizeof(text), "%.*f", row->nr,
			 lkp_round_decimals(row->value, row->nr));
		assert_string_equal(text, row->text);
	}
}

static void test_digits(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(digits) / sizeof(digits[0]); i++) {
		const struct row *row = &digits[i];
		char text[64];

		snprintf(text, sizeof(text), "%.*g", row->nr,
			 lkp_round_digits(row->value, row->nr));
		assert_string_equal(text, row->text);
	}
}

static void test_other_values_stay(void **state)
{
	static const double values[] = {
		1e300, -1e300, 1e-300, 4.9e-324, 1e16, 12345.678, INFINITY
	};

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		assert_true(lkp_round_decimals(values[i], 2) == values[i]);
		assert_true(lkp_round_digits(values[i], 4) == values[i]);
	}
	assert_true(isnan(lkp_round_decimals(NAN, 2)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decimals),
		cmocka_unit_test(test_digits),
		cmocka_unit_test(test_other_values_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
