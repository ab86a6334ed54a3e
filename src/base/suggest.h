/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_SUGGEST_H
#define REGIO_BASE_SUGGEST_H

#include <stddef.h>

/*
 * "did you mean": the known name nearest to a mistyped word. Offer names one by one, from
 * whatever table they are in:
 *
 *	struct suggest suggest = suggest_for(word);
 *	for (..)
 *		suggest_offer(&suggest, table[i].name);
 *	if (suggest_best(&suggest))
 *		.. "did you mean '%s'"
 *
 * Strings are borrowed.
 */
#define SUGGEST_MAX_LEN 64 /* longer words have no suggestion; keeps the work bounded */

struct suggest {
	const char *word;
	const char *best; /* NULL until a name was near enough */
	size_t best_distance;
};

struct suggest suggest_for(const char *word);
void suggest_offer(struct suggest *suggest, const char *name);
const char *suggest_best(const struct suggest *suggest); /* NULL = nothing is near */

/* Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours
 * (Damerau 1964, Levenshtein 1966). Case does not matter, '-' equals '_'. SIZE_MAX when a word is
 * longer than SUGGEST_MAX_LEN. */
size_t suggest_distance(const char *a, const char *b);

#endif
