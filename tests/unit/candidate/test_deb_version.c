/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_deb_version: the order of versions; the examples of Debian Policy and of kernel packages. */
#include "test.h"

#include "candidate/deb_version.h"

#include <stdlib.h>

static int sign(int value)
{
	return value < 0 ? -1 : value > 0;
}

static void test_order(void **state)
{
	/* ascending; each must be older than all that follow */
	static const char *const versions[] = {
		"0~rc1-1",   "0",      "0.9",	   "1.0~beta1~svn1245",
		"1.0~beta1", "1.0",    "1.0-1",	   "1.0-1+b1",
		"1.0-2",     "1.0-10", "1.0a-1",   "1.0+x-1",
		"1.2.3-1",   "1.10",   "5.19.6-1", "6.0~rc7-1~exp1",
		"6.0~rc7-1", "6.0-1",  "6.1.55-1", "6.1.128-1",
		"6.12-1",    "1:0.5",  "2:0~1",
	};
	const size_t nr = sizeof(versions) / sizeof(*versions);

	(void)state;
	for (size_t i = 0; i < nr; i++) {
		for (size_t j = 0; j < nr; j++) {
			int wanted = i < j ? -1 : i > j;

			if (sign(deb_version_compare(versions[i], versions[j])) != wanted)
				fail_msg("%s against %s", versions[i], versions[j]);
		}
	}
}

static void test_equal(void **state)
{
	(void)state;
	assert_int_equal(deb_version_compare("1.0", "1.00"), 0);
	assert_int_equal(deb_version_compare("0:1.0-0", "1.0-0"), 0);
	assert_int_equal(deb_version_compare("1.0-0", "1.0"), 0);
	assert_int_equal(deb_version_compare("", ""), 0);
	assert_int_equal(deb_version_compare("007", "7"), 0);
}

static void test_odd_texts(void **state)
{
	(void)state;
	/* no number is too large, and nothing is read beyond the end */
	assert_true(deb_version_compare("1.99999999999999999999999999998",
					"1.99999999999999999999999999999") < 0);
	assert_true(deb_version_compare("", "1") < 0);
	assert_true(deb_version_compare("~", "") < 0);
	assert_true(deb_version_compare("-", ":") <= 0 || deb_version_compare(":", "-") <= 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_odd_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
