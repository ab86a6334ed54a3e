/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unsteady: how often clean runs are called so, and how often those that are; by simulation. */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "caveat/caveat.h"
#include "planted.h"
#include "test.h"

#define NR_RUNS 1000
#define NR_WINDOWS 100 /* of ten seconds */

/* Rate over the run, from 0 to 1, against a steady one. */
typedef double (*rate_shape)(double at);

static double steady(double at)
{
	(void)at;
	return 1.0;
}

static double falling(double at)
{
	return 1.0 - 0.3 * at;
}

/* 40 % slower at first, settled after some seconds. */
static double warm_up(double at)
{
	return 1.0 - 0.4 * exp(-at / 0.05);
}

/* An SSD that runs out of erased blocks in the middle. */
static double cliff(double at)
{
	return at < 0.55 ? 1.0 : 0.5;
}

static double normal_deviate(struct rng *rng)
{
	return sqrt(-2.0 * log(1.0 - rng_double(rng))) * cos(2.0 * M_PI * rng_double(rng));
}

/* correlation: of neighbouring windows. */
static bool is_unsteady(rate_shape shape, double cv, double correlation, struct rng *rng)
{
	CLEANUP(result) struct result result = { .label = NULL };
	struct timeline *timeline;
	double count = 0, noise = normal_deviate(rng);

	planted_result(&result);
	timeline = &result.timelines[0];
	*timeline = (struct timeline){ .nr = 0 };
	timeline_add(timeline, 0, 0);
	for (unsigned i = 1; i <= NR_WINDOWS; i++) {
		noise = correlation * noise +
			sqrt(1 - correlation * correlation) * normal_deviate(rng);
		count += 10000 * shape((i - 0.5) / NR_WINDOWS) * fmax(1 + cv * noise, 0);
		timeline_add(timeline, i * 100000, (uint64_t)count);
	}
	caveats_attach(&result);
	for (size_t i = 0; i < result.notes.nr; i++)
		assert_int_equal(result.notes.items[i].id, NOTE_UNSTEADY);
	return result.notes.nr > 0;
}

static double share_unsteady(rate_shape shape, double cv, double correlation)
{
	struct rng rng;
	unsigned nr = 0;

	rng_init(&rng, 4711);
	for (unsigned i = 0; i < NR_RUNS; i++)
		nr += is_unsteady(shape, cv, correlation, &rng);
	return (double)nr / NR_RUNS;
}

static void test_clean_runs(void **state)
{
	(void)state;
	assert_true(share_unsteady(steady, 0.02, 0) == 0);
	assert_true(share_unsteady(steady, 0.1, 0) < 0.002);
	assert_true(share_unsteady(steady, 0.3, 0) < 0.005);
	/* waves of some windows, as of a flusher or a garbage collector */
	assert_true(share_unsteady(steady, 0.05, 0.8) < 0.01);
	assert_true(share_unsteady(steady, 0.1, 0.8) < 0.02);
}

static void test_a_short_warm_up_is_no_matter(void **state)
{
	(void)state;
	assert_true(share_unsteady(warm_up, 0.05, 0) < 0.01);
}

static void test_runs_that_do_not_settle(void **state)
{
	(void)state;
	assert_true(share_unsteady(falling, 0.05, 0) > 0.9);
	assert_true(share_unsteady(cliff, 0.1, 0) > 0.95);
	assert_true(share_unsteady(falling, 0.05, 0.5) > 0.7);
}

static void test_short_runs_say_nothing(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };
	struct timeline *timeline;

	(void)state;
	planted_result(&result);
	timeline = &result.timelines[0];
	*timeline = (struct timeline){ .nr = 0 };
	for (unsigned i = 0; i <= 39; i++)
		timeline_add(timeline, i * 100000, i < 20 ? 1000 * i : 20000);
	assert_silent(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clean_runs),
		cmocka_unit_test(test_a_short_warm_up_is_no_matter),
		cmocka_unit_test(test_runs_that_do_not_settle),
		cmocka_unit_test(test_short_runs_say_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
