/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp_compare: which rows LKP's table of some samples has. The cells are computed in lkp_cell. */
#include "analysis/lkp_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lkp_cell.h"
#include "base/arena.h"
#include "model/lkp_table.h"

/* ---- all series by name ---- */

struct entry {
	const char *name;
	size_t sample;
	size_t place; /* among the series of the sample */
};

struct comparer {
	struct lkp_source source; /* of the row at hand */
	const struct lkp_options *options;
	struct entry *entries; /* by name, then sample */
	size_t nr_entries;
};

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	if (order)
		return order;
	if (a->sample != b->sample)
		return a->sample < b->sample ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

static void collect_entries(struct comparer *comparer)
{
	const struct lkp_source *source = &comparer->source;
	size_t nr = 0;

	for (size_t i = 0; i < source->nr_samples; i++)
		nr += source->samples[i].nr_series;
	comparer->entries = xcalloc(nr + 1, sizeof(*comparer->entries));
	for (size_t i = 0; i < source->nr_samples; i++) {
		for (size_t j = 0; j < source->samples[i].nr_series; j++)
			comparer->entries[comparer->nr_entries++] = (struct entry){
				.name = source->samples[i].series[j].name, .sample = i, .place = j
			};
	}
	qsort(comparer->entries, nr, sizeof(*comparer->entries), compare_entries);
}

/* Series of the name of entries[first] become the row; returns the entry after them. */
static size_t take_row(struct comparer *comparer, size_t first)
{
	struct lkp_source *source = &comparer->source;
	const char *name = comparer->entries[first].name;
	size_t i = first;

	for (size_t j = 0; j < source->nr_samples; j++)
		source->series[j] = NULL;
	for (; i < comparer->nr_entries && !strcmp(comparer->entries[i].name, name); i++) {
		const struct entry *entry = &comparer->entries[i];

		if (!source->series[entry->sample])
			source->series[entry->sample] =
				&source->samples[entry->sample].series[entry->place];
	}
	return i;
}

static bool base_has(const struct comparer *comparer, const char *name)
{
	size_t lo = 0, hi = comparer->nr_entries;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (strcmp(comparer->entries[middle].name, name) < 0)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo < comparer->nr_entries && !strcmp(comparer->entries[lo].name, name) &&
	       comparer->entries[lo].sample == 0;
}

static bool base_has_group(const struct comparer *comparer, const char *name)
{
	const struct lkp_sample *base = &comparer->source.samples[0];
	size_t len = lkp_group_len(name);

	for (size_t i = 0; i < base->nr_series; i++) {
		if (lkp_group_len(base->series[i].name) == len &&
		    !strncmp(base->series[i].name, name, len))
			return true;
	}
	return false;
}

/* ---- failures ---- */

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* Whether the base has the name with another last part. */
static bool base_has_ending(const struct comparer *comparer, const char *name, const char *ending)
{
	const char *dot = strrchr(name, '.');
	CLEANUP(free) char *other = xasprintf("%.*s%s", (int)(dot ? dot - name : 0), name, ending);

	return base_has(comparer, other);
}

/* The outcome of a single test counts only if the base ran that test too. */
static bool is_tested_in_base(const struct comparer *comparer, const char *name)
{
	if (lkp_is_monitor(name))
		return true;
	if (ends_with(name, ".pass"))
		return base_has_ending(comparer, name, ".fail") ||
		       base_has_ending(comparer, name, ".error") ||
		       base_has_ending(comparer, name, ".warn");
	if (ends_with(name, ".fail") || ends_with(name, ".error") || ends_with(name, ".warn"))
		return base_has_ending(comparer, name, ".pass");
	return true;
}

static double largest(const struct lkp_series *series)
{
	double max = 0.0;

	for (size_t i = 0; series && i < series->nr_values; i++)
		max = fmax(max, series->values[i]);
	return max;
}

/* ---- rows ---- */

static bool is_changed(const struct comparer *comparer, const char *name, size_t column)
{
	const struct lkp_source *source = &comparer->source;
	CLEANUP(free) double *base_values = NULL;
	CLEANUP(free) double *values = NULL;
	struct sample base, other;

	/* Measured for the first time; or rare in a profile until now. */
	if (!source->series[0] && !(lkp_is_profile(name) && base_has_group(comparer, name)))
		return false;
	base_values = lkp_filled_values(source, 0, &base.nr);
	values = lkp_filled_values(source, column, &other.nr);
	base.values = base_values;
	other.values = values;
	return lkp_selects(&comparer->options->rule, name, &base, &other);
}

/* In a table that somebody made, whether or not its runs are known too. */
static bool is_posted(const struct lkp_series *series)
{
	return series && series->has_average;
}

static bool is_wanted(const struct comparer *comparer, const char *name)
{
	const struct lkp_series *const *series = comparer->source.series;
	bool is_failure = lkp_is_failure(name);

	if (comparer->options->is_all)
		return true;
	if (is_failure && !is_tested_in_base(comparer, name))
		return false;
	for (size_t i = 1; i < comparer->source.nr_samples; i++) {
		if (is_posted(series[0]) && is_posted(series[i]))
			return true; /* who posted it has selected it */
		if (is_failure ? largest(series[0]) != largest(series[i])
			       : is_changed(comparer, name, i))
			return true;
	}
	return false;
}

static bool is_posted_row(const struct comparer *comparer)
{
	for (size_t i = 0; i < comparer->source.nr_samples; i++) {
		if (is_posted(comparer->source.series[i]))
			return true;
	}
	return false;
}

static int compare_lines(const void *left, const void *right)
{
	const struct lkp_row *a = left, *b = right;

	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return strcmp(a->name, b->name);
}

void lkp_compare(const struct lkp_sample *samples, size_t nr_samples,
		 const struct lkp_options *options, struct lkp_table *table)
{
	CLEANUP(free)
	const struct lkp_series **series = xcalloc(nr_samples + 1, sizeof(*series));
	struct comparer comparer = {
		.source = { .samples = samples,
			    .nr_samples = nr_samples,
			    .series = series,
			    .is_strict = options->rule.is_strict },
		.options = options,
	};
	bool are_all_posted = true;

	for (size_t i = 0; i < nr_samples; i++)
		lkp_table_add_column(table, samples[i].title, samples[i].name, samples[i].subject);
	collect_entries(&comparer);
	for (size_t i = 0; i < comparer.nr_entries;) {
		const char *name = comparer.entries[i].name;
		struct lkp_row *row;

		i = take_row(&comparer, i);
		if (!is_wanted(&comparer, name))
			continue;
		row = lkp_table_add_row(table, name);
		row->line = series[0] ? series[0]->line : 0;
		are_all_posted &= is_posted_row(&comparer);
		lkp_set_cells(&comparer.source, row);
	}
	if (!are_all_posted)
		lkp_sort_rows(table, options);
	else if (table->nr_rows)
		qsort(table->rows, table->nr_rows, sizeof(*table->rows), compare_lines);
	free(comparer.entries);
}
