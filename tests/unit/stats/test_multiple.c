/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holm and Benjamini-Hochberg adjustment against the golden file. */
#include "stats/multiple.h"

#include <stdlib.h>

#include "test.h"
#include "golden.h"

static void test_matches_golden(void **state)
{
	json_t *root = golden_load();
	json_t *row = golden_get(root, "multiple");
	double adjusted[32];
	size_t nr;
	double *p = golden_array(root, golden_get(row, "p"), &nr);

	(void)state;
	assert_true(nr > 0 && nr <= 32);
	multiple_holm(p, nr, adjusted);
	for (size_t i = 0; i < nr; i++)
		assert_close(adjusted[i], golden_item(golden_get(row, "holm"), i));
	multiple_benjamini_hochberg(p, nr, adjusted);
	for (size_t i = 0; i < nr; i++)
		assert_close(adjusted[i], golden_item(golden_get(row, "bh"), i));
	free(p);
	json_decref(root);
}

static void test_in_place_and_empty(void **state)
{
	double p[] = { 0.04, 0.01 };

	(void)state;
	multiple_holm(p, 0, p);
	multiple_holm(p, 2, p);
	assert_close(p[0], 0.04);
	assert_close(p[1], 0.02);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matches_golden),
		cmocka_unit_test(test_in_place_and_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
