/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settings_search: rounds that find the decisive settings one after the other. */
#include "analysis/settings_search.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/settings_state.h"
#include "base/arena.h"
#include "base/err.h"

#define ROUND_RUNS 12 /* of a round, for each halving and three more */

/* ---- subsets ---- */

void subset_set_found(const struct settings_search *search, bool *subset)
{
	memcpy(subset, search->is_found, search->options.nr * sizeof(*subset));
}

void subset_assign(bool *subset, const size_t *settings, size_t nr, bool is_in)
{
	for (size_t i = 0; i < nr; i++)
		subset[settings[i]] = is_in;
}

static void subset_set_position(const struct settings_search *search, bool *subset, size_t position)
{
	subset_set_found(search, subset);
	subset_assign(subset, search->chain, position, true);
}

/* ---- what is due ---- */

static void step_of_round(struct settings_search *search)
{
	struct settings_step *step = &search->step;
	struct search_step inner;

	search_next(search->round, &inner);
	step->nr_runs = inner.nr_runs;
	step->nr_pairs = inner.nr_pairs;
	if (inner.phase == SEARCH_QUERY) {
		search->phase = SETTINGS_LOOK;
		subset_set_position(search, search->single, inner.position);
		step->subset = search->single;
		return;
	}
	if (inner.phase == SEARCH_CONFIRM)
		search->phase = SETTINGS_CONFIRM;
	else
		search->phase = search->nr_rounds == 1 ? SETTINGS_ENDS : SETTINGS_MISSING;
	subset_set_position(search, search->base, inner.good);
	subset_set_position(search, search->changed, inner.bad);
	step->subset = inner.position == inner.good ? search->base : search->changed;
}

static void step_refresh(struct settings_search *search)
{
	search->step = (struct settings_step){ .subset = NULL };
	if (search->phase == SETTINGS_DONE) {
		search->step.phase = SETTINGS_DONE;
		return;
	}
	if (search->are_rounds_over)
		settings_check_step(search);
	else
		step_of_round(search);
	search->step.phase = search->phase;
	if (search->phase != SETTINGS_LOOK) {
		search->step.base = search->base;
		search->step.changed = search->changed;
	}
}

/* ---- beginnings ---- */

void settings_end(struct settings_search *search, enum settings_state state)
{
	search->state = state;
	search->phase = SETTINGS_DONE;
}

static size_t nr_later_runs(const struct settings_search *search)
{
	return search->answer.nr_runs - search->nr_first_runs;
}

struct effect_rule settings_share_rule(const struct settings_search *search)
{
	double limit = fabs(search->shift) * SETTINGS_SEARCH_MIN_SHARE;
	struct effect_rule rule = search->options.rule;

	rule.min_effect = 0.0;
	rule.min_effect_points = 0.0;
	if (search->answer.ends.scale == SCALE_RATIO)
		rule.min_effect = -expm1(-limit);
	else
		rule.min_effect_points = limit;
	return rule;
}

/*
 * Two settings of the same effect can hold the balance for long: the level between none and all is
 * as near to one as to the other. Either will do, so a round is not given all of the budget.
 */
static size_t round_budget(const struct settings_search *search)
{
	size_t nr_left = search->options.max_runs - nr_later_runs(search);
	size_t nr = 3 * ROUND_RUNS;

	for (size_t reach = 2; reach < search->nr_chain; reach *= 2)
		nr += ROUND_RUNS;
	return nr < nr_left ? nr : nr_left;
}

static int round_start(struct settings_search *search, struct err *err)
{
	const struct settings_search_options *options = &search->options;
	bool is_first = search->nr_rounds == 0;
	struct search_options inner = {
		.last = search->nr_chain,
		.direction = is_first ? options->direction : search->direction,
		.rule = is_first ? options->rule : settings_share_rule(search),
		.level = options->level,
		.nr_repeats = options->nr_repeats,
		.max_runs = round_budget(search),
		.max_end_pairs = options->max_pairs,
		.max_confirm_pairs = options->max_pairs,
		.seed = rng_next(&search->rng),
	};

	search->nr_rounds++;
	return search_new(&inner, &search->round, err);
}

int settings_search_new(const struct settings_search_options *options,
			struct settings_search **ret_search, struct err *err)
{
	CLEANUP(settings_search) struct settings_search *search = NULL;
	size_t nr = options->nr;
	int ret;

	if (nr < 1 || nr > SETTINGS_SEARCH_MAX)
		return err_set(err, ERR_USAGE, "%zu settings that differ are not in 1..%d", nr,
			       SETTINGS_SEARCH_MAX);
	search = xcalloc(1, sizeof(*search));
	search->options = *options;
	rng_init(&search->rng, options->seed);
	search->chain = xcalloc(nr, sizeof(*search->chain));
	search->before = xcalloc(nr, sizeof(*search->before));
	search->storage = xcalloc(nr, sizeof(*search->storage));
	search->is_found = xcalloc(nr, sizeof(*search->is_found));
	search->base = xcalloc(nr, sizeof(*search->base));
	search->changed = xcalloc(nr, sizeof(*search->changed));
	search->single = xcalloc(nr, sizeof(*search->single));
	for (size_t i = 0; i < nr; i++)
		search->chain[i] = i;
	search->nr_chain = nr;
	search->answer.is_minimal = true;
	ret = round_start(search, err);
	if (ret < 0)
		return ret;
	step_refresh(search);
	*ret_search = ptr_take(search);
	return 0;
}

void settings_search_free(struct settings_search *search)
{
	if (!search)
		return;
	search_free(search->round);
	vec_release(&search->members);
	free(search->chain);
	free(search->before);
	free(search->storage);
	free(search->is_found);
	free(search->base);
	free(search->changed);
	free(search->single);
	free(search);
}

/* ---- rounds ---- */

static void member_add(struct settings_search *search, const size_t *settings, size_t nr,
		       double probability)
{
	struct settings_member member = {
		.settings = &search->storage[search->nr_stored],
		.nr = nr,
		.probability = probability,
	};

	memcpy(&search->storage[search->nr_stored], settings, nr * sizeof(*settings));
	search->nr_stored += nr;
	subset_assign(search->is_found, settings, nr, true);
	vec_push(&search->members, member);
}

/* Takes the settings number first .. end - 1 out of the chain as a member. */
static void chain_take(struct settings_search *search, size_t first, size_t end, double probability)
{
	member_add(search, &search->chain[first], end - first, probability);
	memcpy(search->before, search->chain, first * sizeof(*search->chain));
	search->nr_before = first;
	memmove(&search->chain[first], &search->chain[end],
		(search->nr_chain - end) * sizeof(*search->chain));
	search->nr_chain -= end - first;
}

static void round_drop(struct settings_search *search)
{
	search_free(search->round);
	search->round = NULL;
}

static void rounds_end(struct settings_search *search)
{
	round_drop(search);
	search->are_rounds_over = true;
	settings_check_begin(search);
}

/* Nothing more was found: what was is the answer. */
static void round_end_complete(struct settings_search *search, const struct search_answer *answer)
{
	search->answer.missing = answer->ends;
	search->answer.is_complete =
		answer->state == SEARCH_OPPOSITE || answer->ends.finding == FINDING_NO_DIFFERENCE;
	rounds_end(search);
}

/* What was found does not run by itself: what was changed beside it when it was found belongs to
 * it. */
static void round_end_alone_untestable(struct settings_search *search)
{
	search->answer.is_minimal = false;
	if (search->nr_before > 0)
		member_add(search, search->before, search->nr_before, 1.0);
	rounds_end(search);
}

static void round_end_found(struct settings_search *search, const struct search_answer *answer)
{
	int ret;

	chain_take(search, answer->last_good, answer->first_bad, answer->probability);
	round_drop(search); /* its positions are those of the chain as it was */
	if (nr_later_runs(search) >= search->options.max_runs) {
		settings_end(search, SETTINGS_NO_BUDGET);
		return;
	}
	if (search->nr_chain == 0) {
		search->answer.is_complete = true;
		rounds_end(search);
		return;
	}
	ret = round_start(search, NULL);
	assert(ret == 0); /* the first round took the same options */
	(void)ret;
}

static void round_end(struct settings_search *search)
{
	static const enum settings_state first_states[] = {
		[SEARCH_NOT_REPRODUCIBLE] = SETTINGS_NOT_REPRODUCIBLE,
		[SEARCH_OPPOSITE] = SETTINGS_OPPOSITE,
		[SEARCH_END_UNTESTABLE] = SETTINGS_END_UNTESTABLE,
	};
	struct search_answer answer;
	bool is_found;

	search_answer(search->round, &answer);
	if (answer.state == SEARCH_NO_BUDGET && nr_later_runs(search) >= search->options.max_runs) {
		settings_end(search, SETTINGS_NO_BUDGET); /* the most likely one is but a guess */
		return;
	}
	is_found = answer.state == SEARCH_FOUND || answer.state == SEARCH_NOTHING_TESTABLE ||
		   answer.state == SEARCH_NO_BUDGET;
	if (is_found)
		round_end_found(search, &answer);
	else if (search->nr_rounds == 1)
		settings_end(search, first_states[answer.state]);
	else if (answer.state == SEARCH_END_UNTESTABLE && answer.untestable_end == 0)
		round_end_alone_untestable(search);
	else
		round_end_complete(search, &answer);
}

/* Keeps what the first comparison said, as soon as it says it. */
static void ends_learn(struct settings_search *search)
{
	struct search_answer answer;

	search_answer(search->round, &answer);
	search->nr_first_runs = answer.nr_end_runs;
	search->answer.ends = answer.ends;
	search->answer.spread = answer.spread;
	search->answer.is_noise_larger = answer.is_noise_larger;
	search->direction = answer.ends.finding;
	if (answer.ends.nr_a > 0)
		search->shift = effect_forward(answer.ends.scale, answer.ends.effect);
}

static void round_advance(struct settings_search *search)
{
	struct search_step inner;

	if (search->phase == SETTINGS_ENDS)
		ends_learn(search);
	search_next(search->round, &inner);
	if (inner.phase == SEARCH_DONE)
		round_end(search);
}

/* ---- what comes in ---- */

static void budget_check(struct settings_search *search)
{
	if (search->phase == SETTINGS_DONE || search->phase == SETTINGS_ENDS ||
	    nr_later_runs(search) < search->options.max_runs)
		return;
	settings_end(search, search->are_rounds_over ? SETTINGS_FOUND : SETTINGS_NO_BUDGET);
}

int settings_search_add(struct settings_search *search, const bool *subset, double value,
			struct err *err)
{
	if (search->phase == SETTINGS_DONE)
		return err_set(err, ERR_INPUT, "run after the end of the search");
	if (memcmp(subset, search->step.subset, search->options.nr * sizeof(*subset)) != 0)
		return err_set(err, ERR_INPUT, "run of other settings than those that are due");
	if (!isfinite(value))
		return err_set(err, ERR_INPUT, "value %g is not a number", value);
	search->answer.nr_runs++;
	if (!search->are_rounds_over) {
		struct search_step inner;
		int ret;

		search_next(search->round, &inner);
		ret = search_add(search->round, inner.position, value, err);
		if (ret < 0)
			return ret;
		round_advance(search);
	} else {
		settings_check_add(search, value);
	}
	budget_check(search);
	step_refresh(search);
	return 0;
}

void settings_search_untestable(struct settings_search *search)
{
	struct search_step inner;

	if (search->phase == SETTINGS_DONE)
		return;
	search->answer.nr_untestable++;
	if (!search->are_rounds_over) {
		search_next(search->round, &inner);
		search_untestable(search->round, inner.position);
		round_advance(search);
	} else {
		settings_check_untestable(search);
	}
	step_refresh(search);
}

void settings_search_next(const struct settings_search *search, struct settings_step *ret_step)
{
	*ret_step = search->step;
}
