/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Posterior of a noisy bisection: a recorded search step by step, merging, ties, and its scale. */
#include "analysis/posterior.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"
#include "golden.h"

static void check_posterior(const struct posterior *posterior, const json_t *expected)
{
	assert_int_equal(posterior->nr_testable - 1, json_array_size(expected));
	for (size_t i = 0; i < json_array_size(expected); i++)
		assert_close(posterior->hypotheses[i].probability, golden_item(expected, i));
}

static void add_all(struct posterior *posterior, const struct classes *classes, size_t position,
		    const double *values, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		posterior_add(posterior, position, classes_find(classes, values[i]));
}

static void test_golden_steps(void **state)
{
	json_t *root = golden_load();
	json_t *bisect = golden_get(root, "bisect");
	json_t *steps = golden_get(bisect, "steps");
	size_t last = golden_size(bisect, "N");
	CLEANUP(posterior) struct posterior posterior = { .counts = NULL };
	struct classes classes;
	const struct search_hypothesis *best;
	double *good, *bad;
	size_t nr, nr_bad;

	(void)state;
	good = golden_array(root, golden_get(bisect, "good"), &nr);
	bad = golden_array(root, golden_get(bisect, "bad"), &nr_bad);
	assert_int_equal(nr, nr_bad);
	classes_init(&classes, SCALE_RATIO, good, bad, nr);
	assert_close(classes.cuts[1], golden_number(bisect, "mid_log"));
	assert_close(classes.cuts[2] - classes.cuts[1], golden_number(bisect, "w_log"));
	assert_close(classes.cuts[1] - classes.cuts[0], golden_number(bisect, "w_log"));

	posterior_init(&posterior, last);
	for (size_t i = 0; i < json_array_size(golden_get(bisect, "untestable")); i++)
		posterior_remove(&posterior,
				 (size_t)golden_item(golden_get(bisect, "untestable"), i));
	for (size_t i = 0; i < posterior.nr_testable; i++)
		assert_int_equal(posterior.testable[i],
				 golden_item(golden_get(bisect, "positions"), i));
	add_all(&posterior, &classes, 0, good, nr);
	add_all(&posterior, &classes, last, bad, nr);
	for (size_t i = 0; i < json_array_size(steps); i++) {
		const json_t *step = json_array_get(steps, i);
		size_t class_nr = classes_find(&classes, golden_number(step, "value"));

		posterior_update(&posterior);
		check_posterior(&posterior, golden_get(step, "posterior_before"));
		assert_int_equal(posterior_median(&posterior), golden_size(step, "query"));
		assert_int_equal(class_nr, golden_size(step, "bin"));
		posterior_add(&posterior, golden_size(step, "query"), class_nr);
	}
	posterior_update(&posterior);
	check_posterior(&posterior, golden_get(bisect, "final_posterior"));
	best = posterior_best(&posterior);
	assert_int_equal(best->after + 1, golden_item(golden_get(bisect, "culprit_interval"), 0));
	assert_int_equal(best->upto, golden_item(golden_get(bisect, "culprit_interval"), 1));
	free(good);
	free(bad);
	json_decref(root);
}

static void test_nothing_known(void **state)
{
	CLEANUP(posterior) struct posterior posterior = { .counts = NULL };

	(void)state;
	posterior_init(&posterior, 10);
	for (size_t i = 0; i < 10; i++)
		assert_close(posterior.hypotheses[i].probability, 0.1);
	assert_int_equal(posterior_median(&posterior), 5);
	/* one half is as far from 2 of 5 as from 3 of 5: the lower one */
	posterior_remove(&posterior, 5);
	posterior_update(&posterior);
	assert_int_equal(posterior_median(&posterior), 4);
	assert_int_equal(posterior_best(&posterior)->after, 4);
	assert_int_equal(posterior_best(&posterior)->upto, 6);
}

/* Runs of a position that turned out to be untestable say nothing about its neighbours. */
static void test_removed_runs_are_forgotten(void **state)
{
	CLEANUP(posterior) struct posterior with = { .counts = NULL };
	CLEANUP(posterior) struct posterior without = { .counts = NULL };

	(void)state;
	posterior_init(&with, 8);
	posterior_init(&without, 8);
	for (size_t i = 0; i < 8; i++) {
		posterior_add(&with, 0, 3);
		posterior_add(&with, 8, 0);
		posterior_add(&without, 0, 3);
		posterior_add(&without, 8, 0);
		posterior_add(&with, 4, 3);
	}
	posterior_update(&with);
	assert_true(posterior_median(&with) == 6);
	posterior_remove(&with, 4);
	posterior_remove(&without, 4);
	posterior_update(&with);
	posterior_update(&without);
	for (size_t i = 0; i < 7; i++)
		assert_close(with.hypotheses[i].probability, without.hypotheses[i].probability);
}

/* With all runs on one side of what is asked, by the formula itself. */
static void test_formula(void **state)
{
	CLEANUP(posterior) struct posterior posterior = { .counts = NULL };
	double evidence[2], sum;

	(void)state;
	posterior_init(&posterior, 2);
	posterior_add(&posterior, 0, 3);
	posterior_add(&posterior, 1, 2);
	posterior_add(&posterior, 2, 2);
	posterior_update(&posterior);
	/* first bad is 1: {3} | {2, 2}; is 2: {3, 2} | {2} */
	evidence[0] = tgamma(2) / tgamma(5) * tgamma(3) / tgamma(6);
	evidence[1] = tgamma(2) * tgamma(2) / tgamma(6) * tgamma(2) / tgamma(5);
	sum = evidence[0] + evidence[1];
	assert_close(posterior.hypotheses[0].probability, evidence[0] / sum);
	assert_close(posterior.hypotheses[1].probability, evidence[1] / sum);
}

static void test_classes(void **state)
{
	const double good[] = { 100, 100, 100 };
	const double bad[] = { 81, 81, 81 };
	const double points_good[] = { -1, 0, 1 };
	const double points_bad[] = { 9, 10, 11 };
	struct classes classes;

	(void)state;
	classes_init(&classes, SCALE_RATIO, good, bad, 3);
	assert_close(exp(classes.cuts[1]), 90.0);
	assert_int_equal(classes_find(&classes, 80), 0);
	assert_int_equal(classes_find(&classes, 89), 1);
	assert_int_equal(classes_find(&classes, 91), 2);
	assert_int_equal(classes_find(&classes, 101), 3);
	/* without a logarithm: as low as can be */
	assert_int_equal(classes_find(&classes, 0), 0);
	assert_int_equal(classes_find(&classes, -3), 0);
	classes_init(&classes, SCALE_POINTS, points_good, points_bad, 3);
	assert_true(fabs(classes.cuts[0]) < 1e-12);
	assert_close(classes.cuts[1], 5.0);
	assert_close(classes.cuts[2], 10.0);
	assert_int_equal(classes_find(&classes, -0.5), 0);
}

static void test_many_positions(void **state)
{
	CLEANUP(posterior) struct posterior posterior = { .counts = NULL };
	double sum = 0.0;

	(void)state;
	posterior_init(&posterior, 1000000);
	for (size_t i = 0; i < 400; i++) {
		posterior_add(&posterior, 0, 3);
		posterior_add(&posterior, 1000000, 0);
		posterior_add(&posterior, 700000, 0);
		posterior_add(&posterior, 699999, 3);
	}
	posterior_update(&posterior);
	for (size_t i = 0; i + 1 < posterior.nr_testable; i++)
		sum += posterior.hypotheses[i].probability;
	assert_true(fabs(sum - 1.0) < 1e-9);
	assert_int_equal(posterior_best(&posterior)->upto, 700000);
	assert_true(posterior_best(&posterior)->probability > 0.999999);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden_steps),
		cmocka_unit_test(test_nothing_known),
		cmocka_unit_test(test_removed_runs_are_forgotten),
		cmocka_unit_test(test_formula),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_many_positions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
