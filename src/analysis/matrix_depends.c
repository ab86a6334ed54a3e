/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matrix_depends: on which factors an effect or a value depends, alone and together. */
#include "analysis/matrix_depends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/matrix_answer.h"
#include "analysis/matrix_virtual.h"
#include "base/arena.h"
#include "base/name_index.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "stats/align_rank.h"
#include "stats/multiple.h"
#include "stats/nulldist.h"
#include "stats/signrank.h"

#define MAX_DIFFERENCES 500

/* Names of strata: the block and the levels of all factors but some. */
struct strata_index {
	struct name_index index;
	struct strata_names VEC_BODY(char *) names;
};

struct depends {
	const struct matrix_input *input;
	enum scale scale;
	size_t nr_blocks; /* the most of any cell */
};

static void strata_release(struct strata_index *strata)
{
	for (size_t i = 0; i < strata->names.nr; i++)
		free(strata->names.items[i]);
	vec_release(&strata->names);
	name_index_release(&strata->index);
}

/* The number of the stratum of a cell in a block; new ones get the next number. */
static size_t stratum_of(struct strata_index *strata, const struct matrix_input *input,
			 const struct matrix_input_cell *cell, size_t block, const size_t skip[2])
{
	struct strbuf name = STRBUF_INIT;
	size_t nr = strata->names.nr;
	size_t place;

	strbuf_printf(&name, "%zu", block);
	for (size_t i = 0; i < input->nr_factors; i++) {
		if (i != skip[0] && i != skip[1])
			strbuf_printf(&name, " %zu", cell->levels[i]);
	}
	place = *name_index_place(&strata->index, strbuf_str(&name), nr);
	if (place == nr) /* the index borrows it */
		vec_push(&strata->names, strbuf_take(&name));
	strbuf_release(&name);
	return place;
}

/* Log ratio or difference of the sides, or the value itself; NAN = none. */
static double response(const struct depends *depends, const struct matrix_input_cell *cell,
		       size_t block)
{
	double base = block < cell->nr_blocks ? cell->base[block] : NAN;

	if (!isfinite(base) || !cell->new)
		return isfinite(base) ? effect_forward(depends->scale, base) : NAN;
	return effect_forward(depends->scale, cell->new[block]) -
	       effect_forward(depends->scale, base);
}

static void depends_init(struct depends *depends, const struct matrix_input *input)
{
	*depends = (struct depends){ .input = input, .scale = SCALE_RATIO };
	if (input->rule.is_percent)
		depends->scale = SCALE_POINTS;
	for (size_t i = 0; i < input->nr_cells; i++) {
		const struct matrix_input_cell *cell = &input->cells[i];

		if (cell->nr_blocks > depends->nr_blocks)
			depends->nr_blocks = cell->nr_blocks;
		for (size_t j = 0; j < cell->nr_blocks; j++) {
			if (cell->base[j] <= 0 || (cell->new && cell->new[j] <= 0))
				depends->scale = SCALE_POINTS;
		}
	}
}

/* ---- main effects ---- */

struct entry_list VEC_BODY(struct align_entry);

static void collect_entries(const struct depends *depends, size_t factor, struct entry_list *into,
			    struct strata_index *strata)
{
	const struct matrix_input *input = depends->input;
	const size_t skip[2] = { factor, SIZE_MAX };

	for (size_t i = 0; i < input->nr_cells; i++) {
		const struct matrix_input_cell *cell = &input->cells[i];

		for (size_t block = 0; block < depends->nr_blocks; block++) {
			double value = response(depends, cell, block);

			if (isfinite(value))
				vec_push(into, (struct align_entry){
						       stratum_of(strata, input, cell, block, skip),
						       cell->levels[factor], value });
		}
	}
}

static size_t count_usable_strata(const struct entry_list *entries, size_t nr_strata)
{
	CLEANUP(free) size_t *counts = xcalloc(nr_strata + 1, sizeof(*counts));
	size_t nr = 0;

	for (size_t i = 0; i < entries->nr; i++)
		nr += ++counts[entries->items[i].stratum] == 2;
	return nr;
}

/* The distribution of signed ranks grows with the square of their number: of many differences some
 * are left out, evenly. */
static size_t thin(double *values, size_t nr)
{
	size_t step = (nr + MAX_DIFFERENCES - 1) / MAX_DIFFERENCES;
	size_t kept = 0;

	for (size_t i = 0; i < nr; i += step ? step : 1)
		values[kept++] = values[i];
	return kept;
}

/* Differences of one level to the first one, within strata that have both. */
static void compare_level(const struct depends *depends, const struct entry_list *entries,
			  size_t nr_strata, struct matrix_level *level)
{
	CLEANUP(free) double *first = xcalloc(nr_strata + 1, sizeof(*first));
	CLEANUP(free) double *differences = xcalloc(nr_strata + 1, sizeof(*differences));
	CLEANUP(signrank) struct signrank signrank = { .differences = NULL };
	CLEANUP(nulldist) struct nulldist null = { .cdf = NULL };

	for (size_t i = 0; i < nr_strata; i++)
		first[i] = NAN;
	for (size_t i = 0; i < entries->nr; i++) {
		if (entries->items[i].level == 0)
			first[entries->items[i].stratum] = entries->items[i].value;
	}
	for (size_t i = 0; i < entries->nr; i++) {
		const struct align_entry *entry = &entries->items[i];

		if (entry->level == level->level && isfinite(first[entry->stratum]))
			differences[level->nr++] = entry->value - first[entry->stratum];
	}
	level->nr = thin(differences, level->nr);
	level->scale = depends->scale;
	level->effect = NAN;
	level->interval = INTERVAL_UNBOUNDED;
	if (level->nr == 0)
		return;
	signrank_init(&signrank, differences, level->nr);
	nulldist_init_signrank(&null, level->nr);
	level->effect = effect_back(level->scale, signrank_shift(&signrank));
	level->interval = effect_interval_back(
		level->scale, signrank_interval(&signrank, &null, depends->input->rule.alpha));
}

static void test_main(const struct depends *depends, size_t factor, struct matrix_test *test,
		      struct matrix_level *levels)
{
	const struct matrix_factor *it = &depends->input->factors[factor];
	struct entry_list entries = VEC_INIT;
	struct strata_index strata = { .index = { .nr = 0 } };

	*test = (struct matrix_test){
		.first = factor, .second = SIZE_MAX, .p = 1, .adjusted_p = 1
	};
	collect_entries(depends, factor, &entries, &strata);
	test->is_tested = count_usable_strata(&entries, strata.names.nr) >= ALIGN_RANK_MIN_STRATA;
	if (test->is_tested)
		test->p = align_rank_main_p(entries.items, entries.nr, it->nr_values,
					    depends->input->seed + factor);
	for (size_t i = 1; i < it->nr_values && levels; i++) {
		levels[i - 1] = (struct matrix_level){ .factor = factor, .level = i };
		compare_level(depends, &entries, strata.names.nr, &levels[i - 1]);
	}
	vec_release(&entries);
	strata_release(&strata);
}

/* ---- interactions ---- */

/* A value on its way into a table. */
struct placed {
	size_t stratum, cell;
	double value;
};

struct placed_list VEC_BODY(struct placed);

static void place_values(const struct depends *depends, const size_t pair[2],
			 struct placed_list *into, struct strata_index *strata)
{
	const struct matrix_input *input = depends->input;
	size_t nr_columns = input->factors[pair[1]].nr_values;

	for (size_t i = 0; i < input->nr_cells; i++) {
		const struct matrix_input_cell *cell = &input->cells[i];

		for (size_t block = 0; block < depends->nr_blocks; block++) {
			double value = response(depends, cell, block);

			if (isfinite(value))
				vec_push(into, (struct placed){
						       stratum_of(strata, input, cell, block, pair),
						       cell->levels[pair[0]] * nr_columns +
							       cell->levels[pair[1]],
						       value });
		}
	}
}

/* Tables of the two factors, one a stratum, those kept in which every combination has a value. */
static double *collect_tables(const struct depends *depends, const size_t pair[2], size_t *ret_nr)
{
	const struct matrix_factor *factors = depends->input->factors;
	size_t nr_cells = factors[pair[0]].nr_values * factors[pair[1]].nr_values;
	struct strata_index strata = { .index = { .nr = 0 } };
	struct placed_list placed = VEC_INIT;
	double *tables;
	size_t *counts;
	size_t nr = 0;

	place_values(depends, pair, &placed, &strata);
	tables = xcalloc(strata.names.nr + 1, nr_cells * sizeof(*tables));
	counts = xcalloc(strata.names.nr + 1, sizeof(*counts));
	for (size_t i = 0; i < placed.nr; i++) {
		const struct placed *it = &placed.items[i];

		tables[it->stratum * nr_cells + it->cell] = it->value;
		counts[it->stratum]++;
	}
	for (size_t i = 0; i < strata.names.nr; i++) {
		if (counts[i] != nr_cells)
			continue;
		memmove(&tables[nr * nr_cells], &tables[i * nr_cells], nr_cells * sizeof(*tables));
		nr++;
	}
	vec_release(&placed);
	strata_release(&strata);
	free(counts);
	*ret_nr = nr;
	return tables;
}

static void test_interaction(const struct depends *depends, size_t first, size_t second,
			     struct matrix_test *test)
{
	const size_t pair[2] = { first, second };
	const struct matrix_factor *factors = depends->input->factors;
	size_t nr = 0;
	CLEANUP(free) double *tables = collect_tables(depends, pair, &nr);

	*test = (struct matrix_test){ .first = first, .second = second, .p = 1, .adjusted_p = 1 };
	test->is_tested = nr >= ALIGN_RANK_MIN_TABLES;
	if (test->is_tested)
		test->p = align_rank_interaction_p(tables, nr, factors[first].nr_values,
						   factors[second].nr_values,
						   depends->input->seed + first + 1000 * second);
}

/* ---- all of them ---- */

static void adjust_tests(struct matrix_answer *answer)
{
	double *p = xcalloc(answer->nr_tests + 1, sizeof(*p));
	size_t nr = 0;

	for (size_t i = 0; i < answer->nr_tests; i++) {
		if (answer->tests[i].is_tested)
			p[nr++] = answer->tests[i].p;
	}
	multiple_holm(p, nr, p);
	nr = 0;
	for (size_t i = 0; i < answer->nr_tests; i++) {
		if (answer->tests[i].is_tested)
			answer->tests[i].adjusted_p = p[nr++];
	}
	free(p);
}

/* How much of the matrix a factor explains: its main effect or the best of its interactions. */
static double smallest_p(const struct matrix_answer *answer, size_t factor)
{
	double smallest = 1;

	for (size_t i = 0; i < answer->nr_tests; i++) {
		const struct matrix_test *test = &answer->tests[i];

		if (test->first == factor || test->second == factor)
			smallest = fmin(smallest, test->p);
	}
	return smallest;
}

/* Insertion: the order of the plan where two are as strong. */
static void order_factors(struct matrix_answer *answer, size_t nr_factors)
{
	for (size_t i = 0; i < nr_factors; i++) {
		double p = smallest_p(answer, i);
		size_t at = i;

		for (; at > 0 && smallest_p(answer, answer->order[at - 1]) > p; at--)
			answer->order[at] = answer->order[at - 1];
		answer->order[at] = i;
	}
}

/* Main effects in the order of the factors, then pairs; of virtual time only the former. */
static void test_all(struct matrix_answer *answer, const struct matrix_input *input)
{
	size_t nr = input->nr_factors, nr_levels = 0;
	struct matrix_test *next = &answer->tests[nr];
	struct depends depends;

	depends_init(&depends, input);
	for (size_t i = 0; i < nr; i++) {
		test_main(&depends, i, &answer->tests[i], &answer->levels[nr_levels]);
		nr_levels += input->factors[i].nr_values - 1;
	}
	for (size_t i = 0; i < nr; i++) {
		for (size_t j = i + 1; j < nr; j++)
			test_interaction(&depends, i, j, next++);
	}
	adjust_tests(answer);
}

void matrix_depends(struct matrix_answer *answer, const struct matrix_input *input)
{
	size_t nr = input->nr_factors;

	for (size_t i = 0; i < nr; i++)
		answer->nr_levels += input->factors[i].nr_values - 1;
	answer->nr_tests = input->is_virtual ? nr : nr + nr * (nr - (nr > 0)) / 2;
	answer->tests = xcalloc(answer->nr_tests + 1, sizeof(*answer->tests));
	answer->levels = xcalloc(answer->nr_levels + 1, sizeof(*answer->levels));
	if (input->is_virtual)
		matrix_virtual_depends(answer, input);
	else
		test_all(answer, input);
	order_factors(answer, nr);
}
