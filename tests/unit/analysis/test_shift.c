/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shift of latency quantiles, the run as the unit. */
#include "analysis/shift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "base/arena.h"
#include "base/rng.h"
#include "stats/hist.h"

static const struct effect_rule five_percent = { .alpha = 0.05, .min_effect = 0.05 };

/* What is planted into the runs of one side. */
struct plant {
	double body; /* factor of all latencies */
	double tail; /* and of those beyond p95 */
	size_t nr_ios;
};

/* Runs whose level varies by 1 % from one to the next. */
static void runs_fill(struct shift_run *runs, size_t nr, const struct plant *plant, uint64_t seed)
{
	CLEANUP(free) struct hist *hist = xcalloc(1, sizeof(*hist));
	struct rng rng;

	rng_init(&rng, seed);
	for (size_t run = 0; run < nr; run++) {
		double level = 1.0 + 0.01 * ((double)rng_below(&rng, 2001) / 1000.0 - 1.0);

		memset(hist, 0, sizeof(*hist));
		for (size_t i = 0; i < plant->nr_ios; i++) {
			double q = ((double)i + 0.5) / (double)plant->nr_ios;
			/* an exponential distribution above 50 us, by its quantiles */
			double ns = 50000.0 * (1.0 - log(1.0 - q)) * plant->body * level;

			hist_record(hist, (uint64_t)(q > 0.95 ? ns * plant->tail : ns));
		}
		shift_run_init(&runs[run], hist);
	}
}

static struct shift compare(const struct plant *a, size_t n, const struct plant *b, size_t m)
{
	struct shift_run runs_a[16], runs_b[16];
	struct shift_sample sample_a = { runs_a, n }, sample_b = { runs_b, m };
	struct shift shift;

	runs_fill(runs_a, n, a, 1);
	runs_fill(runs_b, m, b, 2);
	shift_compare(&five_percent, &sample_a, &sample_b, &shift);
	return shift;
}

static const struct plant plain = { 1.0, 1.0, 40000 };

static void test_no_shift(void **state)
{
	struct shift shift = compare(&plain, 8, &plain, 8);

	(void)state;
	assert_int_equal(shift.finding, SHIFT_NONE);
	for (size_t i = 0; i < SHIFT_NR_QUANTILES; i++) {
		assert_true(shift.rows[i].is_present);
		assert_int_equal(shift.rows[i].verdict, VERDICT_NO_DIFFERENCE);
		assert_true(shift.rows[i].comparison.adjusted_p >=
			    shift.rows[i].comparison.decision.p);
	}
}

static void test_only_the_tail(void **state)
{
	struct plant slow_tail = { 1.0, 1.5, 40000 };
	struct shift shift = compare(&plain, 8, &slow_tail, 8);

	(void)state;
	assert_int_equal(shift.finding, SHIFT_TAIL_ONLY);
	assert_int_equal(shift.rows[2].verdict, VERDICT_NO_DIFFERENCE); /* p50 */
	assert_int_equal(shift.rows[6].verdict, VERDICT_REGRESSION);	/* p99 */
	assert_true(fabs(shift.rows[6].comparison.decision.effect - 1.5) < 0.03);
}

static void test_everything(void **state)
{
	struct plant faster = { 0.8, 1.0, 40000 };
	struct shift shift = compare(&plain, 8, &faster, 8);

	(void)state;
	assert_int_equal(shift.finding, SHIFT_WHOLE);
	assert_int_equal(shift.rows[0].verdict, VERDICT_IMPROVEMENT);
	assert_true(fabs(shift.rows[0].comparison.decision.effect - 0.8) < 0.03);
}

static void test_crossed(void **state)
{
	struct plant fast_body_slow_tail = { 0.8, 2.0, 40000 };
	struct shift shift = compare(&plain, 8, &fast_body_slow_tail, 8);

	(void)state;
	assert_int_equal(shift.finding, SHIFT_CROSSED);
}

/* p99.9 needs 30000 I/Os in a run. */
static void test_too_few_ios(void **state)
{
	struct plant enough = { 1.0, 1.0, 30000 }, short_by_one = { 1.0, 1.0, 29999 };
	struct shift both = compare(&enough, 5, &enough, 5);
	struct shift one = compare(&enough, 5, &short_by_one, 5);

	(void)state;
	assert_true(both.rows[7].is_present);
	assert_int_equal(both.rows[7].nr_few, 0);
	assert_false(one.rows[7].is_present);
	assert_int_equal(one.rows[7].nr_few, 5);
	assert_true(one.rows[6].is_present);
}

/* The layout of the histogram cannot show less than 1.6 %. */
static void test_interval_is_as_wide_as_the_resolution(void **state)
{
	struct shift shift = compare(&plain, 10, &plain, 10);

	(void)state;
	for (size_t i = 0; i < SHIFT_NR_QUANTILES; i++) {
		const struct decision *decision = &shift.rows[i].comparison.decision;

		assert_true(decision->interval.hi >=
			    decision->effect / (1.0 - HIST_RESOLUTION) - 1e-9);
		assert_true(decision->interval.lo <=
			    decision->effect * (1.0 - HIST_RESOLUTION) + 1e-9);
	}
}

static void test_few_runs_have_no_verdict(void **state)
{
	struct plant slow = { 2.0, 1.0, 40000 };
	struct shift shift = compare(&plain, 1, &slow, 1);
	struct shift empty = compare(&plain, 0, &slow, 3);

	(void)state;
	assert_int_equal(shift.finding, SHIFT_UNTESTED);
	assert_true(shift.rows[2].is_present);
	assert_false(shift.rows[2].comparison.decision.is_tested);
	assert_true(fabs(shift.rows[2].comparison.decision.effect - 2.0) < 0.05);
	assert_int_equal(empty.finding, SHIFT_UNTESTED);
	assert_false(empty.rows[2].is_present);
}

/* Holm over eight: 5 + 5 runs can reach p = 0.0079, times 8 is more than 0.05. */
static void test_number_of_quantiles_counts(void **state)
{
	struct plant slow_tail = { 1.0, 1.5, 40000 };
	struct shift five = compare(&plain, 5, &slow_tail, 5);
	struct shift seven = compare(&plain, 7, &slow_tail, 7);

	(void)state;
	assert_int_equal(five.finding, SHIFT_NONE);
	assert_int_equal(five.rows[6].verdict, VERDICT_UNDECIDED);
	assert_int_equal(seven.finding, SHIFT_TAIL_ONLY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_shift),
		cmocka_unit_test(test_only_the_tail),
		cmocka_unit_test(test_everything),
		cmocka_unit_test(test_crossed),
		cmocka_unit_test(test_too_few_ios),
		cmocka_unit_test(test_interval_is_as_wide_as_the_resolution),
		cmocka_unit_test(test_few_runs_have_no_verdict),
		cmocka_unit_test(test_number_of_quantiles_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
