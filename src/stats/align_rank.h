/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_ALIGN_RANK_H
#define REGIO_STATS_ALIGN_RANK_H

#include <stddef.h>
#include <stdint.h>

/*
 * On what does a value depend: tests of factors by ranks of aligned values, with the null
 * distribution made by rearranging the data. Effects of everything else are taken out by
 * subtracting means within small strata (Hodges & Lehmann 1962, "Rank methods for combination of
 * independent experiments in analysis of variance", section 4). p = (1 + rearrangements at least as
 * extreme) / (1 + rearrangements), so it never is 0 (Phipson & Smyth 2010).
 */

/* Fewer rearrangements than these exist: nothing can be said. */
#define ALIGN_RANK_MIN_STRATA 3
#define ALIGN_RANK_MIN_TABLES 8

struct align_entry {
	size_t stratum; /* from 0; everything but the factor is equal within it */
	size_t level;	/* of the factor, from 0 */
	double value;
};

/*
 * Does one of nr_levels differ from the others? Within a stratum every order of its values is as
 * likely if the factor does nothing: levels are exchanged there. The statistic is the sum over
 * the levels of nr (mean aligned rank)^2. 1 if there are too few strata with two values.
 */
double align_rank_main_p(const struct align_entry *entries, size_t nr, size_t nr_levels,
			 uint64_t seed);

/*
 * Do rows and columns of nr tables of values interact? What is left of a table when the means of
 * its rows and columns are subtracted is as likely as its negative if they do not, however
 * different the noise of its cells: whole tables change their sign (Fisher 1935; signed ranks
 * after Wilcoxon 1945). Exchanging rows and columns instead would be sharper below 8 tables, but
 * takes unequal noise for an interaction. All sign patterns up to 13 tables, random ones above.
 * tables: [table][row][column]. 1 for fewer than ALIGN_RANK_MIN_TABLES.
 */
double align_rank_interaction_p(const double *tables, size_t nr, size_t nr_rows, size_t nr_columns,
				uint64_t seed);

/* The smallest p of an interaction that nr tables can reach. */
double align_rank_smallest_p(size_t nr);

#endif
