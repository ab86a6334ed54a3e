/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_align_rank: p of factors and of their interaction, beside values that can be counted. */
#include "stats/align_rank.h"

#include <math.h>

#include "base/rng.h"
#include "test.h"

#define NR_STRATA 3

/* Three strata of two values: 8 orders, of which two are as extreme as all in one direction. */
static void test_main_by_counting(void **state)
{
	struct align_entry entries[NR_STRATA * 2];
	double p;

	(void)state;
	for (size_t i = 0; i < NR_STRATA; i++) {
		entries[2 * i] = (struct align_entry){ i, 0, 100.0 * (double)i };
		entries[2 * i + 1] = (struct align_entry){ i, 1, 100.0 * (double)i + 1 };
	}
	p = align_rank_main_p(entries, NR_STRATA * 2, 2, 1);
	assert_true(fabs(p - 0.25) < 0.03); /* by random orders */
	entries[1].value = -1; /* one of three the other way: every order is as extreme */
	assert_true(align_rank_main_p(entries, NR_STRATA * 2, 2, 1) > 0.99);
}

static void test_main_without_data(void **state)
{
	const struct align_entry lonely[] = { { 0, 0, 1 }, { 1, 1, 2 }, { 2, 0, 3 }, { 3, 1, 9 } };
	const struct align_entry equal[] = { { 0, 0, 5 }, { 0, 1, 5 }, { 1, 0, 7 },
					     { 1, 1, 7 }, { 2, 0, 9 }, { 2, 1, 9 } };

	(void)state;
	assert_true(align_rank_main_p(NULL, 0, 2, 1) == 1.0);
	assert_true(align_rank_main_p(lonely, 4, 2, 1) == 1.0); /* strata of one value */
	assert_true(align_rank_main_p(equal, 6, 2, 1) == 1.0);
	assert_true(align_rank_main_p(equal, 4, 2, 1) == 1.0); /* too few strata */
}

/* Eight tables with the same interaction: of 128 patterns only equal signs are as extreme. */
static void test_interaction_by_counting(void **state)
{
	double tables[8 * 4];
	struct rng rng;

	(void)state;
	rng_init(&rng, 5);
	for (size_t i = 0; i < 8; i++) {
		double block = 1000.0 * (double)i, row = 50.0, column = -7.0;

		tables[4 * i] = block + 3 + rng_double(&rng);
		tables[4 * i + 1] = block + column - 3;
		tables[4 * i + 2] = block + row - 3;
		tables[4 * i + 3] = block + row + column + 3;
	}
	assert_true(align_rank_interaction_p(tables, 8, 2, 2, 1) == 1.0 / 128);
	assert_true(align_rank_smallest_p(8) == 1.0 / 128);
	assert_true(align_rank_interaction_p(tables, 7, 2, 2, 1) == 1.0); /* too few */
	assert_true(align_rank_smallest_p(7) == 1.0);
}

/* Rows, columns and blocks that only add up, to the last bit: nothing is left but rounding. */
static void test_additive_is_nothing(void **state)
{
	double tables[10 * 6];

	(void)state;
	for (size_t i = 0; i < 60; i++)
		tables[i] =
			0.1 * (double)(i / 6) + 0.7 * (double)(i / 3 % 2) + 0.3 * (double)(i % 3);
	assert_true(align_rank_interaction_p(tables, 10, 2, 3, 1) == 1.0);
}

static void test_same_seed_same_p(void **state)
{
	struct align_entry entries[60];
	double tables[20 * 6];
	struct rng rng;

	(void)state;
	rng_init(&rng, 9);
	for (size_t i = 0; i < 60; i++)
		entries[i] = (struct align_entry){ i / 3, i % 3, rng_double(&rng) };
	for (size_t i = 0; i < 120; i++)
		tables[i] = rng_double(&rng);
	assert_true(align_rank_main_p(entries, 60, 3, 7) == align_rank_main_p(entries, 60, 3, 7));
	assert_true(align_rank_interaction_p(tables, 20, 2, 3, 7) ==
		    align_rank_interaction_p(tables, 20, 2, 3, 7));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_main_by_counting),
		cmocka_unit_test(test_main_without_data),
		cmocka_unit_test(test_interaction_by_counting),
		cmocka_unit_test(test_additive_is_nothing),
		cmocka_unit_test(test_same_seed_same_p),
	};

	return cmocka_run_group_tests_name("align_rank", tests, NULL, NULL);
}
