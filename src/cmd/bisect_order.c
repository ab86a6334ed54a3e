/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect_order: the quest for the first bad one of ordered candidates. */
#include <math.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "cmd/bisect.h"
#include "stats/levels.h"

/* Tells trials of the phases apart where seeds are numbered. */
#define PHASE_SEEDS 1000000
#define RESTART_SEEDS 1000
#define MIN_RUNS_OF_ESTIMATE 5

static int order_begin(struct bisect *bisect, struct err *err)
{
	const struct bisect_config *config = bisect->config;
	const struct search_options options = {
		.last = bisect_nr(bisect) - 1,
		.direction = bisect->direction ? bisect->direction : bisect_direction(bisect),
		.rule = bisect_rule(bisect),
		.level = config->level,
		.nr_repeats = config->nr_repeats,
		.max_runs = config->max_runs,
		.max_end_pairs = config->max_end_pairs,
		.max_confirm_pairs = config->max_confirm_pairs,
		.nr_anchor_runs = config->nr_anchor_runs,
		.max_restarts = config->max_restarts,
		.seed = bisect->session->seed + bisect->first_seed,
	};

	search_free(bisect->search);
	bisect->search = NULL;
	return search_new(&options, &bisect->search, err);
}

/* The same for both sides of a pair, and for repetitions of a trial that failed. */
static uint64_t seed_nr_of(const struct search_step *step, const struct search_answer *answer)
{
	uint64_t first = (uint64_t)step->phase * PHASE_SEEDS + 1;

	if (step->phase == SEARCH_QUERY)
		return first + answer->nr_search_runs;
	if (step->phase == SEARCH_ANCHOR)
		return first + answer->nr_anchor_runs / 2;
	return first + answer->nr_restarts * RESTART_SEEDS + step->nr_pairs;
}

static const char *pairs_text(unsigned phase)
{
	return phase == SEARCH_ENDS	? "is it reproducible"
	       : phase == SEARCH_ANCHOR ? "the ends again"
					: "confirm";
}

static void order_next(struct bisect *bisect, struct bisect_step *ret_step)
{
	struct search_answer answer;
	struct search_step step;

	search_next(bisect->search, &step);
	search_answer(bisect->search, &answer);
	*ret_step = (struct bisect_step){
		.is_done = step.phase == SEARCH_DONE,
		.phase = step.phase,
		.is_single = step.phase == SEARCH_QUERY,
		.position = step.position,
		.nr_pairs = step.nr_pairs,
		.seed_nr = bisect->first_seed + seed_nr_of(&step, &answer),
	};
}

static int order_add(struct bisect *bisect, size_t position, double value, struct err *err)
{
	return search_add(bisect->search, position, value, err);
}

static void order_untestable(struct bisect *bisect, size_t position)
{
	search_untestable(bisect->search, position);
}

static int order_prepare(struct bisect *bisect, size_t position, struct candidate_setup *ret_setup,
			 struct err *err)
{
	return candidate_prepare(&bisect->source, position, ret_setup, err);
}

static size_t order_bad_end(const struct bisect *bisect)
{
	return bisect_nr(bisect) - 1;
}

static const char *order_phase_name(unsigned phase)
{
	return search_phase_name((enum search_phase)phase);
}

double bisect_entropy(const struct search *search)
{
	size_t nr;
	const struct search_hypothesis *items = search_posterior(search, &nr);
	double entropy = 0;

	for (size_t i = 0; i < nr; i++) {
		if (items[i].probability > 0)
			entropy -= items[i].probability * log2(items[i].probability);
	}
	return entropy;
}

static uint64_t estimate_left_ns(const struct bisect *bisect, const struct search_answer *answer)
{
	uint64_t trial_ns = bisect->nr_run ? bisect->run_ns / bisect->nr_run : 0;
	double gained, left;

	if (bisect->nr_search_run < MIN_RUNS_OF_ESTIMATE)
		return 0;
	left = bisect_entropy(bisect->search);
	gained = bisect->first_entropy - left;
	if (gained <= 0)
		return 0;
	left *= (double)bisect->nr_search_run / gained; /* runs, if they tell as much as before */
	left = fmin(left, bisect->config->max_runs - (double)answer->nr_search_runs);
	return (uint64_t)(left + 2 * LEVELS_MIN_PAIRS) * trial_ns;
}

static void order_say(struct bisect *bisect, const struct bisect_step *step, struct strbuf *line)
{
	const uint64_t second_ns = 1000000000;
	struct search_answer answer;
	char left[UNITS_TEXT_LEN];
	uint64_t left_ns;

	search_answer(bisect->search, &answer);
	if (!step->is_single) {
		strbuf_printf(line, "%s: pair %zu", pairs_text(step->phase), step->nr_pairs + 1);
		return;
	}
	if (bisect->nr_search_run++ == 0)
		bisect->first_entropy = bisect_entropy(bisect->search);
	left_ns = estimate_left_ns(bisect, &answer) / second_ns * second_ns;
	strbuf_printf(line, "search: %.0f %% in %.40s", 100 * answer.probability,
		      bisect_candidate(bisect, answer.first_bad)->name);
	if (left_ns)
		strbuf_printf(line, ", about %s left",
			      units_print_duration_ns(left_ns, left, sizeof(left)));
}

static void order_left_ends(const struct bisect *bisect)
{
	struct search_answer answer;

	search_answer(bisect->search, &answer);
	if (answer.is_noise_larger)
		bisect_warn_noise(answer.spread);
}

const struct bisect_quest bisect_order = {
	.begin = order_begin,
	.next = order_next,
	.add = order_add,
	.untestable = order_untestable,
	.prepare = order_prepare,
	.bad_end = order_bad_end,
	.phase_name = order_phase_name,
	.say = order_say,
	.left_ends = order_left_ends,
	.verdict = bisect_verdict,
	.report = bisect_report,
	.visualise = bisect_visualise,
	.json = bisect_report_json,
};
