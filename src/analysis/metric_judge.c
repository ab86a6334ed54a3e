/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric_judge: what the rows of a table mean together: adjusted p, verdicts, order. */
#include "analysis/metric_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* ---- verdicts ---- */

static enum verdict row_verdict(const struct metric_table *table, const struct metric_row *row)
{
	enum finding finding = row->comparison.decision.finding;

	if ((finding == FINDING_LOWER || finding == FINDING_HIGHER) &&
	    row->comparison.adjusted_p > table->rule.alpha)
		finding = FINDING_UNDECIDED;
	return verdict_of(finding, row->polarity);
}

/* One family: rows that are adjusted for each other. */
static void judge_family(struct metric_table *table, enum row_use use, enum compare_adjust how)
{
	CLEANUP(free) struct comparison *family = xcalloc(table->nr + 1, sizeof(*family));
	size_t nr = 0;

	for (size_t i = 0; i < table->nr; i++) {
		if (table->rows[i].use == use)
			family[nr++] = table->rows[i].comparison;
	}
	comparisons_adjust(family, nr, how);
	nr = 0;
	for (size_t i = 0; i < table->nr; i++) {
		struct metric_row *row = &table->rows[i];

		if (row->use != use)
			continue;
		row->comparison.adjusted_p = family[nr++].adjusted_p;
		row->verdict = row_verdict(table, row);
	}
}

/* Whether not even the smallest p that these numbers of runs can give would survive. */
static bool is_too_few_runs(const struct metric_table *table)
{
	double smallest_p = 1.0;
	size_t nr_tested = 0;

	for (size_t i = 0; i < table->nr; i++) {
		const struct metric_row *row = &table->rows[i];
		const struct decision *decision = &row->comparison.decision;

		if (row->use != ROW_OTHER || !decision->is_tested)
			continue;
		if (row->comparison.adjusted_p <= table->rule.alpha)
			return false;
		nr_tested++;
		smallest_p = fmin(smallest_p, compare_smallest_p(decision->nr_a, decision->nr_b));
	}
	return nr_tested && smallest_p * (double)nr_tested > table->rule.alpha;
}

void metric_table_judge(struct metric_table *table)
{
	judge_family(table, ROW_PRIMARY, COMPARE_ADJUST_HOLM);
	judge_family(table, ROW_OTHER, COMPARE_ADJUST_BENJAMINI_HOCHBERG);
	judge_family(table, ROW_JOB, COMPARE_ADJUST_BENJAMINI_HOCHBERG);
	table->is_too_few_runs = is_too_few_runs(table);
}

/* Failures that both sides have now and then decide nothing; a surplus does. */
static bool is_undecided_count(const struct metric_row *row)
{
	return row->kind == ROW_COUNTED && row->verdict == VERDICT_UNDECIDED;
}

enum verdict metric_table_verdict(const struct metric_table *table)
{
	enum verdict verdict = VERDICT_UNDECIDED;
	bool is_first = true;

	for (size_t i = 0; i < table->nr; i++) {
		const struct metric_row *row = &table->rows[i];

		if (row->use != ROW_PRIMARY || is_undecided_count(row))
			continue;
		verdict = is_first ? row->verdict : verdict_worse(verdict, row->verdict);
		is_first = false;
	}
	return verdict;
}

/* How bad a change is, as a share: below 0 for a good one. */
static double harm(const struct metric_row *row)
{
	const struct decision *decision = &row->comparison.decision;
	double share = metric_row_effect_share(row);
	bool is_drop = effect_forward(decision->scale, decision->effect) < 0.0;

	if (row->polarity == POLARITY_NONE)
		return share;
	return is_drop == (row->polarity == POLARITY_HIGHER_IS_BETTER) ? share : -share;
}

const struct metric_row *metric_table_worst(const struct metric_table *table)
{
	enum verdict verdict = metric_table_verdict(table);
	const struct metric_row *worst = NULL;

	for (size_t i = 0; i < table->nr; i++) {
		const struct metric_row *row = &table->rows[i];
		bool is_reason = row->verdict == verdict && !is_undecided_count(row);
		bool was_reason = worst && worst->verdict == verdict && !is_undecided_count(worst);

		if (row->use != ROW_PRIMARY)
			continue;
		if (!worst || (is_reason && (!was_reason || harm(row) > harm(worst))))
			worst = row;
	}
	return worst;
}

/* ---- order ---- */

/* Which part of its pair's rows a row belongs to. */
enum place { PLACE_PRIMARY, PLACE_OTHER, PLACE_JOB };

struct sort_key {
	size_t pair;
	enum place place;
	size_t primary;	 /* the primary row that it belongs to .. */
	bool is_implied; /* .. and whether it only follows from it */
	double rank;	 /* larger first */
	size_t index;
};

/* Index of the primary row of which a row is another form; table->nr if there is none. */
static size_t primary_of(const struct metric_table *table, const struct metric_row *row)
{
	size_t i = 0;

	if (!row->group.is_one_fact)
		return table->nr;
	for (; i < table->nr; i++) {
		const struct metric_row *other = &table->rows[i];

		if (other->use == ROW_PRIMARY && other->pair == row->pair &&
		    !strcmp(other->group.name, row->group.name))
			break;
	}
	return i;
}

/* The size of the change that is certain, as a share; 0 if none is. */
static double sure_share(const struct metric_row *row)
{
	const struct comparison *comparison = &row->comparison;

	if (row->kind != ROW_COUNTED)
		return metric_row_share(row, comparison_sure_size(comparison));
	return comparison->decision.is_significant ? metric_row_effect_share(row) : 0.0;
}

static struct sort_key key_of(const struct metric_table *table, size_t index)
{
	const struct metric_row *row = &table->rows[index];
	struct sort_key key = { .pair = row->pair, .place = PLACE_PRIMARY, .index = index };

	if (row->use == ROW_PRIMARY) {
		key.primary = index;
		return key;
	}
	if (row->use == ROW_JOB) {
		key.place = PLACE_JOB;
		return key;
	}
	key.primary = primary_of(table, row);
	key.is_implied = key.primary < table->nr;
	if (!key.is_implied) {
		key.place = PLACE_OTHER;
		key.rank = sure_share(row);
	}
	return key;
}

static int compare_keys(const void *left, const void *right)
{
	const struct sort_key *a = left, *b = right;

	if (a->pair != b->pair)
		return a->pair < b->pair ? -1 : 1;
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	if (a->primary != b->primary)
		return a->primary < b->primary ? -1 : 1;
	if (a->is_implied != b->is_implied)
		return a->is_implied ? 1 : -1;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

/* ---- one fact ---- */

/* Two effects that differ by less than this share of them are one. */
#define LIKENESS 0.3
#define LIKENESS_FLOOR 0.01

/* The logarithm of the change in speed: latencies and times count the other way round. */
static double speed_change(const struct metric_row *row)
{
	double change = log(row->comparison.decision.effect);

	return row->polarity == POLARITY_LOWER_IS_BETTER ? -change : change;
}

static bool is_decided(const struct metric_row *row)
{
	return row->verdict != VERDICT_UNDECIDED && row->verdict != VERDICT_NO_DIFFERENCE;
}

/* The interval of the change in speed. */
static struct interval speed_interval(const struct metric_row *row)
{
	struct interval interval = row->comparison.decision.interval;
	struct interval out = { .lo = log(interval.lo), .hi = log(interval.hi) };

	if (row->polarity == POLARITY_LOWER_IS_BETTER)
		out = (struct interval){ .lo = -out.hi, .hi = -out.lo };
	return out;
}

static bool is_alike(const struct metric_row *row, const struct metric_row *head)
{
	double change = speed_change(row), head_change = speed_change(head);
	struct interval a, b;

	if (fabs(change - head_change) <=
	    LIKENESS * fmax(fabs(change), fabs(head_change)) + LIKENESS_FLOOR)
		return true;
	if (!row->comparison.decision.is_tested)
		return false;
	a = speed_interval(row);
	b = speed_interval(head);
	return a.lo <= b.hi && b.lo <= a.hi;
}

/* Of logarithms: a number that only came by another way of rounding. */
#define SAME_NUMBER 5e-4

/* The same effect and interval: all that differs is for how many others it was adjusted. */
static bool is_same_number(const struct metric_row *row, const struct metric_row *head)
{
	struct interval a = speed_interval(row), b = speed_interval(head);

	return fabs(speed_change(row) - speed_change(head)) <= SAME_NUMBER &&
	       fabs(a.lo - b.lo) <= SAME_NUMBER && fabs(a.hi - b.hi) <= SAME_NUMBER;
}

static bool says_the_same(const struct metric_row *row, const struct metric_row *head)
{
	bool is_same_way = (speed_change(row) < 0.0) == (speed_change(head) < 0.0);

	if (row->comparison.decision.scale != SCALE_RATIO ||
	    head->comparison.decision.scale != SCALE_RATIO ||
	    row->comparison.decision.is_tested != head->comparison.decision.is_tested ||
	    !is_alike(row, head))
		return false;
	if (!row->comparison.decision.is_tested || is_same_number(row, head))
		return true;
	if (is_decided(row) != is_decided(head))
		return false;
	return is_decided(row) ? is_same_way : row->verdict == head->verdict;
}

/* The first row of the same fact above: the primary one, or one that does not follow from it. */
static const struct metric_row *find_head(const struct metric_table *table, size_t index)
{
	const struct metric_row *row = &table->rows[index];

	if (!row->group.is_one_fact || row->kind == ROW_COUNTED)
		return NULL;
	for (size_t i = 0; i < index; i++) {
		const struct metric_row *head = &table->rows[i];

		if (head->pair != row->pair || head->job != row->job || head->same_as ||
		    strcmp(head->group.name, row->group.name) != 0)
			continue;
		if (says_the_same(row, head))
			return head;
	}
	return NULL;
}

void metric_table_rank(struct metric_table *table)
{
	CLEANUP(free) struct sort_key *keys = xcalloc(table->nr + 1, sizeof(*keys));
	struct metric_row *sorted = xcalloc(table->nr + 1, sizeof(*sorted));

	for (size_t i = 0; i < table->nr; i++)
		keys[i] = key_of(table, i);
	qsort(keys, table->nr, sizeof(*keys), compare_keys);
	for (size_t i = 0; i < table->nr; i++)
		sorted[i] = table->rows[keys[i].index];
	free(table->rows);
	table->rows = sorted;
	for (size_t i = 0; i < table->nr; i++)
		table->rows[i].same_as = find_head(table, i);
}
