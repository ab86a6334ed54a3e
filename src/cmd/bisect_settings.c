/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect_settings: the quest for the settings that make the difference between two environments. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "cmd/bisect.h"
#include "cmd/tuning.h"

#define PHASE_SEEDS 1000000
#define POSITION_SEEDS 1000
#define NAMED_SETTINGS 3 /* of a subset; more are counted */
#define POSITION_ALL 1

const struct candidate_ops tuning_candidates = {
	.name = "settings",
	.noun = "set of settings",
	.nouns = "sets of settings",
	.summary = "the settings in which two environments differ",
	.needs_range = true, /* the new one */
};

const char *tuning_bits(const struct bisect *bisect, size_t position)
{
	return bisect_candidate(bisect, position)->id;
}

/* ---- subsets as candidates ---- */

/* The keys of those that are (not) in the subset, "a, b". */
static void add_keys(const struct tuning *tuning, const char *bits, char which, struct strbuf *text)
{
	bool is_first = true;

	for (size_t i = 0; bits[i]; i++) {
		if (bits[i] != which)
			continue;
		strbuf_printf(text, "%s%s", is_first ? "" : ", ", tuning->settings.items[i].name);
		is_first = false;
	}
}

static char *subset_name(const struct tuning *tuning, const char *bits)
{
	struct strbuf name = STRBUF_INIT;
	size_t nr = strlen(bits), nr_in = 0;

	for (size_t i = 0; i < nr; i++)
		nr_in += bits[i] == '1';
	if (nr_in == 0) {
		strbuf_add_str(&name, "none");
	} else if (nr_in == nr) {
		strbuf_add_str(&name, "all");
	} else if (nr_in <= NAMED_SETTINGS) {
		add_keys(tuning, bits, '1', &name);
	} else if (nr - nr_in <= NAMED_SETTINGS) {
		strbuf_add_str(&name, "all but ");
		add_keys(tuning, bits, '0', &name);
	} else {
		strbuf_printf(&name, "%zu of %zu, %s", nr_in, nr, bits);
	}
	return strbuf_take(&name);
}

/* The candidate that a subset is; made when it comes for the first time. */
static size_t position_of(struct bisect *bisect, const bool *subset)
{
	struct tuning *tuning = bisect->tuning;
	size_t nr = tuning->settings.nr;
	CLEANUP(free) char *bits = xcalloc(nr + 1, 1);
	CLEANUP(free) char *name = NULL;

	for (size_t i = 0; i < nr; i++)
		bits[i] = subset[i] ? '1' : '0';
	for (size_t i = 0; i < bisect_nr(bisect); i++) {
		if (!strcmp(bisect_candidate(bisect, i)->id, bits))
			return i;
	}
	name = subset_name(tuning, bits);
	candidate_list_add(&bisect->log.candidates, bits, name, "");
	return bisect_nr(bisect) - 1;
}

static void add_ends(struct bisect *bisect)
{
	size_t nr = bisect->tuning->settings.nr;
	CLEANUP(free) bool *subset = xcalloc(nr, sizeof(*subset));

	(void)position_of(bisect, subset);
	for (size_t i = 0; i < nr; i++)
		subset[i] = true;
	(void)position_of(bisect, subset);
}

/* ---- the quest ---- */

static int settings_begin(struct bisect *bisect, struct err *err)
{
	const struct bisect_config *config = bisect->config;
	const struct settings_search_options options = {
		.nr = bisect->tuning->settings.nr,
		.direction = bisect_direction(bisect),
		.rule = bisect_rule(bisect),
		.level = config->level,
		.nr_repeats = config->nr_repeats,
		.max_runs = config->max_runs,
		.max_pairs = config->max_end_pairs,
		.seed = bisect->session->seed,
	};

	add_ends(bisect);
	settings_search_free(bisect->tuning->search);
	bisect->tuning->search = NULL;
	return settings_search_new(&options, &bisect->tuning->search, err);
}

static void settings_next(struct bisect *bisect, struct bisect_step *ret_step)
{
	struct settings_answer answer;
	struct settings_step step;
	size_t partner = 0;

	settings_search_next(bisect->tuning->search, &step);
	settings_search_answer(bisect->tuning->search, &answer);
	*ret_step = (struct bisect_step){
		.is_done = step.phase == SETTINGS_DONE,
		.phase = step.phase,
		.is_single = step.phase == SETTINGS_LOOK,
		.nr_pairs = step.nr_pairs,
	};
	if (ret_step->is_done)
		return;
	ret_step->position = position_of(bisect, step.subset);
	if (step.changed) /* the same for both sides of a pair */
		partner = position_of(bisect, step.changed);
	ret_step->seed_nr = (uint64_t)step.phase * PHASE_SEEDS + 1 + partner * POSITION_SEEDS +
			    (ret_step->is_single ? answer.nr_runs : step.nr_pairs);
}

static int settings_add(struct bisect *bisect, size_t position, double value, struct err *err)
{
	const char *bits = tuning_bits(bisect, position);
	CLEANUP(free) bool *subset = xcalloc(strlen(bits), sizeof(*subset));

	for (size_t i = 0; bits[i]; i++)
		subset[i] = bits[i] == '1';
	return settings_search_add(bisect->tuning->search, subset, value, err);
}

/* Only what is due is ever tried. */
static void settings_untestable(struct bisect *bisect, size_t position)
{
	(void)position;
	settings_search_untestable(bisect->tuning->search);
}

static int settings_prepare(struct bisect *bisect, size_t position,
			    struct candidate_setup *ret_setup, struct err *err)
{
	const char *bits = tuning_bits(bisect, position);

	(void)err;
	*ret_setup = (struct candidate_setup){ .tree = NULL };
	for (size_t i = 0; bits[i]; i++) {
		const struct tuning_values *values = &bisect->tuning->values.items[i];
		const struct setting_list *side =
			&values->sides[bits[i] == '1' ? TUNING_NEW : TUNING_BASE];

		for (size_t j = 0; j < side->nr; j++)
			setting_list_add(&ret_setup->settings, &side->items[j]);
	}
	return 0;
}

static size_t settings_bad_end(const struct bisect *bisect)
{
	(void)bisect;
	return POSITION_ALL;
}

static const char *phase_name(unsigned phase)
{
	return settings_phase_name((enum settings_phase)phase);
}

static void settings_say(struct bisect *bisect, const struct bisect_step *step, struct strbuf *line)
{
	struct settings_answer answer;

	settings_search_answer(bisect->tuning->search, &answer);
	strbuf_printf(line, "%s", phase_name(step->phase));
	if (!step->is_single)
		strbuf_printf(line, ": pair %zu", step->nr_pairs + 1);
	if (answer.nr_members) {
		CLEANUP(free) char *members = tuning_member_text(bisect->tuning, &answer);

		strbuf_printf(line, ", so far %.60s", members);
	}
}

static void settings_left_ends(const struct bisect *bisect)
{
	struct settings_answer answer;

	settings_search_answer(bisect->tuning->search, &answer);
	if (answer.is_noise_larger)
		bisect_warn_noise(answer.spread);
}

static enum verdict settings_verdict(const struct bisect *bisect)
{
	struct settings_answer answer;

	settings_search_answer(bisect->tuning->search, &answer);
	switch (answer.state) {
	case SETTINGS_FOUND:
		return VERDICT_REGRESSION;
	case SETTINGS_NOT_REPRODUCIBLE:
		return bisect_ends_verdict(&answer.ends);
	case SETTINGS_OPPOSITE:
		return VERDICT_NO_DIFFERENCE;
	default:
		return VERDICT_UNDECIDED;
	}
}

const struct bisect_quest bisect_settings = {
	.begin = settings_begin,
	.next = settings_next,
	.add = settings_add,
	.untestable = settings_untestable,
	.prepare = settings_prepare,
	.bad_end = settings_bad_end,
	.phase_name = phase_name,
	.say = settings_say,
	.left_ends = settings_left_ends,
	.verdict = settings_verdict,
	.report = tuning_report,
	.visualise = tuning_visualise,
	.json = tuning_json,
};
