/* SPDX-License-Identifier: GPL-2.0-or-later */
/* align_rank: main effects and interactions by ranks of aligned values. */
#include "stats/align_rank.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/rng.h"
#include "stats/sorted.h"

/* Random rearrangements: p is known to 0.003 at 0.05. Fewer for large data, to stay fast. */
#define MAX_REARRANGEMENTS 4095
#define MIN_REARRANGEMENTS 999
#define MAX_STEPS 50000000
#define MAX_EXACT_TABLES 13 /* 4096 patterns, as a pattern and its negative are one */
/* Sums of ranks in another order differ by rounding. */
#define SAME 1e-9

static size_t rearrangements(size_t nr_values)
{
	size_t nr = nr_values ? MAX_STEPS / nr_values : MAX_REARRANGEMENTS;

	if (nr > MAX_REARRANGEMENTS)
		return MAX_REARRANGEMENTS;
	return nr < MIN_REARRANGEMENTS ? MIN_REARRANGEMENTS : nr;
}

/* What is left of equal values after subtracting means is rounding, and must not be ranked. */
static void drop_rounding(double *left, const double *values, size_t nr)
{
	double largest = 0;

	for (size_t i = 0; i < nr; i++)
		largest = fmax(largest, fabs(values[i]));
	for (size_t i = 0; i < nr; i++) {
		if (fabs(left[i]) <= SAME * largest)
			left[i] = 0;
	}
}

/* ---- main effects ---- */

/* Entries by stratum, those of strata with one value left out. */
struct strata {
	struct align_entry *entries;
	size_t nr, nr_strata, nr_levels;
	size_t *ends;  /* of each stratum */
	double *ranks; /* centred */
	size_t *per_level;
};

static int entry_compare(const void *left, const void *right)
{
	const struct align_entry *a = left, *b = right;

	if (a->stratum != b->stratum)
		return a->stratum < b->stratum ? -1 : 1;
	return (a->level > b->level) - (a->level < b->level);
}

static void strata_release(struct strata *strata)
{
	free(strata->entries);
	free(strata->ends);
	free(strata->ranks);
	free(strata->per_level);
}

/* Subtracts the mean of each stratum and ranks what is left. */
static void strata_align(struct strata *strata)
{
	CLEANUP(free) double *aligned = xcalloc(strata->nr, sizeof(*aligned));
	CLEANUP(free) double *values = xcalloc(strata->nr, sizeof(*values));
	CLEANUP(free) int64_t *doubled = xcalloc(strata->nr, sizeof(*doubled));

	for (size_t i = 0, start = 0; i < strata->nr_strata; start = strata->ends[i++]) {
		double sum = 0;

		for (size_t j = start; j < strata->ends[i]; j++)
			sum += strata->entries[j].value;
		for (size_t j = start; j < strata->ends[i]; j++)
			aligned[j] =
				strata->entries[j].value - sum / (double)(strata->ends[i] - start);
	}
	for (size_t i = 0; i < strata->nr; i++)
		values[i] = strata->entries[i].value;
	drop_rounding(aligned, values, strata->nr);
	(void)midranks_doubled(aligned, strata->nr, doubled);
	for (size_t i = 0; i < strata->nr; i++)
		strata->ranks[i] = (double)doubled[i] - (double)(strata->nr + 1);
}

static void strata_init(struct strata *strata, const struct align_entry *entries, size_t nr,
			size_t nr_levels)
{
	*strata = (struct strata){
		.entries = xcalloc(nr + 1, sizeof(*entries)),
		.ends = xcalloc(nr + 1, sizeof(*strata->ends)),
		.ranks = xcalloc(nr + 1, sizeof(*strata->ranks)),
		.per_level = xcalloc(nr_levels + 1, sizeof(*strata->per_level)),
		.nr_levels = nr_levels,
	};
	if (nr)
		memcpy(strata->entries, entries, nr * sizeof(*entries));
	qsort(strata->entries, nr, sizeof(*entries), entry_compare);
	for (size_t start = 0, end; start < nr; start = end) {
		for (end = start + 1;
		     end < nr && strata->entries[end].stratum == strata->entries[start].stratum;)
			end++;
		if (end - start < 2)
			continue;
		memmove(&strata->entries[strata->nr], &strata->entries[start],
			(end - start) * sizeof(*entries));
		strata->nr += end - start;
		strata->ends[strata->nr_strata++] = strata->nr;
	}
	for (size_t i = 0; i < strata->nr; i++)
		strata->per_level[strata->entries[i].level]++;
}

static double main_statistic(const struct strata *strata, const double *ranks, double *sums)
{
	double statistic = 0;

	memset(sums, 0, strata->nr_levels * sizeof(*sums));
	for (size_t i = 0; i < strata->nr; i++)
		sums[strata->entries[i].level] += ranks[i];
	for (size_t i = 0; i < strata->nr_levels; i++) {
		if (strata->per_level[i])
			statistic += sums[i] * sums[i] / (double)strata->per_level[i];
	}
	return statistic;
}

static void shuffle(struct rng *rng, double *items, size_t nr)
{
	for (size_t i = nr; i > 1; i--) {
		size_t j = (size_t)rng_below(rng, i);
		double kept = items[i - 1];

		items[i - 1] = items[j];
		items[j] = kept;
	}
}

static double main_p(const struct strata *strata, uint64_t seed)
{
	CLEANUP(free) double *sums = xcalloc(strata->nr_levels + 1, sizeof(*sums));
	CLEANUP(free) double *ranks = xcalloc(strata->nr, sizeof(*ranks));
	double seen = main_statistic(strata, strata->ranks, sums);
	size_t nr = rearrangements(strata->nr);
	size_t nr_extreme = 0;
	struct rng rng;

	rng_init(&rng, seed);
	memcpy(ranks, strata->ranks, strata->nr * sizeof(*ranks));
	for (size_t i = 0; i < nr; i++) {
		for (size_t j = 0, start = 0; j < strata->nr_strata; start = strata->ends[j++])
			shuffle(&rng, ranks + start, strata->ends[j] - start);
		nr_extreme += main_statistic(strata, ranks, sums) >= seen * (1 - SAME);
	}
	return (double)(nr_extreme + 1) / (double)(nr + 1);
}

double align_rank_main_p(const struct align_entry *entries, size_t nr, size_t nr_levels,
			 uint64_t seed)
{
	struct strata strata;
	double p = 1.0;

	strata_init(&strata, entries, nr, nr_levels);
	if (strata.nr_strata >= ALIGN_RANK_MIN_STRATA) {
		strata_align(&strata);
		p = main_p(&strata, seed);
	}
	strata_release(&strata);
	return p;
}

/* ---- interactions ---- */

struct tables {
	double *ranks; /* signed; [table][cell] */
	size_t nr, nr_rows, nr_columns;
	double *sums;	 /* of the cells */
	double *margins; /* room for rows and columns */
};

/* Subtracts the means of rows and columns from a table, and adds its own. */
static void centre(double *cells, size_t nr_rows, size_t nr_columns, double *margins)
{
	double *rows = margins, *columns = margins + nr_rows;
	double all = 0;

	memset(margins, 0, (nr_rows + nr_columns) * sizeof(*margins));
	for (size_t i = 0; i < nr_rows * nr_columns; i++) {
		rows[i / nr_columns] += cells[i] / (double)nr_columns;
		columns[i % nr_columns] += cells[i] / (double)nr_rows;
		all += cells[i] / (double)(nr_rows * nr_columns);
	}
	for (size_t i = 0; i < nr_rows * nr_columns; i++)
		cells[i] += all - rows[i / nr_columns] - columns[i % nr_columns];
}

static void rank_signed(double *values, size_t nr)
{
	CLEANUP(free) double *sizes = xcalloc(nr, sizeof(*sizes));
	CLEANUP(free) int64_t *doubled = xcalloc(nr, sizeof(*doubled));

	for (size_t i = 0; i < nr; i++)
		sizes[i] = fabs(values[i]);
	(void)midranks_doubled(sizes, nr, doubled);
	for (size_t i = 0; i < nr; i++)
		values[i] = values[i] < 0   ? -(double)doubled[i]
			    : values[i] > 0 ? (double)doubled[i]
					    : 0;
}

static double interaction_statistic(const struct tables *tables, const bool *is_negative)
{
	size_t nr_cells = tables->nr_rows * tables->nr_columns;
	double statistic = 0;

	memset(tables->sums, 0, nr_cells * sizeof(*tables->sums));
	for (size_t i = 0; i < tables->nr; i++) {
		const double *ranks = &tables->ranks[i * nr_cells];

		for (size_t j = 0; j < nr_cells; j++)
			tables->sums[j] += is_negative[i] ? -ranks[j] : ranks[j];
	}
	centre(tables->sums, tables->nr_rows, tables->nr_columns, tables->margins);
	for (size_t j = 0; j < nr_cells; j++)
		statistic += tables->sums[j] * tables->sums[j];
	return statistic;
}

/* The first table keeps its sign: a pattern and its negative give the same statistic. */
static void set_signs(bool *is_negative, size_t nr, bool is_exact, uint64_t pattern,
		      struct rng *rng)
{
	for (size_t i = 1; i < nr; i++)
		is_negative[i] = is_exact ? pattern >> (i - 1) & 1 : rng_next(rng) >> 63;
}

static double interaction_p(const struct tables *tables, uint64_t seed)
{
	CLEANUP(free) bool *is_negative = xcalloc(tables->nr, sizeof(*is_negative));
	bool is_exact = tables->nr <= MAX_EXACT_TABLES;
	size_t nr = is_exact ? ((size_t)1 << (tables->nr - 1)) - 1
			     : rearrangements(tables->nr * tables->nr_rows * tables->nr_columns);
	double seen = interaction_statistic(tables, is_negative);
	size_t nr_extreme = 0;
	struct rng rng;

	rng_init(&rng, seed);
	for (size_t i = 1; i <= nr; i++) {
		set_signs(is_negative, tables->nr, is_exact, i, &rng);
		nr_extreme += interaction_statistic(tables, is_negative) >= seen * (1 - SAME);
	}
	return (double)(nr_extreme + 1) / (double)(nr + 1);
}

double align_rank_interaction_p(const double *values, size_t nr, size_t nr_rows, size_t nr_columns,
				uint64_t seed)
{
	size_t nr_cells = nr_rows * nr_columns;
	struct tables tables = { .nr = nr, .nr_rows = nr_rows, .nr_columns = nr_columns };
	double p;

	if (nr < ALIGN_RANK_MIN_TABLES || nr_rows < 2 || nr_columns < 2)
		return 1.0;
	tables.ranks = xcalloc(nr * nr_cells, sizeof(*tables.ranks));
	tables.sums = xcalloc(nr_cells, sizeof(*tables.sums));
	tables.margins = xcalloc(nr_rows + nr_columns, sizeof(*tables.margins));
	memcpy(tables.ranks, values, nr * nr_cells * sizeof(*values));
	for (size_t i = 0; i < nr; i++)
		centre(&tables.ranks[i * nr_cells], nr_rows, nr_columns, tables.margins);
	drop_rounding(tables.ranks, values, nr * nr_cells);
	rank_signed(tables.ranks, nr * nr_cells);
	p = interaction_p(&tables, seed);
	free(tables.ranks);
	free(tables.sums);
	free(tables.margins);
	return p;
}

double align_rank_smallest_p(size_t nr)
{
	if (nr < ALIGN_RANK_MIN_TABLES)
		return 1.0;
	return fmax(ldexp(1.0, 1 - (int)nr), 1.0 / (MAX_REARRANGEMENTS + 1));
}
