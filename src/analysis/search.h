/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_SEARCH_H
#define REGIO_ANALYSIS_SEARCH_H

/*
 * Which of many ordered changes made a benchmark slower, when every run is noisy.
 *
 * Positions are 0 (known to be good) .. last (known to be bad); the first bad one is looked for.
 * Three phases: both ends are compared in pairs, to see whether there is anything to find; then
 * single runs are asked for where they tell most, until one position is the likely answer; then
 * that one is compared with the one before it, and what does not stand that is searched again.
 * The search does no I/O and reads no clock: it says what to run next and is told what came out.
 * With the same options and the same calls it always asks for the same, so a search is resumed by
 * repeating the calls of its log.
 *
 *	search_new(&options, &search, err);
 *	for (search_next(search, &step); step.phase != SEARCH_DONE; search_next(search, &step)) {
 *		if (measure(step.position, &value))
 *			search_add(search, step.position, value, err);
 *		else
 *			search_untestable(search, step.position);
 *	}
 *	search_answer(search, &answer);
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/effect.h"
#include "base/cleanup.h"

struct err;
struct search;

#define SEARCH_MAX_POSITIONS 1000000
#define SEARCH_MAX_RUNS 100000
#define SEARCH_NR_BEST 5
#define SEARCH_MAX_RESTARTS 10

/* A confirmed effect below this share of the effect between the ends: there is another change. */
#define SEARCH_OTHER_CHANGE_SHARE 0.5

struct search_options {
	size_t last;		/* 1 .. SEARCH_MAX_POSITIONS */
	enum finding direction; /* FINDING_LOWER or _HIGHER: of last against 0; _UNDECIDED: any */
	/* Of the ends: without a smallest effect any difference will do, else one that is certainly
	 * smaller ends the search as not reproducible. The confirmation takes any. */
	struct effect_rule rule;
	double level;		  /* the answer must be as probable as that: 0.95 or 0.99 */
	size_t nr_repeats;	  /* runs per query: 1, or 3 if a switch costs a build or a boot */
	size_t max_runs;	  /* of the second phase */
	size_t max_end_pairs;	  /* 8 .. 60 */
	size_t max_confirm_pairs; /* 5 .. 60; 0: the answer is not confirmed */
	/*
	 * Machines drift: the ends are looked at again after so many runs of the second phase (0:
	 * never), and after a confirmation that failed the search begins anew, up to so many times
	 * (SEARCH_MAX_RESTARTS), looking at the ends twice as often.
	 */
	size_t nr_anchor_runs;
	size_t max_restarts;
	uint64_t seed;
};

/* What is usual; `last` is for the caller to set. */
#define SEARCH_OPTIONS_INIT                                                                        \
	{                                                                                          \
		.rule = { .alpha = 0.05 }, .level = 0.95, .nr_repeats = 1, .max_runs = 300,        \
		.max_end_pairs = 30, .max_confirm_pairs = 30, .nr_anchor_runs = 25,                \
		.max_restarts = 2                                                                  \
	}

/* ERR_USAGE if an option is out of range. */
int search_new(const struct search_options *options, struct search **ret_search, struct err *err);
void search_free(struct search *search);
CLEANUP_DEFINE_PTR(search, struct search, search_free)

enum search_phase {
	SEARCH_ENDS,	/* pairs of 0 and last: is it reproducible? */
	SEARCH_QUERY,	/* single runs in between */
	SEARCH_ANCHOR,	/* pairs of 0 and last again: how do they look now? */
	SEARCH_CONFIRM, /* pairs of the last good and the first bad one */
	SEARCH_DONE,	/* there is an answer; nothing more is to be run */
};

/* "ends", "search", "anchor", "confirm", "done". */
const char *search_phase_name(enum search_phase phase);

/* What to run next: `position`, so many times one after another. */
struct search_step {
	enum search_phase phase;
	size_t position;
	size_t nr_runs; /* 1 in a pair; each run is added by itself */
	/* In pairs: which positions are compared, and how many pairs of them are complete. */
	size_t good;
	size_t bad;
	size_t nr_pairs;
};

void search_next(const struct search *search, struct search_step *ret_step);

/*
 * A run of step.position gave `value`. ERR_INPUT, and nothing changed, if another position is due
 * or the value is not finite: a log that belongs to another search.
 */
int search_add(struct search *search, size_t position, double value, struct err *err);

/*
 * That position cannot be measured: it does not build, does not boot, fails always. At any moment
 * and for any position, also several times. Runs of it count no more; the answer may become a
 * range. Without an end the search is over, except that an answer stays one.
 */
void search_untestable(struct search *search, size_t position);

/* The first bad position is one of after + 1 .. upto. */
struct search_hypothesis {
	size_t after;
	size_t upto;
	double probability;
};

/*
 * All of them in order, after the runs so far; probabilities sum to 1. Borrowed: valid until the
 * next search_add or search_untestable.
 */
const struct search_hypothesis *search_posterior(const struct search *search, size_t *ret_nr);

enum search_state {
	SEARCH_RUNNING,
	SEARCH_FOUND,		 /* one hypothesis has the level; see is_confirmed */
	SEARCH_NOT_REPRODUCIBLE, /* no difference between the ends was seen */
	SEARCH_OPPOSITE,	 /* the ends differ, but in the other direction */
	SEARCH_END_UNTESTABLE,	 /* see untestable_end */
	SEARCH_NOTHING_TESTABLE, /* reproducible, but nothing between the ends can be measured */
	SEARCH_NO_BUDGET,	 /* max_runs were not enough: see best */
};

/* "found", "not_reproducible", "no_budget" .. */
const char *search_state_name(enum search_state state);

struct search_answer {
	enum search_state state;
	/* The most probable hypothesis: last_good < the first bad position <= first_bad.
	 * It says something once the ends were found to differ. */
	size_t last_good;
	size_t first_bad;
	double probability;
	struct search_hypothesis best[SEARCH_NR_BEST]; /* most probable first */
	size_t nr_best;

	/* last against 0; nr_a is the number of pairs, 0 = none yet. An effect that was seen is
	 * LOWER or HIGHER; NO_DIFFERENCE exists only with a smallest effect. */
	struct decision ends;
	/* Robust deviation of one run at the ends: a share, or points. */
	double spread;
	bool is_noise_larger; /* than the effect: lower the noise before you search */

	/* first_bad against last_good. nr_a 0: not compared, or (answer is all there is between the
	 * ends) the comparison of the ends is its confirmation. */
	struct decision confirmation;
	bool is_confirmed;
	/* Confirmed effect as a share of the effect between the ends, of logarithms or points; NAN
	 * if not confirmed. */
	double effect_share;
	bool has_other_change; /* the share is small: search again on each side */

	size_t nr_end_runs;
	size_t nr_anchor_runs;
	size_t nr_search_runs;
	size_t nr_confirm_runs;
	size_t nr_restarts;
	size_t nr_untestable;
	size_t untestable_end;
};

/* At any time; a running search tells what it would answer now. */
void search_answer(const struct search *search, struct search_answer *ret_answer);

/* All runs of a position that were added, and whether it was found to be untestable. */
size_t search_nr_runs(const struct search *search, size_t position);
bool search_is_untestable(const struct search *search, size_t position);

#endif
