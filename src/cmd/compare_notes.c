/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare_notes: what a reader must know before believing a comparison. */
#include "cmd/compare.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/label.h"
#include "base/arena.h"
#include "base/strbuf.h"
#include "cmd/env_report.h"

static const struct side *new_side(const struct compare *compare, size_t pair)
{
	return &compare->sides[compare->pair_sides[pair]];
}

const char *compare_new_label(const struct compare *compare, size_t pair)
{
	return new_side(compare, pair)->label;
}

/* ---- the sides ---- */

static void note_changes(struct compare *compare, size_t side)
{
	const struct side *base = &compare->sides[0], *new = &compare->sides[side];
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };
	size_t nr_parts = label_nr_changes(base->label, new->label);
	size_t nr_things;

	env_report_diff(base, new, &diff);
	nr_things = env_diff_nr_things(&diff);
	if (nr_parts > 1)
		note_add(&compare->notes, NOTE_CHANGED_AT_ONCE,
			 "%zu things were changed at once, by their names: '%s' -> '%s'", nr_parts,
			 base->label, new->label);
	else if (nr_things > 1)
		note_add(&compare->notes, NOTE_CHANGED_AT_ONCE,
			 "%zu things differ between '%s' and '%s'; see the table of differences",
			 nr_things, base->label, new->label);
	env_report_notes(&compare->notes, base, new, false);
}

/* Times of the first and last run of a side; false if a run does not say when it began. */
static bool side_times(const struct side *side, int64_t *ret_first, int64_t *ret_last)
{
	bool is_first = true;

	VEC_FOREACH (&side->cohorts, cohort) {
		VEC_FOREACH (&(*cohort)->runs, run) {
			if (!run->started_at_unix_ms)
				return false;
			if (is_first || run->started_at_unix_ms < *ret_first)
				*ret_first = run->started_at_unix_ms;
			if (is_first || run->started_at_unix_ms > *ret_last)
				*ret_last = run->started_at_unix_ms;
			is_first = false;
		}
	}
	return !is_first;
}

/* Sides whose runs do not overlap in time differ in time too. */
static void note_order(struct compare *compare, size_t side)
{
	const struct side *base = &compare->sides[0], *new = &compare->sides[side];
	int64_t base_first, base_last, new_first, new_last;

	if (!side_times(base, &base_first, &base_last) || !side_times(new, &new_first, &new_last)) {
		note_add(&compare->notes, NOTE_NOT_INTERLEAVED,
			 "in which order '%s' and '%s' were measured is not known", base->label,
			 new->label);
		return;
	}
	if (base_last < new_first || new_last < base_first)
		note_add(&compare->notes, NOTE_NOT_INTERLEAVED,
			 "'%s' and '%s' were not measured in turns: time and change are confounded",
			 base->label, new->label);
}

static bool has_verdicts(const struct compare *compare)
{
	for (size_t i = 0; i < compare->table.nr; i++) {
		if (compare->table.rows[i].comparison.decision.is_tested)
			return true;
	}
	return false;
}

/* ---- the workloads ---- */

static void note_cohort(struct compare *compare, const struct cohort *cohort, const char *label)
{
	if (cohort->nr_repeated)
		note_add(&compare->notes, NOTE_REPEATED_RESULT,
			 "'%s': %zu result%s repeated another one to the last digit and counted "
			 "once",
			 label, cohort->nr_repeated, cohort->nr_repeated == 1 ? "" : "s");
	if (cohort->nr_failed)
		note_add(&compare->notes, NOTE_FAILED_RUNS,
			 "'%s': %zu of %zu runs ended with an error; their numbers take no part",
			 label, cohort->nr_failed, cohort->runs.nr);
}

static const char *workload_name(const struct cohort *cohort)
{
	return *cohort->workload ? cohort->workload : "unnamed";
}

static void note_pair(struct compare *compare, size_t index)
{
	const struct cohort_pair *pair = &compare->pairs.items[index];
	const char *base_label = compare->sides[0].label;
	const char *new_label = compare_new_label(compare, index);

	if (!pair->base || !pair->new) {
		note_add(&compare->notes, NOTE_NOT_COMPARED, "only '%s' has the workload %s",
			 pair->base ? base_label : new_label,
			 workload_name(pair->base ? pair->base : pair->new));
		return;
	}
	if (pair->match == COHORT_MATCH_OTHER)
		note_add(&compare->notes, NOTE_WORKLOADS_DIFFER, "'%s' ran %s; '%s' ran %s",
			 base_label, workload_name(pair->base), new_label,
			 workload_name(pair->new));
	note_cohort(compare, pair->base, base_label);
	note_cohort(compare, pair->new, new_label);
}

char *compare_workload_note(const struct compare *compare, size_t pair)
{
	size_t nr = 0;

	for (size_t i = 0; i < compare->pairs.nr; i++)
		nr += compare->pairs.items[i].base && compare->pairs.items[i].new &&
		      compare->pair_sides[i] == compare->pair_sides[pair];
	if (nr < 2)
		return xstrdup("");
	return xasprintf(" (%s)", workload_name(compare->pairs.items[pair].base));
}

/* ---- the rows ---- */

static void note_primary(struct compare *compare, const struct metric_row *row)
{
	const struct comparison *comparison = &row->comparison;
	const struct decision *decision = &comparison->decision;
	CLEANUP(free) char *workload = compare_workload_note(compare, row->pair);
	char text[VERDICT_TEXT_LEN];

	if (row->kind == ROW_POSTED)
		note_add(&compare->notes, NOTE_ONLY_MEANS,
			 "of %s only means of several runs are known", row->metric);
	if (row->kind != ROW_MEASURED)
		return;
	if (decision->is_significant && decision->finding != FINDING_LOWER &&
	    decision->finding != FINDING_HIGHER) {
		verdict_format_effect(decision, text);
		note_add(&compare->notes, NOTE_BELOW_MIN_EFFECT,
			 "%s changed for certain, but by less than %.3g %%: %s", row->metric,
			 100 * row->min_effect, text);
	}
	if (comparison->slow_runs.p <= compare->config->alpha)
		note_add(&compare->notes, NOTE_SLOW_RUNS,
			 "slow runs by %s: %zu of %zu of the base, %zu of %zu of '%s'", row->metric,
			 comparison->slow_runs.nr_a, decision->nr_a, comparison->slow_runs.nr_b,
			 decision->nr_b, compare_new_label(compare, row->pair));
	if (comparison->is_skewed)
		note_add(&compare->notes, NOTE_SKEWED,
			 "mean and median of %s differ by more than 3 %%: means change by %+.1f %% "
			 "to '%s'%s",
			 row->metric, 100 * (comparison->ratio_of_means - 1),
			 compare_new_label(compare, row->pair), workload);
	if (comparison->has_drift)
		note_add(&compare->notes, NOTE_NOT_INDEPENDENT,
			 "the runs of '%s' or of the base depend on their order in %s",
			 compare_new_label(compare, row->pair), row->metric);
}

static void note_rows(struct compare *compare)
{
	size_t nr_tested = 0;

	for (size_t i = 0; i < compare->table.nr; i++) {
		const struct metric_row *row = &compare->table.rows[i];

		if (row->use == ROW_PRIMARY)
			note_primary(compare, row);
		nr_tested += row->use == ROW_OTHER && row->comparison.decision.is_tested;
	}
	if (compare->table.is_too_few_runs)
		note_add(&compare->notes, NOTE_MANY_METRICS,
			 "too few runs for %zu metrics: no change of a metric that was not named "
			 "beforehand could be certain",
			 nr_tested);
}

/* Passes over a number behind a blank, with its unit: "65:", "10m24s". */
static const char *skip_number(const char *text)
{
	bool is_one = *text >= '0' && *text <= '9' && text[-1] == ' ';

	return is_one ? text + strcspn(text, " ,;:") : text;
}

/* Whether they differ in numbers only. */
static bool is_alike(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a = skip_number(a + 1);
		b = skip_number(b + 1);
	}
	return *a == *b;
}

/* Runs and lines say it in numbers of their own: the first of them, and how many more there are. */
static void note_kind_of_side(struct compare *compare, const struct side *side, enum note_id id)
{
	bool is_of_run = note_kind(id)->is_of_run;
	struct {
		const char *first;
		size_t nr;
	} *groups = xcalloc(side->notes.nr + 1, sizeof(*groups));
	size_t nr = 0;

	for (size_t i = 0; i < side->notes.nr && !note_kind(id)->is_of_output; i++) {
		const char *text = side->notes.items[i].text;
		size_t at = 0;

		if (side->notes.items[i].id != id)
			continue;
		while (at < nr && !is_of_run && !is_alike(groups[at].first, text))
			at++;
		nr += at == nr;
		groups[at].first = groups[at].nr++ ? groups[at].first : text;
	}
	for (size_t i = 0; i < nr; i++) {
		if (groups[i].nr == 1)
			note_add(&compare->notes, id, "%s: %s", side->label, groups[i].first);
		else
			note_add(&compare->notes, id, "%s: %s; and %zu more like it", side->label,
				 groups[i].first, groups[i].nr - 1);
	}
	free(groups);
}

/* What the results said about themselves, one kind after the other. */
static void note_results(struct compare *compare)
{
	for (int id = 0; id < NOTE_NR_IDS; id++) {
		for (size_t i = 0; i < compare->nr_sides; i++)
			note_kind_of_side(compare, &compare->sides[i], (enum note_id)id);
	}
}

void compare_add_notes(struct compare *compare)
{
	for (size_t i = 0; i < compare->pairs.nr; i++)
		note_pair(compare, i);
	for (size_t i = 1; i < compare->nr_sides; i++) {
		note_changes(compare, i);
		if (has_verdicts(compare))
			note_order(compare, i);
	}
	note_rows(compare);
	note_results(compare);
}
