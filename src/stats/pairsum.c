/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pairsum: selects order statistics among all pairwise sums, in memory linear in the inputs. */
#include "stats/pairsum.h"

#include <assert.h>
#include <stdlib.h>

#include "base/arena.h"
#include "stats/sorted.h"

/* Few enough candidates to sort them, and enough of them to guess a pivot from. */
#define NR_SORTED 32

/*
 * State of one row. A sorted matrix has, for any pivot, a first column not below it and a first
 * column above it in each row, and both move only to the left from row to row (Johnson & Mizoguchi
 * 1978, Monahan 1984). The pivot here is the wanted quantile of a regular sample.
 */
struct row_state {
	size_t lo; /* columns lo..hi-1 may still hold the sum that is looked for */
	size_t hi;
	size_t nr_not_above; /* end of the columns with a sum <= pivot */
	size_t nr_below;     /* end of the columns with a sum < pivot */
};

struct search {
	const struct pairsum *pairsum;
	struct row_state *rows;
	size_t nr_candidates; /* in all lo..hi */
	size_t nr_passed;     /* known to be smaller than every candidate */
	size_t rank;	      /* wanted, 1-based, among all sums */
};

static size_t row_start(const struct pairsum *pairsum, size_t row)
{
	return pairsum->upper_triangle ? row : 0;
}

static double sum_at(const struct pairsum *pairsum, size_t row, size_t col)
{
	return pairsum->rows[row] + pairsum->cols[col];
}

size_t pairsum_count(const struct pairsum *pairsum)
{
	if (pairsum->upper_triangle)
		return pairsum->nr_rows * (pairsum->nr_rows + 1) / 2;
	return pairsum->nr_rows * pairsum->nr_cols;
}

/* Every step-th candidate in ascending order; all of them if there are at most NR_SORTED. */
static size_t search_sample(const struct search *search, double ret_sums[NR_SORTED])
{
	size_t step = (search->nr_candidates + NR_SORTED - 1) / NR_SORTED;
	size_t next = 0; /* columns to skip in the current row */
	size_t nr = 0;

	for (size_t row = 0; row < search->pairsum->nr_rows; row++) {
		const struct row_state *state = &search->rows[row];
		size_t width = state->hi - state->lo;

		for (; next < width; next += step)
			ret_sums[nr++] = sum_at(search->pairsum, row, state->lo + next);
		next -= width;
	}
	sort_doubles(ret_sums, nr);
	return nr;
}

/* Locates the pivot in every row; returns the number of sums below it and not above it. */
static void search_count(struct search *search, double pivot, size_t *ret_below,
			 size_t *ret_not_above)
{
	const struct pairsum *pairsum = search->pairsum;
	size_t below = pairsum->nr_cols;
	size_t not_above = pairsum->nr_cols;

	*ret_below = 0;
	*ret_not_above = 0;
	for (size_t row = 0; row < pairsum->nr_rows; row++) {
		struct row_state *state = &search->rows[row];
		size_t start = row_start(pairsum, row);

		while (below > start && sum_at(pairsum, row, below - 1) >= pivot)
			below--;
		while (not_above > start && sum_at(pairsum, row, not_above - 1) > pivot)
			not_above--;
		state->nr_below = below > start ? below : start;
		state->nr_not_above = not_above > start ? not_above : start;
		*ret_below += state->nr_below - start;
		*ret_not_above += state->nr_not_above - start;
	}
}

static void search_recount(struct search *search)
{
	search->nr_candidates = 0;
	search->nr_passed = 0;
	for (size_t row = 0; row < search->pairsum->nr_rows; row++) {
		const struct row_state *state = &search->rows[row];

		search->nr_candidates += state->hi - state->lo;
		search->nr_passed += state->lo - row_start(search->pairsum, row);
	}
}

static void search_keep_below(struct search *search)
{
	for (size_t row = 0; row < search->pairsum->nr_rows; row++) {
		struct row_state *state = &search->rows[row];

		if (state->nr_below < state->hi)
			state->hi = state->nr_below > state->lo ? state->nr_below : state->lo;
	}
	search_recount(search);
}

static void search_keep_above(struct search *search)
{
	for (size_t row = 0; row < search->pairsum->nr_rows; row++) {
		struct row_state *state = &search->rows[row];

		if (state->nr_not_above > state->lo)
			state->lo =
				state->nr_not_above < state->hi ? state->nr_not_above : state->hi;
	}
	search_recount(search);
}

/* Each round removes at least the pivot, usually all but a tenth of the candidates. */
static double search_run(struct search *search)
{
	double sums[NR_SORTED];
	size_t nr_below, nr_not_above;

	while (search->nr_candidates > NR_SORTED) {
		size_t nr = search_sample(search, sums);
		size_t wanted = search->rank - search->nr_passed - 1;
		double pivot = sums[wanted * nr / search->nr_candidates];

		search_count(search, pivot, &nr_below, &nr_not_above);
		if (search->rank <= nr_below)
			search_keep_below(search);
		else if (search->rank > nr_not_above)
			search_keep_above(search);
		else
			return pivot;
	}
	search_sample(search, sums);
	return sums[search->rank - search->nr_passed - 1];
}

double pairsum_select(const struct pairsum *pairsum, size_t k)
{
	CLEANUP(free)
	struct row_state *rows = xcalloc(pairsum->nr_rows ? pairsum->nr_rows : 1, sizeof(*rows));
	struct search search = { .pairsum = pairsum, .rows = rows, .rank = k };

	assert(k >= 1 && k <= pairsum_count(pairsum));
	for (size_t row = 0; row < pairsum->nr_rows; row++) {
		rows[row].lo = row_start(pairsum, row);
		rows[row].hi = pairsum->nr_cols;
	}
	search_recount(&search);
	return search_run(&search);
}

double pairsum_median(const struct pairsum *pairsum)
{
	size_t nr = pairsum_count(pairsum);

	if (nr % 2)
		return pairsum_select(pairsum, nr / 2 + 1);
	return 0.5 * (pairsum_select(pairsum, nr / 2) + pairsum_select(pairsum, nr / 2 + 1));
}
