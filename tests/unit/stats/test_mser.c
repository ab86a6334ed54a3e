/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MSER-5 against the golden file. */
#include "stats/mser.h"

#include <stdlib.h>

#include "test.h"
#include "golden.h"

static void test_matches_golden(void **state)
{
	json_t *root = golden_load();
	json_t *row;
	size_t i;

	(void)state;
	json_array_foreach(golden_get(root, "mser5"), i, row)
	{
		size_t nr;
		double *samples = golden_array(root, golden_get(row, "y"), &nr);
		struct mser mser = mser5(samples, nr);

		assert_int_equal(mser.nr_drop, golden_size(row, "drop"));
		assert_int_equal(mser.is_steady, !json_is_false(json_object_get(row, "steady")));
		assert_golden(mser.mean_after, row, "mean_after");
		free(samples);
	}
	assert_true(i > 0);
	json_decref(root);
}

static void test_short_runs_keep_everything(void **state)
{
	static const double samples[] = { 1, 100, 100, 100, 100, 100, 100, 100, 100 };
	struct mser mser = mser5(samples, 9);

	(void)state;
	assert_int_equal(mser.nr_drop, 0);
	assert_true(mser.is_steady);
	assert_close(mser.mean_after, 801.0 / 9.0);
	assert_int_equal(mser5(samples, 0).nr_drop, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matches_golden),
		cmocka_unit_test(test_short_runs_keep_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
