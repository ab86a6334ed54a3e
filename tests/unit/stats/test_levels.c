/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of levels against the golden file, and its look-up. */
#include "stats/levels.h"

#include <stdlib.h>

#include "test.h"
#include "golden.h"

static void check_column(const json_t *levels, const char *column, double alpha, size_t offset)
{
	const char *max_pairs;
	json_t *level;

	assert_int_equal(json_object_size(golden_get(levels, column)), 8);
	json_object_foreach(golden_get(levels, column), max_pairs, level)
	{
		const struct levels *row = levels_find((size_t)strtoul(max_pairs, NULL, 10), alpha);

		assert_non_null(row);
		assert_true(row->alpha == alpha);
		assert_true(*(const double *)((const char *)row + offset) ==
			    json_number_value(level));
	}
}

static void test_matches_golden(void **state)
{
	json_t *root = golden_load();
	json_t *levels = golden_get(root, "sequential_levels");

	(void)state;
	check_column(levels, "mw_alarm", 0.05, offsetof(struct levels, ranksum_alarm));
	check_column(levels, "mw_equiv", 0.05, offsetof(struct levels, ranksum_equivalence));
	check_column(levels, "sr_alarm", 0.05, offsetof(struct levels, signrank_alarm));
	check_column(levels, "sr_equiv", 0.05, offsetof(struct levels, signrank_equivalence));
	check_column(levels, "mw_alarm_01", 0.01, offsetof(struct levels, ranksum_alarm));
	check_column(levels, "mw_equiv_01", 0.01, offsetof(struct levels, ranksum_equivalence));
	check_column(levels, "sr_alarm_01", 0.01, offsetof(struct levels, signrank_alarm));
	check_column(levels, "sr_equiv_01", 0.01, offsetof(struct levels, signrank_equivalence));
	json_decref(root);
}

static void test_other_budgets_take_the_next_larger_row(void **state)
{
	(void)state;
	assert_int_equal(levels_find(5, 0.05)->max_pairs, 10);
	assert_int_equal(levels_find(11, 0.05)->max_pairs, 12);
	assert_int_equal(levels_find(31, 0.05)->max_pairs, 40);
	assert_int_equal(levels_find(60, 0.01)->max_pairs, 60);
	assert_null(levels_find(61, 0.05));
}

static void test_other_alphas_take_the_next_smaller_column(void **state)
{
	(void)state;
	assert_true(levels_find(30, 0.1)->alpha == 0.05);
	assert_true(levels_find(30, 0.049)->alpha == 0.01);
	assert_true(levels_find(30, 0.01)->alpha == 0.01);
	assert_null(levels_find(30, 0.009));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matches_golden),
		cmocka_unit_test(test_other_budgets_take_the_next_larger_row),
		cmocka_unit_test(test_other_alphas_take_the_next_smaller_column),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
