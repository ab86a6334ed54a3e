/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Error rates of the answer of a matrix, by simulation with fixed seeds. */
#include "analysis/matrix_answer.h"
#include "analysis/matrix_words.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "noise.h"
#include "test.h"

#define NR_ROWS 3
#define NR_COLUMNS 4
#define NR_CELLS (NR_ROWS * NR_COLUMNS)
#define NR_BLOCKS 8
#define NR_MATRICES 200

static const char *const filesystems[NR_ROWS] = { "btrfs", "ext4", "xfs" };
static const char *const schedulers[NR_COLUMNS] = { "none", "mq-deadline", "kyber", "bfq" };

/* A matrix of made-up runs: the noise of each row, and the true ratio of each cell. */
struct made {
	size_t levels[NR_CELLS][2];
	double base[NR_CELLS][NR_BLOCKS], new[NR_CELLS][NR_BLOCKS];
	struct matrix_input_cell cells[NR_CELLS];
	struct matrix_factor factors[2];
	struct matrix_input input;
};

static void make(struct made *made, const double cv[NR_ROWS], const double ratios[NR_CELLS],
		 uint64_t seed)
{
	struct rng rng;

	rng_init(&rng, seed);
	for (size_t i = 0; i < NR_CELLS; i++) {
		const struct noise noise = { .shape = NOISE_LOGNORMAL, .cv = cv[i / NR_COLUMNS] };

		made->levels[i][0] = i / NR_COLUMNS;
		made->levels[i][1] = i % NR_COLUMNS;
		for (size_t j = 0; j < NR_BLOCKS; j++) {
			made->base[i][j] = noise_run(&noise, 0, &rng);
			made->new[i][j] = ratios[i] * noise_run(&noise, 0, &rng);
		}
		made->cells[i] = (struct matrix_input_cell){ .levels = made->levels[i],
							     .base = made->base[i],
							     .new = made->new[i],
							     .nr_blocks = NR_BLOCKS };
	}
	made->factors[0] = (struct matrix_factor){ "fs", filesystems, NR_ROWS };
	made->factors[1] = (struct matrix_factor){ "scheduler", schedulers, NR_COLUMNS };
	made->input = (struct matrix_input){
		.factors = made->factors,
		.nr_factors = 2,
		.cells = made->cells,
		.nr_cells = NR_CELLS,
		.rule = { .alpha = 0.05, .min_effect = 0.05 },
		.polarity = POLARITY_HIGHER_IS_BETTER,
		.is_compared = true,
		.seed = seed,
	};
}

static const double equal[NR_ROWS] = { 0.05, 0.05, 0.05 };
static const double noisy_row[NR_ROWS] = { 0.05, 0.17, 0.05 };
static const double no_effect[NR_CELLS] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };

struct rates {
	double any_cell; /* share of the matrices with any alarm */
	double any_test; /* .. in which any factor is said to matter */
};

static struct rates simulate(const double cv[NR_ROWS], uint64_t seed)
{
	struct rates rates = { .any_cell = 0 };

	for (size_t i = 0; i < NR_MATRICES; i++) {
		CLEANUP(matrix_answer) struct matrix_answer answer = { .cells = NULL };
		bool has_cell = false, has_test = false;
		struct made made;

		make(&made, cv, no_effect, seed + i);
		matrix_answer_init(&answer, &made.input);
		for (size_t j = 0; j < NR_CELLS; j++)
			has_cell |= answer.cells[j].verdict == VERDICT_REGRESSION ||
				    answer.cells[j].verdict == VERDICT_IMPROVEMENT;
		for (size_t j = 0; j < answer.nr_tests; j++)
			has_test |= answer.tests[j].adjusted_p <= 0.05;
		rates.any_cell += has_cell ? 1.0 / NR_MATRICES : 0;
		rates.any_test += has_test ? 1.0 / NR_MATRICES : 0;
	}
	printf("# any cell %.3f, any factor %.3f\n", rates.any_cell, rates.any_test);
	return rates;
}

/* At most 5 % of the matrices, within three standard errors of the simulation. */
static void assert_at_most_alpha(double share)
{
	assert_true(share <= 0.05 + 3 * sqrt(0.05 * 0.95 / NR_MATRICES));
}

static void test_false_alarms(void **state)
{
	struct rates same = simulate(equal, 1000);
	struct rates noisy = simulate(noisy_row, 2000);

	(void)state;
	assert_at_most_alpha(same.any_cell);
	assert_at_most_alpha(same.any_test);
	assert_at_most_alpha(noisy.any_cell);
	assert_at_most_alpha(noisy.any_test);
}

/* The group of the regressions is the planted cell alone, by its two conditions. */
static bool is_attributed(const struct made *made, size_t planted)
{
	CLEANUP(matrix_answer) struct matrix_answer answer = { .cells = NULL };
	CLEANUP(matrix_groups) struct matrix_groups groups = { .nr = 0 };
	CLEANUP(strbuf) struct strbuf sentence = STRBUF_INIT;
	size_t nr_regressions = 0;

	matrix_answer_init(&answer, &made->input);
	matrix_groups_init(&groups, &made->input, &answer);
	matrix_sentence(&made->input, &answer, &groups, &sentence);
	for (size_t i = 0; i < NR_CELLS; i++) {
		enum verdict verdict = answer.cells[i].verdict;

		if (verdict == VERDICT_IMPROVEMENT ||
		    (verdict == VERDICT_REGRESSION && i != planted))
			return false;
		nr_regressions += verdict == VERDICT_REGRESSION;
	}
	/* factors in the order of their strength */
	return nr_regressions == 1 && groups.items[0].nr_cells == 1 &&
	       groups.items[0].cells[0] == planted &&
	       !strncmp(strbuf_str(&sentence), "regression with ", 16) &&
	       strstr(strbuf_str(&sentence), "scheduler mq-deadline") &&
	       strstr(strbuf_str(&sentence), "fs btrfs");
}

static void test_planted(void **state)
{
	double ratios[NR_CELLS];
	const size_t planted = 1; /* btrfs, mq-deadline */
	size_t nr_right = 0;

	(void)state;
	memcpy(ratios, no_effect, sizeof(ratios));
	ratios[planted] = 0.7;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct made made;

		make(&made, noisy_row, ratios, seed);
		nr_right += is_attributed(&made, planted);
	}
	printf("# attributed to its cell and no other in %zu of 20\n", nr_right);
	assert_int_equal(nr_right, 20);
}

/* A whole column: the factor is found, and the words name it without the other factor. */
static void test_column(void **state)
{
	CLEANUP(matrix_answer) struct matrix_answer answer = { .cells = NULL };
	CLEANUP(matrix_groups) struct matrix_groups groups = { .nr = 0 };
	CLEANUP(strbuf) struct strbuf words = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf depends = STRBUF_INIT;
	double ratios[NR_CELLS];
	struct made made;

	(void)state;
	for (size_t i = 0; i < NR_CELLS; i++)
		ratios[i] = i % NR_COLUMNS == 3 ? 0.6 : 1.0;
	make(&made, equal, ratios, 77);
	matrix_answer_init(&answer, &made.input);
	matrix_groups_init(&groups, &made.input, &answer);
	assert_int_equal(answer.order[0], 1);
	matrix_group_conditions(&made.input, &answer, &groups.items[0], &words);
	assert_string_equal(strbuf_str(&words), "scheduler bfq");
	matrix_depends_sentence(&made.input, &answer, &depends);
	assert_non_null(strstr(strbuf_str(&depends), "depends on scheduler (p "));
	assert_non_null(strstr(strbuf_str(&depends), "no dependence found on fs"));
}

/* Four runs are too few for any cell, and the answer says how many it takes. */
static void test_too_few(void **state)
{
	CLEANUP(matrix_answer) struct matrix_answer answer = { .cells = NULL };
	CLEANUP(matrix_groups) struct matrix_groups groups = { .nr = 0 };
	CLEANUP(strbuf) struct strbuf sentence = STRBUF_INIT;
	struct made made;

	(void)state;
	make(&made, equal, no_effect, 5);
	for (size_t i = 0; i < NR_CELLS; i++)
		made.cells[i].nr_blocks = 4;
	matrix_answer_init(&answer, &made.input);
	matrix_groups_init(&groups, &made.input, &answer);
	matrix_sentence(&made.input, &answer, &groups, &sentence);
	assert_string_equal(strbuf_str(&sentence), "too few runs everywhere (4 of at least 5)");
	assert_int_equal(answer.nr_repeats_needed, 6); /* 12 * 2 / C(12, 6) is below 0.05 */
	assert_int_equal(answer.verdict, VERDICT_UNDECIDED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_false_alarms),
		cmocka_unit_test(test_planted),
		cmocka_unit_test(test_column),
		cmocka_unit_test(test_too_few),
	};

	return cmocka_run_group_tests_name("matrix_rates", tests, NULL, NULL);
}
