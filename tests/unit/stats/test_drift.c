/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rank von Neumann ratio against the golden file. */
#include "stats/drift.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"
#include "golden.h"

static void test_matches_golden(void **state)
{
	json_t *root = golden_load();
	json_t *row;
	size_t i;

	(void)state;
	json_array_foreach(golden_get(root, "rank_von_neumann"), i, row)
	{
		size_t nr;
		double *x = golden_array(root, golden_get(row, "x"), &nr);

		assert_golden(drift_ratio(x, nr), row, "rvn");
		assert_int_equal(drift_found(x, nr), json_is_true(golden_get(row, "drift")));
		free(x);
	}
	assert_true(i > 0);
	json_decref(root);
}

static void test_too_few_or_equal_values_show_nothing(void **state)
{
	static const double rising[] = { 1, 2, 3, 4, 5, 6, 7 };
	static const double equal[] = { 4, 4, 4, 4, 4, 4, 4, 4 };

	(void)state;
	assert_false(drift_found(rising, 7));
	assert_true(isnan(drift_ratio(equal, 8)));
	assert_false(drift_found(equal, 8));
}

static void test_exact_limit_at_eight(void **state)
{
	/* Ratios of 39/42 and 40/42: squared steps sum to 39 and 40. */
	static const double at_limit[] = { 3, 2, 1, 5, 4, 7, 8, 6 };
	static const double above[] = { 3, 1, 2, 4, 7, 5, 8, 6 };

	(void)state;
	assert_close(drift_ratio(at_limit, 8) * 42.0, 1 + 1 + 16 + 1 + 9 + 1 + 4);
	assert_true(drift_found(at_limit, 8));
	assert_close(drift_ratio(above, 8) * 42.0, 4 + 1 + 4 + 9 + 4 + 9 + 4);
	assert_true(drift_found(above, 8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matches_golden),
		cmocka_unit_test(test_too_few_or_equal_values_show_nothing),
		cmocka_unit_test(test_exact_limit_at_eight),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
