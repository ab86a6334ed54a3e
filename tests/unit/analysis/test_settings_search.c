/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of some settings make the difference: one, several, together only, none, untestable. */
#include "analysis/settings_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/rng.h"
#include "base/vec.h"
#include "test.h"

#define NR 8
#define NOISE 0.04 /* uniform, +- */

/* The true level of a subset as a share of the base; NAN: it cannot be run. */
typedef double (*level_fn)(const bool *subset);

struct event {
	bool subset[NR];
	double value;
};
struct event_list VEC_BODY(struct event);

static struct settings_search *start(size_t nr, uint64_t seed)
{
	struct settings_search_options options = SETTINGS_SEARCH_OPTIONS_INIT;
	struct settings_search *search = NULL;
	struct err err = { .code = 0 };

	options.nr = nr;
	options.seed = seed;
	options.direction = FINDING_LOWER;
	if (settings_search_new(&options, &search, &err) < 0)
		fail_msg("%s", err.msg);
	return search;
}

static void tell(struct settings_search *search, const struct event *event)
{
	struct err err = { .code = 0 };

	if (isnan(event->value))
		settings_search_untestable(search);
	else if (settings_search_add(search, event->subset, event->value, &err) < 0)
		fail_msg("%s", err.msg);
}

/* The subset that is due is one of the two that are compared, and these differ. */
static void check_step(const struct settings_step *step, size_t nr)
{
	assert_true(step->nr_runs > 0);
	if (step->phase == SETTINGS_LOOK) {
		assert_null(step->base);
		return;
	}
	assert_true(step->subset == step->base || step->subset == step->changed);
	assert_int_not_equal(memcmp(step->base, step->changed, nr * sizeof(bool)), 0);
}

static struct settings_answer run(struct settings_search *search, size_t nr, level_fn level,
				  uint64_t seed, struct event_list *log)
{
	struct settings_answer answer;
	struct settings_step step;
	struct rng rng;

	rng_init(&rng, seed);
	for (settings_search_next(search, &step); step.phase != SETTINGS_DONE;
	     settings_search_next(search, &step)) {
		struct event event = { .value = 1.0 };

		check_step(&step, nr);
		memcpy(event.subset, step.subset, nr * sizeof(bool));
		event.value = 200.0 * level(event.subset) *
			      (1.0 + NOISE * (2.0 * rng_double(&rng) - 1.0));
		tell(search, &event);
		if (log)
			vec_push(log, event);
	}
	settings_search_answer(search, &answer);
	return answer;
}

static bool has_member(const struct settings_answer *answer, size_t setting)
{
	for (size_t i = 0; i < answer->nr_members; i++) {
		if (answer->members[i].nr == 1 && answer->members[i].settings[0] == setting)
			return true;
	}
	return false;
}

static double level_one(const bool *subset)
{
	return subset[5] ? 0.85 : 1.0;
}

static double level_first(const bool *subset)
{
	return subset[0] ? 0.85 : 1.0;
}

static double level_last(const bool *subset)
{
	return subset[NR - 1] ? 0.85 : 1.0;
}

static double level_both(const bool *subset)
{
	return (subset[1] ? 0.85 : 1.0) * (subset[6] ? 0.85 : 1.0);
}

static double level_together(const bool *subset)
{
	return subset[2] && subset[5] ? 0.8 : 1.0;
}

static double level_three_together(const bool *subset)
{
	return subset[0] && subset[3] && subset[7] ? 0.75 : 1.0;
}

static double level_mixed(const bool *subset)
{
	return (subset[2] ? 0.8 : 1.0) * (subset[2] && subset[4] ? 0.8 : 1.0);
}

static double level_either(const bool *subset)
{
	return subset[3] || subset[6] ? 0.8 : 1.0;
}

static double level_compensated(const bool *subset)
{
	return (subset[2] ? 0.7 : 1.0) * (subset[5] ? 1.15 : 1.0);
}

static double level_nothing(const bool *subset)
{
	(void)subset;
	return 1.0;
}

static double level_better(const bool *subset)
{
	return subset[4] ? 1.2 : 1.0;
}

/* Numbers of settings as digits: "25". */
static const struct found {
	level_fn level;
	const char *members, *alone; /* those that are found, and that count by themselves */
	enum settings_interplay interplay;
	enum finding missing; /* of all against them */
	bool rest_counts;
	uint64_t nr_seeds;
	double least; /* effect of a single one */
} found[] = {
	{ level_one, "5", "5", SETTINGS_SINGLE, FINDING_NO_DIFFERENCE, false, 5, 0.8 },
	{ level_first, "0", "0", SETTINGS_SINGLE, FINDING_NO_DIFFERENCE, false, 5, 0.8 },
	{ level_last, "7", "7", SETTINGS_SINGLE, FINDING_NO_DIFFERENCE, false, 5, 0.8 },
	{ level_both, "16", "16", SETTINGS_ADDITIVE, FINDING_NO_DIFFERENCE, false, 5, 0 },
	{ level_together, "25", "", SETTINGS_TOGETHER, FINDING_NO_DIFFERENCE, false, 5, 0 },
	{ level_three_together, "037", "", SETTINGS_TOGETHER, FINDING_NO_DIFFERENCE, false, 2, 0 },
	{ level_mixed, "24", "2", SETTINGS_MIXED, FINDING_NO_DIFFERENCE, false, 4, 0 },
	/* one is enough; that the others do it as well is said */
	{ level_either, "3", "3", SETTINGS_SINGLE, FINDING_NO_DIFFERENCE, true, 5, 0.75 },
	{ level_compensated, "2", "2", SETTINGS_SINGLE, FINDING_HIGHER, false, 5, 0.65 },
};

static void check_member(const struct found *row, const struct settings_member *member)
{
	const int digit = '0' + (int)member->settings[0];
	const bool is_alone = strchr(row->alone, digit) != NULL;

	assert_int_equal(member->nr, 1);
	assert_non_null(strchr(row->members, digit));
	assert_int_equal(member->counts_alone, is_alone);
	assert_int_equal(member->without.finding, FINDING_LOWER);
	assert_int_equal(member->alone.finding, is_alone ? FINDING_LOWER : FINDING_NO_DIFFERENCE);
	if (row->members[1])
		return;
	assert_true(member->without.effect == member->alone.effect);
	assert_true(member->alone.effect > row->least && member->alone.effect < row->least + 0.1);
}

static void check_found(const struct found *row, uint64_t seed)
{
	CLEANUP(settings_search) struct settings_search *search = start(NR, seed);
	struct settings_answer answer = run(search, NR, row->level, seed, NULL);

	assert_int_equal(answer.state, SETTINGS_FOUND);
	assert_int_equal(answer.nr_members, strlen(row->members));
	for (size_t i = 0; i < answer.nr_members; i++)
		check_member(row, &answer.members[i]);
	assert_int_equal(answer.interplay, row->interplay);
	assert_int_equal(answer.missing.finding, row->missing);
	assert_int_equal(answer.rest_counts, row->rest_counts);
	if (row->missing == FINDING_NO_DIFFERENCE)
		assert_int_equal(answer.rest.finding,
				 row->rest_counts ? FINDING_LOWER : FINDING_NO_DIFFERENCE);
	assert_true(answer.is_complete);
	assert_true(answer.is_minimal);
	assert_false(answer.is_noise_larger);
	assert_int_equal(answer.nr_untestable, 0);
}

static void test_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(found) / sizeof(found[0]); i++) {
		for (uint64_t seed = 1; seed <= found[i].nr_seeds; seed++)
			check_found(&found[i], seed);
	}
}

static void test_only_one_differs(void **state)
{
	CLEANUP(settings_search) struct settings_search *search = start(1, 3);
	struct settings_answer answer = run(search, 1, level_first, 3, NULL);

	(void)state;
	assert_int_equal(answer.state, SETTINGS_FOUND);
	assert_true(has_member(&answer, 0));
	assert_true(answer.members[0].counts_alone);
	assert_true(answer.is_complete);
	assert_int_equal(answer.nr_runs, 16);
	assert_int_equal(answer.rest.nr_a, 0);
}

static void test_not_reproducible(void **state)
{
	CLEANUP(settings_search) struct settings_search *search = start(NR, 1);
	struct settings_answer answer = run(search, NR, level_nothing, 1, NULL);

	(void)state;
	assert_int_equal(answer.state, SETTINGS_NOT_REPRODUCIBLE);
	assert_int_equal(answer.nr_runs, 60);
	assert_int_equal(answer.nr_members, 0);
}

static void test_opposite(void **state)
{
	CLEANUP(settings_search) struct settings_search *search = start(NR, 1);
	struct settings_answer answer = run(search, NR, level_better, 1, NULL);

	(void)state;
	assert_int_equal(answer.state, SETTINGS_OPPOSITE);
}

/* ---- settings that need others ---- */

/* 4 is refused unless 3 is changed (an attribute of a scheduler); 4 makes it slow. */
static double level_needs_other(const bool *subset)
{
	if (subset[4] && !subset[3])
		return NAN;
	return subset[4] ? 0.8 : 1.0;
}

static void test_needs_another(void **state)
{
	CLEANUP(settings_search) struct settings_search *search = start(NR, 3);
	struct settings_answer answer = run(search, NR, level_needs_other, 3, NULL);
	size_t nr_with_3 = 0, nr_with_4 = 0;

	(void)state;
	assert_int_equal(answer.state, SETTINGS_FOUND);
	for (size_t i = 0; i < answer.nr_members; i++) {
		for (size_t k = 0; k < answer.members[i].nr; k++) {
			nr_with_3 += answer.members[i].settings[k] == 3;
			nr_with_4 += answer.members[i].settings[k] == 4;
		}
	}
	assert_int_equal(nr_with_4, 1);
	assert_int_equal(nr_with_3, 1);
	assert_false(answer.is_minimal);
	assert_true(answer.nr_untestable > 0);
}

/* 3 and 4 work only both or not at all: one member. */
static double level_inseparable(const bool *subset)
{
	if (subset[4] != subset[3])
		return NAN;
	return subset[4] ? 0.8 : 1.0;
}

static void test_inseparable(void **state)
{
	CLEANUP(settings_search) struct settings_search *search = start(NR, 3);
	struct settings_answer answer = run(search, NR, level_inseparable, 3, NULL);

	(void)state;
	assert_int_equal(answer.state, SETTINGS_FOUND);
	assert_int_equal(answer.nr_members, 1);
	assert_int_equal(answer.members[0].nr, 2);
	assert_int_equal(answer.members[0].settings[0], 3);
	assert_int_equal(answer.members[0].settings[1], 4);
	assert_true(answer.is_minimal);
}

static double level_all_fails(const bool *subset)
{
	return subset[0] && subset[1] ? NAN : 1.0;
}

static void test_untestable_end(void **state)
{
	CLEANUP(settings_search) struct settings_search *search = start(2, 3);
	struct settings_answer answer = run(search, 2, level_all_fails, 3, NULL);

	(void)state;
	assert_int_equal(answer.state, SETTINGS_END_UNTESTABLE);
}

/* ---- budget, log, wrong calls ---- */

/* What a search that ends for its budget has not ruled out: all but the members. */
static void check_open(const struct settings_search *search, const struct settings_answer *answer)
{
	struct settings_open open[NR];
	size_t nr = settings_search_open(search, open);
	double sum = 0.0;

	if (answer->state != SETTINGS_NO_BUDGET) {
		assert_int_equal(nr, 0);
		return;
	}
	for (size_t i = 0; i < nr; i++) {
		sum += open[i].probability;
		for (size_t j = 0; j < answer->nr_members; j++)
			assert_int_not_equal(open[i].setting, answer->members[j].settings[0]);
	}
	assert_int_equal(nr + answer->nr_members, NR);
	assert_true(isnan(sum) || fabs(sum - 1.0) < 1e-9);
}

static void test_budget(void **state)
{
	struct settings_search_options options = SETTINGS_SEARCH_OPTIONS_INIT;

	(void)state;
	options.nr = NR;
	for (options.max_runs = 1; options.max_runs < 200; options.max_runs += 3) {
		struct settings_search *search = NULL;
		struct settings_answer answer;

		assert_int_equal(settings_search_new(&options, &search, NULL), 0);
		answer = run(search, NR, level_together, 9, NULL);
		assert_true(answer.nr_runs <= 60 + options.max_runs);
		if (answer.state == SETTINGS_NO_BUDGET)
			assert_true(answer.nr_members <= 2);
		else
			assert_int_equal(answer.state, SETTINGS_FOUND);
		if (options.max_runs == 1) /* one look names nobody */
			assert_int_equal(answer.nr_members, 0);
		check_open(search, &answer);
		settings_search_free(search);
	}
}

static void compare_steps(const struct settings_search *left, const struct settings_search *right)
{
	struct settings_step a, b;

	settings_search_next(left, &a);
	settings_search_next(right, &b);
	assert_int_equal(a.phase, b.phase);
	assert_int_equal(a.nr_runs, b.nr_runs);
	assert_int_equal(a.nr_pairs, b.nr_pairs);
	if (a.subset)
		assert_memory_equal(a.subset, b.subset, NR * sizeof(bool));
}

static void check_replay(level_fn level)
{
	CLEANUP(settings_search) struct settings_search *search = start(NR, 8);
	struct event_list log = VEC_INIT;
	struct settings_answer whole = run(search, NR, level, 8, &log);

	for (size_t nr_kept = 0; nr_kept <= log.nr; nr_kept += 5) {
		CLEANUP(settings_search) struct settings_search *resumed = start(NR, 8);
		CLEANUP(settings_search) struct settings_search *other = start(NR, 8);
		struct settings_answer answer;

		for (size_t i = 0; i < nr_kept; i++)
			tell(resumed, &log.items[i]);
		for (size_t i = 0; i < log.nr; i++) {
			if (i >= nr_kept) {
				compare_steps(resumed, other);
				tell(resumed, &log.items[i]);
			}
			tell(other, &log.items[i]);
		}
		settings_search_answer(resumed, &answer);
		assert_int_equal(answer.state, whole.state);
		assert_int_equal(answer.nr_members, whole.nr_members);
		assert_true(answer.ends.effect == whole.ends.effect);
	}
	vec_release(&log);
}

static void test_replay(void **state)
{
	(void)state;
	check_replay(level_both);
	check_replay(level_needs_other);
}

static void test_wrong_calls(void **state)
{
	CLEANUP(settings_search) struct settings_search *search = start(NR, 1);
	const bool some[NR] = { true };
	const struct settings_search_options usual = SETTINGS_SEARCH_OPTIONS_INIT;
	struct settings_search_options options = usual;
	struct settings_search *none = NULL;
	struct err err = { .code = 0 };
	struct settings_step step;

	(void)state;
	settings_search_next(search, &step);
	assert_int_equal(settings_search_add(search, some, 1.0, &err), -ERR_INPUT);
	assert_int_equal(settings_search_add(search, step.subset, NAN, &err), -ERR_INPUT);
	(void)run(search, NR, level_one, 1, NULL);
	assert_int_equal(settings_search_add(search, some, 1.0, &err), -ERR_INPUT);
	assert_int_equal(settings_search_new(&options, &none, &err), -ERR_USAGE);
	options.nr = SETTINGS_SEARCH_MAX + 1;
	assert_int_equal(settings_search_new(&options, &none, &err), -ERR_USAGE);
	options.nr = 2;
	options.max_pairs = 4;
	assert_int_equal(settings_search_new(&options, &none, &err), -ERR_USAGE);
	assert_null(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_only_one_differs),
		cmocka_unit_test(test_not_reproducible),
		cmocka_unit_test(test_opposite),
		cmocka_unit_test(test_needs_another),
		cmocka_unit_test(test_inseparable),
		cmocka_unit_test(test_untestable_end),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_replay),
		cmocka_unit_test(test_wrong_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
