/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells of guests whose clock has no noise: judged by ranges over seeds, not by tests. */
#include <math.h>
#include <string.h>

#include "analysis/matrix_answer.h"
#include "analysis/matrix_words.h"
#include "base/strbuf.h"
#include "test.h"

#define NR_SEEDS 3

static const char *const schedulers[] = { "none", "bfq" };
static const char *const engines[] = { "psync", "libaio" };
static const struct matrix_factor factors[] = {
	{ "scheduler", schedulers, 2 },
	{ "ioengine", engines, 2 },
};
static const size_t levels[4][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 1 } };

/* By scheduler and engine: only bfq with psync is slower, by 2 %; seeds move a value by 0.1 %. */
static const double base[4][NR_SEEDS] = {
	{ 1000, 1001, 1000 }, { 2000, 2000, 2002 }, { 500, 500.5, 500 }, { 700, 700, 700 }
};
static const double new[4][NR_SEEDS] = {
	{ 1001, 1000, 1000 }, { 2001, 2000, 2000 }, { 490, 490.5, 490 }, { 700.5, 700, 700 }
};

struct judged {
	struct matrix_input_cell cells[4];
	struct matrix_input input;
	struct matrix_answer answer;
};

static void judged_release(struct judged *judged)
{
	matrix_answer_release(&judged->answer);
}
CLEANUP_DEFINE(judged, struct judged, judged_release)

static void judge(struct judged *judged, bool is_compared, size_t nr_seeds)
{
	for (size_t i = 0; i < 4; i++)
		judged->cells[i] = (struct matrix_input_cell){
			.levels = levels[i],
			.base = base[i],
			.new = is_compared ? new[i] : NULL,
			.nr_blocks = nr_seeds,
		};
	judged->input = (struct matrix_input){
		.factors = factors,
		.nr_factors = 2,
		.cells = judged->cells,
		.nr_cells = 4,
		.rule = { .alpha = 0.05, .min_effect = 0.003 },
		.polarity = POLARITY_HIGHER_IS_BETTER,
		.is_compared = is_compared,
		.is_virtual = true,
	};
	matrix_answer_init(&judged->answer, &judged->input);
}

static void test_cells(void **state)
{
	CLEANUP(judged) struct judged judged = { .answer = { .cells = NULL } };
	const struct matrix_answer *answer = &judged.answer;
	CLEANUP(matrix_groups) struct matrix_groups groups = { .nr = 0 };
	CLEANUP(strbuf) struct strbuf sentence = STRBUF_INIT;

	(void)state;
	judge(&judged, true, NR_SEEDS);
	assert_int_equal(answer->cells[0].verdict, VERDICT_NO_DIFFERENCE);
	assert_int_equal(answer->cells[1].verdict, VERDICT_NO_DIFFERENCE);
	assert_int_equal(answer->cells[2].verdict, VERDICT_REGRESSION);
	assert_int_equal(answer->cells[3].verdict, VERDICT_NO_DIFFERENCE);
	assert_int_equal(answer->verdict, VERDICT_REGRESSION);
	assert_int_equal(answer->nr_repeats_needed, 0);
	assert_true(fabs(answer->cells[2].comparison.decision.effect - 0.98) < 1e-9);
	assert_true(fabs(answer->cells[2].noise - 0.5 / 490) < 1e-9);
	matrix_groups_init(&groups, &judged.input, answer);
	matrix_sentence(&judged.input, answer, &groups, &sentence);
	assert_non_null(strstr(strbuf_str(&sentence), "regression with "));
	assert_non_null(strstr(strbuf_str(&sentence), "scheduler bfq"));
}

/* Both factors: the effect of bfq is another one with psync. */
static void test_depends(void **state)
{
	CLEANUP(judged) struct judged judged = { .answer = { .cells = NULL } };
	const struct matrix_answer *answer = &judged.answer;
	CLEANUP(strbuf) struct strbuf sentence = STRBUF_INIT;

	(void)state;
	judge(&judged, true, NR_SEEDS);
	assert_int_equal(answer->nr_tests, 2);
	matrix_depends_sentence(&judged.input, answer, &sentence);
	assert_string_equal(strbuf_str(&sentence), "depends on scheduler, ioengine");
}

/* Nothing compared: the values themselves, each level against the first over all else. */
static void test_levels(void **state)
{
	CLEANUP(judged) struct judged judged = { .answer = { .cells = NULL } };
	const struct matrix_answer *answer = &judged.answer;

	(void)state;
	judge(&judged, false, NR_SEEDS);
	assert_int_equal(answer->nr_levels, 2);
	assert_int_equal(answer->levels[0].nr, 2 * NR_SEEDS);
	assert_true(answer->levels[0].interval.lo > 0.34 && answer->levels[0].interval.lo < 0.36);
	assert_true(answer->levels[0].interval.hi > 0.49 && answer->levels[0].interval.hi < 0.51);
	assert_int_equal(answer->tests[0].is_tested, true);
}

/* One seed says nothing of what another one changes. */
static void test_one_seed(void **state)
{
	CLEANUP(judged) struct judged judged = { .answer = { .cells = NULL } };
	const struct matrix_answer *answer = &judged.answer;

	(void)state;
	judge(&judged, true, 1);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(answer->cells[i].state, MATRIX_TOO_FEW);
	assert_int_equal(answer->verdict, VERDICT_UNDECIDED);
}

/* A counter that was nothing before: no ratio, but a change. */
static void test_from_nothing(void **state)
{
	static const double none[NR_SEEDS] = { 0, 0, 0 };
	static const double some[NR_SEEDS] = { 5, 6, 5 };
	const struct matrix_input_cell cell = {
		.levels = levels[0], .base = none, .new = some, .nr_blocks = NR_SEEDS
	};
	CLEANUP(matrix_answer) struct matrix_answer answer = { .cells = NULL };
	const struct matrix_input input = {
		.cells = &cell,
		.nr_cells = 1,
		.rule = { .min_effect = 0.003 },
		.polarity = POLARITY_LOWER_IS_BETTER,
		.is_compared = true,
		.is_virtual = true,
	};

	(void)state;
	matrix_answer_init(&answer, &input);
	assert_int_equal(answer.cells[0].verdict, VERDICT_REGRESSION);
	assert_int_equal(answer.cells[0].comparison.decision.scale, SCALE_POINTS);
	assert_true(answer.cells[0].comparison.decision.effect == 5);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cells),	     cmocka_unit_test(test_depends),
		cmocka_unit_test(test_levels),	     cmocka_unit_test(test_one_seed),
		cmocka_unit_test(test_from_nothing),
	};

	return cmocka_run_group_tests_name("matrix_virtual", tests, NULL, NULL);
}
