/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "monitor/series.h"

#include <math.h>
#include <string.h>

#include "model/given.h"
#include "model/result.h"
#include "monitor/monitor.h"
#include "monitor/probe.h"
#include "test.h"

/* Rounds without files: a probe that has been read already. */
struct rounds {
	struct series series;
	struct probe probe;
	uint64_t nr;
};

static struct scan_word word_of(const char *text)
{
	return (struct scan_word){ .text = text, .len = strlen(text) };
}

static void begin(struct rounds *rounds, double seconds, bool is_end)
{
	struct monitor_tick tick = { .nr = ++rounds->nr, .is_end = is_end };

	rounds->probe = (struct probe){
		.tick_nr = tick.nr,
		.taken_ns = 5000000000 + (uint64_t)(seconds * 1e9),
		.is_read = true,
	};
	assert_true(series_begin(&rounds->series, &tick, &rounds->probe));
}

static void note(struct rounds *rounds, const char *name, enum series_kind kind, uint64_t value)
{
	const struct scan_word word = word_of(name);

	series_note(&rounds->series, &word, kind, value);
}

static void assert_reported(const struct rounds *rounds, const char *name, double expected)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	const struct given_metric *metric;

	series_report(&rounds->series, "x", &result);
	metric = given_find(&result.monitored, name);
	if (isnan(expected)) {
		assert_null(metric);
		return;
	}
	if (!metric || fabs(metric->value - expected) > 1e-9 * fabs(expected))
		fail_msg("%s is %.17g, expected %.17g", name, metric ? metric->value : NAN,
			 expected);
}

static void test_counters_are_differences_and_rates(void **state)
{
	struct rounds rounds = { .nr = 0 };

	(void)state;
	begin(&rounds, 0, true);
	note(&rounds, "pgfault", SERIES_COUNTER, 1000000); /* since boot */
	begin(&rounds, 1, false);
	note(&rounds, "pgfault", SERIES_COUNTER, 1000010);
	begin(&rounds, 4, true);
	note(&rounds, "pgfault", SERIES_COUNTER, 1000100);
	assert_reported(&rounds, "x.pgfault", 100);
	assert_reported(&rounds, "x.pgfault_per_sec", 25);
	series_release(&rounds.series);
}

static void test_levels_are_means_between_the_ends(void **state)
{
	struct rounds rounds = { .nr = 0 };

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		bool is_end = i == 0 || i == 4;

		begin(&rounds, i, is_end);
		note(&rounds, "nr_dirty", SERIES_LEVEL, is_end ? 0 : 100 * i);
		note(&rounds, "procs.r", SERIES_LOAD, is_end ? 1 : 7);
	}
	assert_reported(&rounds, "x.nr_dirty", 200);
	assert_reported(&rounds, "x.procs.r", 7);
	series_release(&rounds.series);
}

/* A run that is over before the first round between: memory is still known, load is not. */
static void test_short_run(void **state)
{
	struct rounds rounds = { .nr = 0 };

	(void)state;
	begin(&rounds, 0, true);
	note(&rounds, "MemFree", SERIES_LEVEL, 10);
	note(&rounds, "procs.r", SERIES_LOAD, 1);
	begin(&rounds, 0.1, true);
	note(&rounds, "MemFree", SERIES_LEVEL, 20);
	note(&rounds, "procs.r", SERIES_LOAD, 1);
	assert_reported(&rounds, "x.MemFree", 15);
	assert_reported(&rounds, "x.procs.r", (double)NAN);
	series_release(&rounds.series);
}

static void test_sums_of_32_bit_counters(void **state)
{
	struct rounds rounds = { .nr = 0 };

	(void)state;
	begin(&rounds, 0, true);
	note(&rounds, "LOC", SERIES_COUNTER32, 10); /* of two CPUs, one about to wrap */
	begin(&rounds, 1, true);
	note(&rounds, "LOC", SERIES_COUNTER32, 4);
	assert_reported(&rounds, "x.LOC", 4294967290);
	series_release(&rounds.series);
}

static void test_counters_not_there_all_the_time_are_absent(void **state)
{
	struct rounds rounds = { .nr = 0 };

	(void)state;
	begin(&rounds, 0, true);
	note(&rounds, "gone", SERIES_COUNTER, 1);
	note(&rounds, "back", SERIES_COUNTER, 1);
	note(&rounds, "again", SERIES_COUNTER, 1000);
	begin(&rounds, 1, false);
	note(&rounds, "new", SERIES_COUNTER, 1);
	begin(&rounds, 2, true);
	note(&rounds, "new", SERIES_COUNTER, 5);
	note(&rounds, "back", SERIES_COUNTER, 6);
	note(&rounds, "again", SERIES_COUNTER, 3); /* began anew */
	assert_reported(&rounds, "x.gone", (double)NAN);
	assert_reported(&rounds, "x.new", (double)NAN);
	assert_reported(&rounds, "x.back", 5);
	assert_reported(&rounds, "x.again", (double)NAN);
	series_release(&rounds.series);
}

static void test_one_round_has_no_difference(void **state)
{
	struct rounds rounds = { .nr = 0 };

	(void)state;
	begin(&rounds, 0, true);
	note(&rounds, "pgfault", SERIES_COUNTER, 1000000);
	assert_reported(&rounds, "x.pgfault", (double)NAN);
	series_release(&rounds.series);
}

static void test_names_in_another_order(void **state)
{
	static const char *const names[] = { "a", "ab", "abc", "b", "" };
	struct rounds rounds = { .nr = 0 };

	(void)state;
	begin(&rounds, 0, true);
	for (unsigned i = 0; i < 5; i++)
		note(&rounds, names[i], SERIES_COUNTER, i);
	begin(&rounds, 1, true);
	for (unsigned i = 5; i-- > 0;)
		note(&rounds, names[i], SERIES_COUNTER, 11 * i);
	assert_int_equal(rounds.series.nr, 5);
	assert_reported(&rounds, "x.a", 0);
	assert_reported(&rounds, "x.ab", 10);
	assert_reported(&rounds, "x.abc", 20);
	assert_reported(&rounds, "x.b", 30);
	assert_reported(&rounds, "x.", 40);
	series_release(&rounds.series);
}

/* As in a damaged file. */
static void test_name_with_a_nul(void **state)
{
	const struct scan_word odd = { .text = "ab\0cd", .len = 5 };
	struct rounds rounds = { .nr = 0 };

	(void)state;
	begin(&rounds, 0, true);
	note(&rounds, "ab", SERIES_COUNTER, 1);
	series_note(&rounds.series, &odd, SERIES_COUNTER, 9);
	begin(&rounds, 1, true);
	note(&rounds, "ab", SERIES_COUNTER, 2);
	assert_reported(&rounds, "x.ab", 1);
	series_release(&rounds.series);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counters_are_differences_and_rates),
		cmocka_unit_test(test_levels_are_means_between_the_ends),
		cmocka_unit_test(test_short_run),
		cmocka_unit_test(test_sums_of_32_bit_counters),
		cmocka_unit_test(test_counters_not_there_all_the_time_are_absent),
		cmocka_unit_test(test_one_round_has_no_difference),
		cmocka_unit_test(test_names_in_another_order),
		cmocka_unit_test(test_name_with_a_nul),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
