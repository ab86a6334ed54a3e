/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fisher's exact test against the golden file. */
#include "stats/fisher.h"

#include <stdlib.h>

#include "test.h"
#include "golden.h"

static void test_matches_golden(void **state)
{
	json_t *root = golden_load();
	json_t *row;
	size_t i;

	(void)state;
	json_array_foreach(golden_get(root, "fisher"), i, row)
	{
		size_t nr;
		double *t = golden_array(root, golden_get(row, "table"), &nr);

		assert_int_equal(nr, 4);
		assert_golden(fisher_p((size_t)t[0], (size_t)(t[0] + t[1]), (size_t)t[2],
				       (size_t)(t[2] + t[3])),
			      row, "p");
		free(t);
	}
	assert_true(i > 0);
	json_decref(root);
}

static void test_margins_that_leave_one_table(void **state)
{
	(void)state;
	assert_close(fisher_p(0, 5, 0, 5), 1.0);
	assert_close(fisher_p(5, 5, 5, 5), 1.0);
	assert_close(fisher_p(0, 0, 3, 5), 1.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matches_golden),
		cmocka_unit_test(test_margins_that_leave_one_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
