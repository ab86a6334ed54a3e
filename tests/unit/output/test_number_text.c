/* SPDX-License-Identifier: GPL-2.0-or-later */
/* number_text: four digits, the right prefix, no "1000us". */
#include "output/number_text.h"

#include <math.h>

#include "test.h"

static void test_numbers(void **state)
{
	static const struct {
		double value;
		const char *unit, *text;
	} rows[] = {
		{ 1234567, "1/s", "1.235M" },
		{ 1884, "1/s", "1.884k" },
		{ 999, "1/s", "999" },
		{ 0, "1/s", "0" },
		{ 12.3456, "1/s", "12.35" },
		{ 999.96, "1/s", "1.000k" },
		{ 999.94, "1/s", "999.9" },
		{ 999949, "1/s", "999.9k" },
		{ 999951, "1/s", "1.000M" },
		{ -1234567, "1/s", "-1.235M" },
		{ 1e30, "1/s", "1000000000000E" },
		{ 512, "B/s", "512B/s" },
		{ 1023, "B", "1023B" },
		{ 1024, "B", "1.000KiB" },
		{ 1610612736, "B/s", "1.500GiB/s" },
		{ 1047552, "B/s", "1023KiB/s" },
		{ 812, "ns", "812ns" },
		{ 812.25, "ns", "812.2ns" },
		{ 123456, "ns", "123.5us" },
		{ 1500000, "ns", "1.500ms" },
		{ 999999, "ns", "1.000ms" },
		{ 3e12, "ns", "3000s" },
		{ 12345, "ms", "12.35s" },
		{ 3, "ms", "3.000ms" },
		{ 5, "us", "5.000us" },
		{ 0.25, "s", "250.0ms" },
		{ 12.345, "%", "12.35%" },
		{ -9.5, "%", "-9.50%" },
		{ 1234567, "", "1234567" },
		{ 0.12345, "", "0.123" },
		{ 1234.5, "", "1234" },
		{ 7, "runs", "7 runs" },
		{ 1e308, "1/s", "1e+290E" },
		{ -1.5e300, "%", "-1.5e+300%" },
		{ 1e200, "", "1e+200" },
		{ NAN, "ns", "-" },
		{ INFINITY, "", "inf" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char buf[NUMBER_TEXT_LEN];

		assert_string_equal(number_text(rows[i].value, rows[i].unit, buf), rows[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
