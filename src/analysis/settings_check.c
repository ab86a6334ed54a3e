/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settings_check: what the settings that were found do alone, and what happens without them. */
#include "analysis/settings_state.h"

#include <assert.h>
#include <string.h>

#include "stats/levels.h"

void settings_check_step(struct settings_search *search)
{
	struct settings_step *step = &search->step;
	const struct settings_member *member = NULL;

	if (search->phase != SETTINGS_REST)
		member = &search->members.items[search->checked];
	if (search->phase == SETTINGS_WITHOUT) {
		subset_set_found(search, search->changed);
		subset_set_found(search, search->base);
		subset_assign(search->base, member->settings, member->nr, false);
	} else {
		memset(search->base, 0, search->options.nr * sizeof(*search->base));
		memset(search->changed, 0, search->options.nr * sizeof(*search->changed));
		if (member)
			subset_assign(search->changed, member->settings, member->nr, true);
		for (size_t i = 0; !member && i < search->options.nr; i++)
			search->changed[i] = !search->is_found[i];
	}
	step->nr_runs = 1;
	step->nr_pairs = search->pairing.look.nr_pairs;
	step->subset = pairing_wants_a(&search->pairing) ? search->base : search->changed;
}

static void check_start(struct settings_search *search, enum settings_phase phase)
{
	struct pairing_config config = {
		.rule = settings_share_rule(search),
		.min_pairs = LEVELS_MIN_PAIRS,
		.max_pairs = search->options.max_pairs,
		.seed = rng_next(&search->rng),
	};
	int ret = pairing_init(&search->pairing, &config, NULL);

	assert(ret == 0); /* the first round took the same options */
	(void)ret;
	search->phase = phase;
}

/* Whether b differs from a as all differs from none, by a share that counts. Where the pairs did
 * not decide the estimate does. */
static bool check_counts(const struct settings_search *search)
{
	enum finding finding = pairing_finding(&search->pairing);
	double share;

	if (finding != FINDING_UNDECIDED || search->pairing.look.nr_pairs == 0)
		return finding == search->direction;
	share = pairing_shift(&search->pairing) / search->shift;
	return share >= SETTINGS_SEARCH_MIN_SHARE;
}

static size_t nr_found(const struct settings_search *search)
{
	size_t nr = 0;

	for (size_t i = 0; i < search->options.nr; i++)
		nr += search->is_found[i];
	return nr;
}

/* All that differs is one member: it was compared already. */
static void member_is_all(struct settings_search *search)
{
	struct settings_member *member = &search->members.items[0];

	member->alone = search->answer.ends;
	member->without = search->answer.ends;
	member->counts_alone = true;
	settings_end(search, SETTINGS_FOUND);
}

/* Begins the check of member number `checked` in this phase, or what follows. */
static void check_next(struct settings_search *search, enum settings_phase phase, size_t checked)
{
	size_t nr = search->members.nr;
	bool is_all = nr_found(search) == search->options.nr;

	if (phase == SETTINGS_WITHOUT && (nr < 2 || checked == nr)) {
		phase = SETTINGS_ALONE;
		checked = 0;
	}
	search->checked = checked;
	if (nr == 1 && is_all)
		member_is_all(search);
	else if (checked < nr)
		check_start(search, phase);
	else if (!is_all)
		check_start(search, SETTINGS_REST);
	else
		settings_end(search, SETTINGS_FOUND);
}

/* A member that is not needed is none. */
static void member_drop(struct settings_search *search, size_t index)
{
	struct settings_member *members = search->members.items;

	subset_assign(search->is_found, members[index].settings, members[index].nr, false);
	search->members.nr--;
	memmove(&members[index], &members[index + 1],
		(search->members.nr - index) * sizeof(*members));
}

/* The check is over, or cannot be made. */
static void check_end(struct settings_search *search, bool is_testable)
{
	struct settings_member *member =
		search->phase == SETTINGS_REST ? NULL : &search->members.items[search->checked];
	struct decision decision = { .nr_a = 0 };
	bool counts = is_testable && check_counts(search);

	if (is_testable)
		decision = search->pairing.look.decision;
	if (!member) {
		search->answer.rest = decision;
		search->answer.rest_counts = counts;
		settings_end(search, SETTINGS_FOUND);
	} else if (search->phase == SETTINGS_ALONE) {
		member->alone = decision;
		member->counts_alone = counts;
		if (search->members.nr == 1)
			member->without = decision;
		check_next(search, SETTINGS_ALONE, search->checked + 1);
	} else if (counts || !is_testable) {
		member->without = decision;
		check_next(search, SETTINGS_WITHOUT, search->checked + 1);
	} else {
		member_drop(search, search->checked);
		check_next(search, SETTINGS_WITHOUT, search->checked);
	}
}

void settings_check_begin(struct settings_search *search)
{
	check_next(search, SETTINGS_WITHOUT, 0);
}

void settings_check_add(struct settings_search *search, double value)
{
	pairing_add(&search->pairing, value);
	if (pairing_is_over(&search->pairing))
		check_end(search, true);
}

void settings_check_untestable(struct settings_search *search)
{
	check_end(search, false);
}
