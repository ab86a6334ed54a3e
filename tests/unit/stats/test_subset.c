/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counting by dynamic programming against enumerating every subset. */
#include "stats/subset.h"

#include <math.h>

#include "test.h"

#include "base/rng.h"
#include "golden.h"

#define ANY_NUMBER SIZE_MAX

/* Enumerates all 2^nr subsets; only those of nr_chosen ranks unless that is ANY_NUMBER. */
static double enumerated_p(const int64_t *ranks, size_t nr, size_t nr_chosen, int64_t sum)
{
	double lower = 0.0;
	double upper = 0.0;
	double total = 0.0;

	for (unsigned int mask = 0; mask < 1U << nr; mask++) {
		int64_t subset_sum = 0;

		if (nr_chosen != ANY_NUMBER && (size_t)__builtin_popcount(mask) != nr_chosen)
			continue;
		for (size_t i = 0; i < nr; i++)
			subset_sum += mask & (1U << i) ? ranks[i] : 0;
		total += 1.0;
		lower += subset_sum <= sum;
		upper += subset_sum >= sum;
	}
	return fmin(1.0, 2.0 * fmin(lower, upper) / total);
}

/* Ranks that come in no order, with ties; the sum belongs to their first nr_chosen. */
static int64_t random_ranks(struct rng *rng, int64_t *ranks, size_t nr, size_t nr_chosen)
{
	int64_t sum = 0;

	for (size_t i = 0; i < nr; i++) {
		ranks[i] = 3 + 2 * (int64_t)rng_below(rng, 12);
		sum += i < nr_chosen ? ranks[i] : 0;
	}
	return sum;
}

static void test_fixed_number(void **state)
{
	struct rng rng;

	(void)state;
	rng_init(&rng, 3);
	for (size_t round = 0; round < 300; round++) {
		int64_t ranks[12];
		size_t nr = 2 + rng_below(&rng, 11);
		size_t nr_chosen = 1 + rng_below(&rng, nr);
		int64_t sum = random_ranks(&rng, ranks, nr, nr_chosen);

		assert_close(subset_sum_p(ranks, nr, nr_chosen, sum),
			     enumerated_p(ranks, nr, nr_chosen, sum));
	}
}

static void test_any_number(void **state)
{
	struct rng rng;

	(void)state;
	rng_init(&rng, 4);
	for (size_t round = 0; round < 300; round++) {
		int64_t ranks[12];
		size_t nr = 1 + rng_below(&rng, 12);
		int64_t sum = random_ranks(&rng, ranks, nr, rng_below(&rng, nr + 1));

		assert_close(sign_sum_p(ranks, nr, sum), enumerated_p(ranks, nr, ANY_NUMBER, sum));
	}
}

static void test_all_equal(void **state)
{
	static const int64_t ranks[] = { 7, 7, 7, 7, 7, 7 };

	(void)state;
	assert_close(subset_sum_p(ranks, 6, 3, 21), 1.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed_number),
		cmocka_unit_test(test_any_number),
		cmocka_unit_test(test_all_equal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
