/* SPDX-License-Identifier: GPL-2.0-or-later */
/* search_answer: what a noisy bisection knows, at any time. */
#include <math.h>

#include "analysis/search_state.h"

const char *search_phase_name(enum search_phase phase)
{
	static const char *const names[] = {
		[SEARCH_ENDS] = "ends",	      [SEARCH_QUERY] = "search", [SEARCH_ANCHOR] = "anchor",
		[SEARCH_CONFIRM] = "confirm", [SEARCH_DONE] = "done",
	};

	return names[phase];
}

const char *search_state_name(enum search_state state)
{
	static const char *const names[] = {
		[SEARCH_RUNNING] = "running",
		[SEARCH_FOUND] = "found",
		[SEARCH_NOT_REPRODUCIBLE] = "not_reproducible",
		[SEARCH_OPPOSITE] = "opposite",
		[SEARCH_END_UNTESTABLE] = "end_untestable",
		[SEARCH_NOTHING_TESTABLE] = "nothing_testable",
		[SEARCH_NO_BUDGET] = "no_budget",
	};

	return names[state];
}

const struct search_hypothesis *search_posterior(const struct search *search, size_t *ret_nr)
{
	*ret_nr = search->posterior.nr_testable - 1;
	return search->posterior.hypotheses;
}

size_t search_nr_runs(const struct search *search, size_t position)
{
	return search->positions[position].nr_runs;
}

bool search_is_untestable(const struct search *search, size_t position)
{
	return search->positions[position].is_untestable;
}

static void answer_rank(const struct posterior *posterior, struct search_answer *answer)
{
	for (size_t i = 0; i + 1 < posterior->nr_testable; i++) {
		const struct search_hypothesis *hypothesis = &posterior->hypotheses[i];
		size_t rank = answer->nr_best;

		while (rank > 0 && answer->best[rank - 1].probability < hypothesis->probability) {
			if (rank < SEARCH_NR_BEST)
				answer->best[rank] = answer->best[rank - 1];
			rank--;
		}
		if (rank < SEARCH_NR_BEST)
			answer->best[rank] = *hypothesis;
		if (answer->nr_best < SEARCH_NR_BEST)
			answer->nr_best++;
	}
}

static void answer_compare(const struct search *search, struct search_answer *answer)
{
	const struct pairing *ends = &search->ends;
	const struct pairing *confirm = &search->confirm;
	enum finding finding = pairing_finding(ends);

	answer->effect_share = NAN;
	if (ends->look.nr_pairs == 0)
		return;
	answer->ends = ends->look.decision;
	answer->spread = stop_spread(&ends->stop);
	answer->is_noise_larger =
		pairing_has_effect(ends) && answer->spread > fabs(pairing_shift(ends));
	if (search->phase == SEARCH_DONE && search->posterior.nr_testable == 2)
		answer->is_confirmed = search->state == SEARCH_FOUND;
	if (confirm->look.nr_pairs == 0)
		return;
	answer->confirmation = confirm->look.decision;
	answer->is_confirmed = pairing_finding(confirm) == finding;
	if (!answer->is_confirmed || confirm->look.decision.scale != ends->look.decision.scale)
		return;
	answer->effect_share = pairing_shift(confirm) / pairing_shift(ends);
	answer->has_other_change = answer->effect_share < SEARCH_OTHER_CHANGE_SHARE;
}

void search_answer(const struct search *search, struct search_answer *ret_answer)
{
	bool has_found = search->phase == SEARCH_DONE || search->phase == SEARCH_CONFIRM;
	const struct search_hypothesis *found =
		has_found ? &search->found : posterior_best(&search->posterior);
	struct search_answer answer = {
		.state = search->state,
		.last_good = found->after,
		.first_bad = found->upto,
		.probability = found->probability,
		.nr_end_runs = pairing_nr_runs(&search->ends),
		.nr_anchor_runs = search->nr_anchor_runs,
		.nr_search_runs = search->nr_search_runs,
		.nr_confirm_runs = search->nr_confirm_runs,
		.nr_restarts = search->nr_restarts,
		.nr_untestable = search->nr_untestable,
		.untestable_end = search->untestable_end,
	};

	answer_rank(&search->posterior, &answer);
	answer_compare(search, &answer);
	*ret_answer = answer;
}
