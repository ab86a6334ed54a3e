/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The wrapped distributions against the golden file. */
#include "stats/distribution.h"

#include "test.h"
#include "golden.h"

static void test_student_quantile(void **state)
{
	json_t *root = golden_load();
	json_t *row;
	size_t i;

	(void)state;
	json_array_foreach(golden_get(root, "t_quantile_975"), i, row)
		assert_golden(student_t_quantile(0.975, golden_number(row, "df")), row, "t");
	assert_true(i > 0);
	json_decref(root);
}

static void test_student_two_sided(void **state)
{
	json_t *root = golden_load();
	json_t *row;
	size_t i;

	(void)state;
	json_array_foreach(golden_get(root, "t_cdf_two_sided"), i, row)
	{
		double t = golden_number(row, "t");
		double df = golden_number(row, "df");

		assert_golden(student_t_two_sided(t, df), row, "p");
		assert_golden(student_t_two_sided(-t, df), row, "p");
	}
	assert_true(i > 0);
	json_decref(root);
}

static void test_normal(void **state)
{
	(void)state;
	assert_close(normal_quantile(0.975), 1.959963984540054);
	assert_close(normal_two_sided(1.959963984540054), 0.05);
	assert_close(normal_two_sided(-1.959963984540054), 0.05);
	assert_close(normal_two_sided(0.0), 1.0);
}

static void test_discrete(void **state)
{
	(void)state;
	assert_close(coin_cdf(1, 6), 7.0 / 64.0);
	/* 2 of 3 marked among 5 drawn from 3 + 7: C(3,2) C(7,3) / C(10,5). */
	assert_close(hypergeometric_pmf(2, 3, 7, 5), 105.0 / 252.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_student_quantile),
		cmocka_unit_test(test_student_two_sided),
		cmocka_unit_test(test_normal),
		cmocka_unit_test(test_discrete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
