/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settings_answer: what a search among settings has found, and the names of it. */
#include "analysis/settings_state.h"

#include <math.h>

const char *settings_phase_name(enum settings_phase phase)
{
	static const char *const names[] = {
		[SETTINGS_ENDS] = "ends",   [SETTINGS_MISSING] = "missing",
		[SETTINGS_LOOK] = "look",   [SETTINGS_CONFIRM] = "confirm",
		[SETTINGS_ALONE] = "alone", [SETTINGS_WITHOUT] = "without",
		[SETTINGS_REST] = "rest",   [SETTINGS_DONE] = "done",
	};

	return names[phase];
}

const char *settings_state_name(enum settings_state state)
{
	static const char *const names[] = {
		[SETTINGS_RUNNING] = "running",
		[SETTINGS_FOUND] = "found",
		[SETTINGS_NOT_REPRODUCIBLE] = "not_reproducible",
		[SETTINGS_OPPOSITE] = "opposite",
		[SETTINGS_END_UNTESTABLE] = "end_untestable",
		[SETTINGS_NO_BUDGET] = "no_budget",
	};

	return names[state];
}

const char *settings_interplay_name(enum settings_interplay interplay)
{
	static const char *const names[] = {
		[SETTINGS_SINGLE] = "single",
		[SETTINGS_ADDITIVE] = "additive",
		[SETTINGS_TOGETHER] = "together",
		[SETTINGS_MIXED] = "mixed",
	};

	return names[interplay];
}

static enum settings_interplay interplay_of(const struct settings_member_list *members)
{
	size_t nr_alone = 0;

	VEC_FOREACH (members, member)
		nr_alone += member->counts_alone;
	if (members->nr < 2)
		return SETTINGS_SINGLE;
	if (nr_alone == 0)
		return SETTINGS_TOGETHER;
	return nr_alone == members->nr ? SETTINGS_ADDITIVE : SETTINGS_MIXED;
}

void settings_search_answer(const struct settings_search *search,
			    struct settings_answer *ret_answer)
{
	*ret_answer = search->answer;
	ret_answer->state = search->state;
	ret_answer->members = search->members.items;
	ret_answer->nr_members = search->members.nr;
	ret_answer->interplay = interplay_of(&search->members);
}

size_t settings_search_open(const struct settings_search *search, struct settings_open *ret_open)
{
	bool is_open = search->state == SETTINGS_RUNNING || search->state == SETTINGS_NO_BUDGET;
	const struct search_hypothesis *items;
	size_t nr;

	if (!is_open || search->phase == SETTINGS_ENDS || search->are_rounds_over)
		return 0;
	for (size_t i = 0; i < search->nr_chain; i++)
		ret_open[i] = (struct settings_open){ search->chain[i], NAN };
	if (!search->round) /* the budget ended between two rounds */
		return search->nr_chain;
	items = search_posterior(search->round, &nr);
	for (size_t i = 0; i < nr; i++) {
		double share = items[i].probability / (double)(items[i].upto - items[i].after);

		for (size_t j = items[i].after; j < items[i].upto; j++)
			ret_open[j].probability = share;
	}
	return search->nr_chain;
}
