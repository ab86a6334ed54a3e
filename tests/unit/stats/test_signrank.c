/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signed-rank test and Walsh averages against the golden file and at their ends. */
#include "stats/signrank.h"

#include <stdlib.h>

#include "test.h"
#include "golden.h"
#include "stats/nulldist.h"

static void check_row(const json_t *root, const json_t *row)
{
	json_t *expect = golden_get(row, "expect");
	CLEANUP(signrank) struct signrank signrank = { .differences = NULL };
	CLEANUP(nulldist) struct nulldist null = { .cdf = NULL };
	struct interval interval;
	size_t n;
	double *d = golden_array(root, golden_get(row, "d"), &n);

	signrank_init(&signrank, d, n);
	nulldist_init_signrank(&null, n);
	interval = signrank_interval(&signrank, &null, 0.05);
	assert_golden(signrank.w_plus, expect, "W_plus");
	assert_int_equal(signrank.nr_nonzero, golden_size(expect, "n_nonzero"));
	assert_golden(signrank.p, expect, "p_exact");
	assert_golden(signrank_shift(&signrank), expect, "hl");
	assert_int_equal(nulldist_critical(&null, 0.05), (long)golden_number(expect, "ci95_c"));
	assert_close(interval.lo, golden_item(golden_get(expect, "ci95"), 0));
	assert_close(interval.hi, golden_item(golden_get(expect, "ci95"), 1));
	free(d);
}

static void test_matches_golden(void **state)
{
	json_t *root = golden_load();
	json_t *row;
	size_t i;

	(void)state;
	json_array_foreach(golden_get(root, "signed_rank"), i, row) check_row(root, row);
	assert_true(i > 0);
	json_decref(root);
}

static void test_only_zeros(void **state)
{
	static const double d[] = { 0.0, 0.0, 0.0 };
	CLEANUP(signrank) struct signrank signrank = { .differences = NULL };

	(void)state;
	signrank_init(&signrank, d, 3);
	assert_int_equal(signrank.nr_nonzero, 0);
	assert_close(signrank.p, 1.0);
	assert_true(signrank_shift(&signrank) == 0.0);
}

static void test_many_pairs_take_the_normal_path(void **state)
{
	double d[SIGNRANK_MAX_EXACT + 1];
	size_t n = sizeof(d) / sizeof(d[0]);
	CLEANUP(signrank) struct signrank exact = { .differences = NULL };
	CLEANUP(signrank) struct signrank normal = { .differences = NULL };
	CLEANUP(nulldist) struct nulldist null_exact = { .cdf = NULL };
	CLEANUP(nulldist) struct nulldist null_normal = { .cdf = NULL };

	(void)state;
	for (size_t i = 0; i < n; i++)
		d[i] = (double)(i + 1) * (i % 7 < 4 ? 1.0 : -1.0);
	signrank_init(&exact, d, n - 1);
	signrank_init(&normal, d, n);
	nulldist_init_signrank(&null_exact, n - 1);
	nulldist_init_signrank(&null_normal, n);
	assert_non_null(null_exact.cdf);
	assert_null(null_normal.cdf);
	assert_close(exact.p, nulldist_p(&null_exact, exact.w_plus));
	assert_close(normal.p, nulldist_p(&null_normal, normal.w_plus));
	assert_true(normal.p > 0.001 && normal.p < 0.1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matches_golden),
		cmocka_unit_test(test_only_zeros),
		cmocka_unit_test(test_many_pairs_take_the_normal_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
