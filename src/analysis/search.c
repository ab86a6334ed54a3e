/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search: the phases of a noisy bisection, and what each run that comes in changes. */
#include "analysis/search.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/search_state.h"
#include "base/arena.h"
#include "base/err.h"

/* The ends decide the classes, so they are looked at a little longer than a verdict takes. */
#define MIN_END_PAIRS 8
#define MAX_REPEATS 100
#define MIN_ANCHOR_RUNS 4

static int options_check(const struct search_options *options, struct err *err)
{
	const size_t max_confirm_pairs = options->max_confirm_pairs;

	if (options->last < 1 || options->last > SEARCH_MAX_POSITIONS)
		return err_set(err, ERR_USAGE, "%zu candidates are not in 1..%d", options->last,
			       SEARCH_MAX_POSITIONS);
	if (!(options->level > 0.5 && options->level < 1.0))
		return err_set(err, ERR_USAGE, "probability %g of the answer is not in 0.5..1",
			       options->level);
	if (options->nr_repeats < 1 || options->nr_repeats > MAX_REPEATS)
		return err_set(err, ERR_USAGE, "%zu runs per query are not in 1..%d",
			       options->nr_repeats, MAX_REPEATS);
	if (options->max_runs < 1 || options->max_runs > SEARCH_MAX_RUNS)
		return err_set(err, ERR_USAGE, "budget of %zu runs is not in 1..%d",
			       options->max_runs, SEARCH_MAX_RUNS);
	if (options->max_restarts > SEARCH_MAX_RESTARTS)
		return err_set(err, ERR_USAGE, "%zu restarts are more than %d",
			       options->max_restarts, SEARCH_MAX_RESTARTS);
	if (options->max_end_pairs < MIN_END_PAIRS || options->max_end_pairs > LEVELS_MAX_PAIRS)
		return err_set(err, ERR_USAGE, "%zu pairs of the ends are not in %d..%d",
			       options->max_end_pairs, MIN_END_PAIRS, LEVELS_MAX_PAIRS);
	if (max_confirm_pairs > 0 &&
	    (max_confirm_pairs < LEVELS_MIN_PAIRS || max_confirm_pairs > LEVELS_MAX_PAIRS))
		return err_set(err, ERR_USAGE, "%zu pairs of the confirmation are not in %d..%d",
			       max_confirm_pairs, LEVELS_MIN_PAIRS, LEVELS_MAX_PAIRS);
	return 0;
}

/* Each comparison of a search has coins of its own. */
static int compare_start(struct search *search, struct pairing *pairing,
			 struct pairing_config *config, struct err *err)
{
	config->seed = search->options.seed ^ rng_mix64(search->nr_comparisons);
	search->nr_comparisons++;
	return pairing_init(pairing, config, err);
}

static int ends_start(struct search *search, struct err *err)
{
	struct pairing_config config = {
		.rule = search->options.rule,
		.min_pairs = MIN_END_PAIRS,
		.max_pairs = search->options.max_end_pairs,
	};

	return compare_start(search, &search->ends, &config, err);
}

/* How good and bad look now; that they differ is known. */
static void anchor_start(struct search *search)
{
	struct pairing_config config = {
		.rule = search->options.rule,
		.min_pairs = MIN_END_PAIRS,
		.max_pairs = MIN_END_PAIRS,
	};
	int ret = compare_start(search, &search->anchor, &config, NULL);

	assert(ret == 0); /* the options were checked */
	(void)ret;
	search->nr_runs_at_anchor = search->nr_search_runs;
	search->phase = SEARCH_ANCHOR;
}

/* Any size will do. */
static void confirm_start(struct search *search)
{
	struct pairing_config config = {
		.rule = search->options.rule,
		.min_pairs = LEVELS_MIN_PAIRS,
		.max_pairs = search->options.max_confirm_pairs,
	};
	int ret;

	config.rule.min_effect = 0.0;
	config.rule.min_effect_points = 0.0;
	ret = compare_start(search, &search->confirm, &config, NULL);
	assert(ret == 0); /* the options were checked */
	(void)ret;
	search->phase = SEARCH_CONFIRM;
}

int search_new(const struct search_options *options, struct search **ret_search, struct err *err)
{
	CLEANUP(search) struct search *search = NULL;
	int ret = options_check(options, err);

	if (ret < 0)
		return ret;
	search = xcalloc(1, sizeof(*search));
	search->options = *options;
	ret = ends_start(search, err);
	if (ret < 0)
		return ret;
	search->positions = xcalloc(options->last + 1, sizeof(*search->positions));
	posterior_init(&search->posterior, options->last);
	*ret_search = ptr_take(search);
	return 0;
}

void search_free(struct search *search)
{
	if (!search)
		return;
	posterior_release(&search->posterior);
	free(search->positions);
	free(search);
}

static void step_of_pairs(const struct pairing *pairing, size_t good, size_t bad,
			  struct search_step *step)
{
	step->position = pairing_wants_a(pairing) ? good : bad;
	step->nr_runs = 1;
	step->good = good;
	step->bad = bad;
	step->nr_pairs = pairing->look.nr_pairs;
}

void search_next(const struct search *search, struct search_step *ret_step)
{
	struct search_step step = { .phase = search->phase };

	if (search->phase == SEARCH_ENDS) {
		step_of_pairs(&search->ends, 0, search->options.last, &step);
	} else if (search->phase == SEARCH_ANCHOR) {
		step_of_pairs(&search->anchor, 0, search->options.last, &step);
	} else if (search->phase == SEARCH_QUERY) {
		step.position = search->query;
		step.nr_runs = search->nr_due;
	} else if (search->phase == SEARCH_CONFIRM) {
		step_of_pairs(&search->confirm, search->found.after, search->found.upto, &step);
	}
	*ret_step = step;
}

static void search_end(struct search *search, enum search_state state)
{
	search->state = state;
	search->phase = SEARCH_DONE;
	search->found = *posterior_best(&search->posterior);
}

/* One hypothesis is probable enough. */
static void answer_start(struct search *search)
{
	search->found = *posterior_best(&search->posterior);
	/* The ends were compared already. */
	if (search->posterior.nr_testable == 2)
		search_end(search,
			   search->options.last == 1 ? SEARCH_FOUND : SEARCH_NOTHING_TESTABLE);
	else if (search->options.max_confirm_pairs == 0)
		search_end(search, SEARCH_FOUND);
	else
		confirm_start(search);
}

/* Runs after which the ends are due again. What led an answer astray was mostly a drift that was
 * faster than that: twice as often after each restart. */
static bool anchor_is_due(const struct search *search)
{
	size_t nr = search->options.nr_anchor_runs >> search->nr_restarts;

	if (search->options.nr_anchor_runs == 0)
		return false;
	if (nr < MIN_ANCHOR_RUNS)
		nr = MIN_ANCHOR_RUNS;
	return search->nr_search_runs - search->nr_runs_at_anchor >= nr;
}

/* All that is known is in the posterior: what now? */
static void search_advance(struct search *search)
{
	const struct search_options *options = &search->options;
	size_t nr_left = options->max_runs - search->nr_search_runs;

	search->confirm = (struct pairing){ .is_half = false };
	if (search->posterior.nr_testable == 2 ||
	    posterior_best(&search->posterior)->probability >= options->level) {
		answer_start(search);
		return;
	}
	if (nr_left == 0) {
		search_end(search, SEARCH_NO_BUDGET);
		return;
	}
	if (anchor_is_due(search)) {
		anchor_start(search);
		return;
	}
	search->phase = SEARCH_QUERY;
	search->query = posterior_median(&search->posterior);
	search->nr_due = options->nr_repeats < nr_left ? options->nr_repeats : nr_left;
}

static void ends_learn(struct search *search, const struct pairing *pairing)
{
	const struct stop *stop = &pairing->stop;
	enum scale scale = pairing->look.decision.scale;

	classes_init(&search->classes, scale, stop->a, stop->b, stop->nr_pairs);
	for (size_t i = 0; i < stop->nr_pairs; i++) {
		posterior_add(&search->posterior, 0, classes_find(&search->classes, stop->a[i]));
		posterior_add(&search->posterior, search->options.last,
			      classes_find(&search->classes, stop->b[i]));
	}
}

static void anchor_add(struct search *search, double value)
{
	pairing_add(&search->anchor, value);
	search->nr_anchor_runs++;
	if (!pairing_is_over(&search->anchor))
		return;
	ends_learn(search, &search->anchor);
	posterior_update(&search->posterior);
	search_advance(search);
}

static void ends_add(struct search *search, double value)
{
	enum finding wanted = search->options.direction;
	enum finding finding;

	pairing_add(&search->ends, value);
	if (!pairing_is_over(&search->ends))
		return;
	finding = pairing_finding(&search->ends);
	if (!pairing_has_effect(&search->ends)) {
		search_end(search, SEARCH_NOT_REPRODUCIBLE);
	} else if (wanted != FINDING_UNDECIDED && wanted != finding) {
		search_end(search, SEARCH_OPPOSITE);
	} else {
		ends_learn(search, &search->ends);
		posterior_update(&search->posterior);
		search_advance(search);
	}
}

static void query_add(struct search *search, double value)
{
	posterior_add(&search->posterior, search->query, classes_find(&search->classes, value));
	search->nr_search_runs++;
	posterior_update(&search->posterior);
	if (--search->nr_due == 0)
		search_advance(search);
}

/* What was measured until now led astray. */
static void restart(struct search *search)
{
	search->nr_restarts++;
	search->confirm = (struct pairing){ .is_half = false };
	posterior_forget(&search->posterior);
	posterior_update(&search->posterior);
	anchor_start(search);
}

static void confirm_add(struct search *search, double value)
{
	pairing_add(&search->confirm, value);
	search->nr_confirm_runs++;
	if (!pairing_is_over(&search->confirm))
		return;
	if (pairing_finding(&search->confirm) != pairing_finding(&search->ends) &&
	    search->nr_restarts < search->options.max_restarts &&
	    search->nr_search_runs < search->options.max_runs)
		restart(search);
	else
		search_end(search, SEARCH_FOUND);
}

int search_add(struct search *search, size_t position, double value, struct err *err)
{
	struct search_step step;

	search_next(search, &step);
	if (step.phase == SEARCH_DONE)
		return err_set(err, ERR_INPUT, "run of candidate %zu after the end of the search",
			       position);
	if (position != step.position)
		return err_set(err, ERR_INPUT, "run of candidate %zu where one of %zu is due",
			       position, step.position);
	if (!isfinite(value))
		return err_set(err, ERR_INPUT, "value %g of candidate %zu is not a number", value,
			       position);
	search->positions[position].nr_runs++;
	if (step.phase == SEARCH_ENDS)
		ends_add(search, value);
	else if (step.phase == SEARCH_QUERY)
		query_add(search, value);
	else if (step.phase == SEARCH_ANCHOR)
		anchor_add(search, value);
	else
		confirm_add(search, value);
	return 0;
}

static void end_untestable(struct search *search, size_t position)
{
	search->untestable_end = position;
	/* An answer that cannot be confirmed is one nevertheless. */
	search_end(search, search->phase == SEARCH_CONFIRM ? SEARCH_FOUND : SEARCH_END_UNTESTABLE);
}

/* Whether what is being confirmed is still the answer. */
static bool answer_stands(const struct search *search)
{
	const struct search_hypothesis *best = posterior_best(&search->posterior);

	return best->after == search->found.after && best->upto == search->found.upto &&
	       best->probability >= search->options.level;
}

void search_untestable(struct search *search, size_t position)
{
	size_t last = search->options.last;

	if (position > last || search->phase == SEARCH_DONE ||
	    search->positions[position].is_untestable)
		return;
	search->positions[position].is_untestable = true;
	search->nr_untestable++;
	if (position == 0 || position == last) {
		end_untestable(search, position);
		return;
	}
	posterior_remove(&search->posterior, position);
	posterior_update(&search->posterior);
	if (search->phase == SEARCH_QUERY && position == search->query)
		search_advance(search);
	else if (search->phase == SEARCH_CONFIRM && !answer_stands(search))
		search_advance(search);
}
