/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorting, medians and midranks. */
#include "stats/sorted.h"

#include <stdlib.h>

#include "test.h"
#include "golden.h"

static void test_copy_is_sorted_and_input_kept(void **state)
{
	static const double values[] = { 3.0, -1.0, 2.0, 2.0 };
	double *sorted = sorted_copy(values, 4);

	(void)state;
	assert_close(sorted[0], -1.0);
	assert_close(sorted[1], 2.0);
	assert_close(sorted[2], 2.0);
	assert_close(sorted[3], 3.0);
	assert_close(values[0], 3.0);
	assert_close(sorted_median(sorted, 4), 2.0);
	assert_close(sorted_median(sorted, 2), 0.5);
	assert_close(sorted_median(sorted, 3), 2.0);
	free(sorted);
}

static void test_midranks_share_ties(void **state)
{
	static const double values[] = { 5.0, 1.0, 5.0, 9.0, 5.0, 1.0 };
	static const int64_t expected[] = { 8, 3, 8, 12, 8, 3 };
	int64_t ranks[6];

	(void)state;
	assert_close(midranks_doubled(values, 6, ranks), 24.0 + 6.0);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(ranks[i], expected[i]);
}

static void test_midranks_without_ties(void **state)
{
	static const double values[] = { 0.3, 0.1, 0.2 };
	int64_t ranks[3];

	(void)state;
	assert_true(midranks_doubled(values, 3, ranks) == 0.0);
	assert_int_equal(ranks[0], 6);
	assert_int_equal(ranks[1], 2);
	assert_int_equal(ranks[2], 4);
	assert_true(midranks_doubled(values, 0, ranks) == 0.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copy_is_sorted_and_input_kept),
		cmocka_unit_test(test_midranks_share_ties),
		cmocka_unit_test(test_midranks_without_ties),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
