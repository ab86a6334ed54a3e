/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often a noisy bisection names the right change, a wrong one, or none, and what it costs, by
 * simulated searches. What is expected was worked out with 1500 searches a cell by a program
 * of its own; seeds are fixed, so a result never changes by chance.
 */
#include "analysis/search.h"

#include <math.h>

#include "noise.h"
#include "test.h"

struct cell {
	struct noise noise;
	double effect; /* share by which the runs from the change on are slower */
	size_t last;
	size_t nr_searches;
	/* What is stated, in per cent: of all, then of those that were reproducible. */
	double not_reproducible;
	double correct;
	double wrong;
	double mean_runs; /* of the search itself */
};

#define EXPECTED_SEARCHES 1500

struct tally {
	size_t nr;
	size_t nr_not_reproducible;
	size_t nr_correct;
	size_t nr_wrong;
	size_t nr_wrong_confirmed;
	size_t nr_confirmed;
	double search_runs; /* sums */
	double search_runs_squared;
	double confirm_runs;
};

struct world {
	const struct cell *cell;
	size_t first_bad;
	size_t second_bad; /* another change of the same size; SIZE_MAX: none */
	struct rng *rng;
	bool drifts;
	double level; /* of the machine now, as a logarithm */
};

/* The machine's own speed wanders by 5 %: runs next to each other share it, the twentieth does
 * not. */
static void drift(struct world *world)
{
	const double spread = 0.05, memory = 0.95;
	double step = sqrt(3.0) * (2.0 * rng_double(world->rng) - 1.0); /* variance 1 */

	world->level = memory * world->level + spread * sqrt(1.0 - memory * memory) * step;
}

static double measure(struct world *world, size_t position)
{
	double value = noise_run(&world->cell->noise, 0, world->rng) * exp(world->level);

	if (world->drifts)
		drift(world);
	if (position >= world->first_bad)
		value *= 1.0 - world->cell->effect;
	if (position >= world->second_bad)
		value *= 1.0 - world->cell->effect;
	return value;
}

static struct search_answer search_run(const struct search_options *options, struct world *world)
{
	CLEANUP(search) struct search *search = NULL;
	struct search_answer answer;
	struct search_step step;

	assert_int_equal(search_new(options, &search, NULL), 0);
	for (search_next(search, &step); step.phase != SEARCH_DONE; search_next(search, &step))
		assert_int_equal(
			search_add(search, step.position, measure(world, step.position), NULL), 0);
	search_answer(search, &answer);
	return answer;
}

static void tally_add(struct tally *tally, const struct search_answer *answer, size_t first_bad)
{
	bool is_right = answer->first_bad == first_bad;
	double nr_runs = (double)answer->nr_search_runs;

	tally->nr++;
	if (answer->state == SEARCH_NOT_REPRODUCIBLE || answer->state == SEARCH_OPPOSITE) {
		tally->nr_not_reproducible++;
		return;
	}
	tally->search_runs += nr_runs;
	tally->search_runs_squared += nr_runs * nr_runs;
	tally->confirm_runs += (double)answer->nr_confirm_runs;
	if (answer->state != SEARCH_FOUND)
		return;
	tally->nr_correct += is_right;
	tally->nr_wrong += !is_right;
	tally->nr_confirmed += answer->is_confirmed;
	tally->nr_wrong_confirmed += answer->is_confirmed && !is_right;
}

static double percent(size_t nr, size_t nr_all)
{
	return nr_all ? 100.0 * (double)nr / (double)nr_all : 0.0;
}

enum course {
	ONCE,		/* the method as its rates were worked out */
	ONCE_CONFIRMED, /* with the confirmation in the end */
	USUAL,		/* looks at the ends again, and begins anew after a failed confirmation */
};

static struct search_options options_of(enum course course)
{
	struct search_options options = SEARCH_OPTIONS_INIT;

	if (course == USUAL)
		return options;
	options.nr_anchor_runs = 0;
	options.max_restarts = 0;
	if (course == ONCE)
		options.max_confirm_pairs = 0;
	return options;
}

static struct tally cell_run(const struct cell *cell, enum course course, bool drifts,
			     uint64_t seed)
{
	struct search_options options = options_of(course);
	struct tally tally = { .nr = 0 };
	struct rng rng;
	size_t nr_searched;

	rng_init(&rng, seed);
	options.last = cell->last;
	options.direction = FINDING_LOWER;
	for (size_t i = 0; i < cell->nr_searches; i++) {
		struct world world = { .cell = cell,
				       .first_bad = 1 + rng_below(&rng, cell->last),
				       .second_bad = SIZE_MAX,
				       .rng = &rng,
				       .drifts = drifts };
		struct search_answer answer;

		options.seed = rng_next(&rng);
		answer = search_run(&options, &world);
		tally_add(&tally, &answer, world.first_bad);
	}
	nr_searched = tally.nr - tally.nr_not_reproducible;
	printf("# %s, -%.0f %%, N = %zu: not reproducible %.1f %%; correct %.1f, wrong %.1f %%, "
	       "%.1f runs; confirmed %.1f %% in %.1f runs, wrong and confirmed %zu\n",
	       cell->noise.name, 100.0 * cell->effect, cell->last,
	       percent(tally.nr_not_reproducible, tally.nr), percent(tally.nr_correct, nr_searched),
	       percent(tally.nr_wrong, nr_searched), tally.search_runs / (double)nr_searched,
	       percent(tally.nr_confirmed, nr_searched), tally.confirm_runs / (double)nr_searched,
	       tally.nr_wrong_confirmed);
	return tally;
}

/* Three standard errors of the difference of two simulated shares, in points; at least what
 * one search is worth, for shares near 0 and 100 %. */
static double tolerance(double expected, size_t nr)
{
	double share = expected / 100.0;
	double variance = share * (1.0 - share) * (1.0 / (double)nr + 1.0 / EXPECTED_SEARCHES);

	return 3.0 * 100.0 * sqrt(variance) + 100.0 / (double)nr;
}

static void assert_percent(size_t nr_hits, size_t nr, double expected)
{
	assert_true(fabs(percent(nr_hits, nr) - expected) <= tolerance(expected, nr));
}

static void check_cell(const struct cell *cell, uint64_t seed)
{
	struct tally tally = cell_run(cell, ONCE, false, seed);
	size_t nr = tally.nr - tally.nr_not_reproducible;
	double mean = tally.search_runs / (double)nr;
	double variance = tally.search_runs_squared / (double)nr - mean * mean;
	/* the stated mean is rounded, and one of a simulation, too */
	double mean_tolerance =
		0.5 + 3.0 * sqrt(variance * (1.0 / (double)nr + 1.0 / EXPECTED_SEARCHES));

	assert_percent(tally.nr_not_reproducible, tally.nr, cell->not_reproducible);
	assert_percent(tally.nr_correct, nr, cell->correct);
	assert_percent(tally.nr_wrong, nr, cell->wrong);
	assert_true(fabs(mean - cell->mean_runs) <= mean_tolerance);
}

#define LN(percent)                                                                                \
	{                                                                                          \
		.name = "ln-" #percent, .shape = NOISE_LOGNORMAL, .cv = percent / 100.0            \
	}
#define LEFT_TAIL                                                                                  \
	{                                                                                          \
		.name = "left-tail", .shape = NOISE_LEFT_TAIL                                      \
	}
#define FAST_MODE                                                                                  \
	{                                                                                          \
		.name = "fast-mode", .shape = NOISE_FAST_MODE                                      \
	}

static void test_easy_cells(void **state)
{
	const struct cell cells[] = {
		{ LN(5), 0.10, 128, 600, 0, 99.7, 0.3, 28 },
		{ LN(5), 0.30, 1024, 300, 0, 100, 0, 16 },
		{ LN(10), 0.30, 128, 500, 0, 99.9, 0.1, 15 },
		{ LN(17), 0.30, 128, 500, 0, 99.3, 0.7, 27 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		check_cell(&cells[i], 100 + i);
}

/*
 * A normal likelihood would be wrong in a tenth to a quarter of these and claim 95 %. That 2.8 %
 * are not reproducible, 0 where only the unpaired test is used, is the price of the paired one,
 * into which a session changes in one of nine cases without a reason: slow runs of both sides spoil
 * its differences.
 */
static void test_left_tail(void **state)
{
	const struct cell cells[] = {
		{ LEFT_TAIL, 0.05, 16, 600, 2.8, 99.1, 0.6, 19 },
		{ LEFT_TAIL, 0.05, 128, 600, 2.8, 98.9, 0.7, 29 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		check_cell(&cells[i], 200 + i);
}

static void test_fast_mode(void **state)
{
	const struct cell cells[] = {
		{ FAST_MODE, 0.10, 16, 600, 1, 97, 1.7, 32 },
		{ FAST_MODE, 0.10, 128, 600, 1, 98, 1.5, 46 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		check_cell(&cells[i], 300 + i);
}

/* Effects as large as the noise: fewer are found, hardly more are wrong. */
static void test_hard_cells(void **state)
{
	const struct cell cells[] = {
		{ LN(5), 0.05, 128, 400, 9, 88, 4.8, 101 },
		{ LN(10), 0.10, 16, 400, 7, 89, 4.7, 71 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		check_cell(&cells[i], 400 + i);
}

/* What was found and is wrong is hardly ever confirmed, what is right nearly always. */
static void test_confirmation(void **state)
{
	const struct cell cells[] = {
		{ LN(5), 0.05, 16, 200, 9, 90, 4.6, 72 },
		{ LEFT_TAIL, 0.05, 128, 150, 0, 98.9, 0.7, 29 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		struct tally tally = cell_run(&cells[i], ONCE_CONFIRMED, false, 500 + i);

		/* stated: at most 0.3 % */
		assert_true(tally.nr_wrong_confirmed <= 1);
		assert_true(tally.nr_confirmed * 100 >= tally.nr_correct * 85);
	}
}

/*
 * On a machine that drifts, one search in six names a wrong one, and knows it in the end. Looking
 * at the ends again, and beginning anew where the confirmation fails, puts that right.
 */
static void test_drift(void **state)
{
	const struct cell cell = { LN(2), 0.10, 64, 200, 0, 0, 0, 0 };
	struct tally once = cell_run(&cell, ONCE_CONFIRMED, true, 600);
	struct tally usual = cell_run(&cell, USUAL, true, 600);

	(void)state;
	assert_true(once.nr_wrong >= 15 && once.nr_wrong_confirmed <= 2);
	assert_true(usual.nr_correct >= 194);
	assert_true(usual.nr_wrong_confirmed <= 2);
}

/* Without a drift it does no harm, and helps where the effect is as small as the noise. */
static void test_usual_course(void **state)
{
	const struct cell cells[] = {
		{ LN(5), 0.05, 128, 150, 9, 0, 0, 0 },
		{ LEFT_TAIL, 0.05, 128, 150, 2.8, 0, 0, 0 },
		{ FAST_MODE, 0.10, 128, 150, 1, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		struct tally tally = cell_run(&cells[i], USUAL, false, 700 + i);
		size_t nr = tally.nr - tally.nr_not_reproducible;

		assert_percent(tally.nr_not_reproducible, tally.nr, cells[i].not_reproducible);
		assert_true(tally.nr_correct * 100 >= nr * 94);
		assert_true(tally.nr_wrong_confirmed <= 1);
	}
}

/* Two equal changes: one of them is named, and never anything else. */
static void test_two_changes(void **state)
{
	const struct cell cell = { .noise = LN(5), .effect = 0.10, .last = 128 };
	struct search_options options = options_of(ONCE_CONFIRMED);
	size_t nr = 100, nr_one_of_them = 0, nr_found = 0, nr_hints = 0;
	struct rng rng;

	(void)state;
	rng_init(&rng, 800);
	options.last = cell.last;
	for (size_t i = 0; i < nr; i++) {
		struct world world = {
			.cell = &cell, .first_bad = 40, .second_bad = 90, .rng = &rng
		};
		struct search_answer answer;

		options.seed = rng_next(&rng);
		answer = search_run(&options, &world);
		if (answer.state != SEARCH_FOUND)
			continue;
		nr_found++;
		nr_one_of_them += answer.first_bad == 40 || answer.first_bad == 90;
		nr_hints += answer.has_other_change;
	}
	printf("# two changes: an answer in %zu of %zu, one of them in %zu, hint of another in "
	       "%zu\n",
	       nr_found, nr, nr_one_of_them, nr_hints);
	assert_true(nr_found >= 50);
	/* elsewhere: at most 1.3 % at any one place, so an answer is mostly one of the two */
	assert_true(nr_one_of_them * 10 >= nr_found * 8);
	assert_true(nr_hints > nr_found / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_easy_cells),   cmocka_unit_test(test_left_tail),
		cmocka_unit_test(test_fast_mode),    cmocka_unit_test(test_hard_cells),
		cmocka_unit_test(test_confirmation), cmocka_unit_test(test_drift),
		cmocka_unit_test(test_usual_course), cmocka_unit_test(test_two_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
