/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_SETTINGS_SEARCH_H
#define REGIO_ANALYSIS_SETTINGS_SEARCH_H

/*
 * Two environments differ in nr settings, and the benchmark too: which of the settings does it?
 *
 * A trial runs with a subset of the settings changed to their new values. Rounds of a noisy
 * bisection (search.h) over "the first 1, 2, .. settings" find one decisive setting; with this one
 * changed always, the next round looks for what is missing until nothing is (Zeller & Hildebrandt
 * 2002, "Simplifying and isolating failure-inducing input", section 5; Junker 2004,
 * "QuickXplain"). Then each one is run alone and is left out, which tells settings that count by
 * themselves from settings that count only together. Pure and deterministic as search.h is, and
 * fed in the same way:
 *
 *	settings_search_new(&options, &search, err);
 *	for (settings_search_next(search, &step); step.phase != SETTINGS_DONE; ..next()) {
 *		if (measure(step.subset, &value))
 *			settings_search_add(search, step.subset, value, err);
 *		else
 *			settings_search_untestable(search);
 *	}
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/effect.h"
#include "base/cleanup.h"

struct err;
struct settings_search;

#define SETTINGS_SEARCH_MAX 1000

/*
 * What changes the result by less than this share of the whole effect (of logarithms, or points) is
 * left out of the answer.
 */
#define SETTINGS_SEARCH_MIN_SHARE 0.25

struct settings_search_options {
	size_t nr;		 /* settings that differ, 1 .. SETTINGS_SEARCH_MAX */
	enum finding direction;	 /* of all changed against none; FINDING_UNDECIDED: any */
	struct effect_rule rule; /* of all against none, as in struct search_options */
	double level;
	size_t nr_repeats;
	size_t max_runs;  /* of everything after the first comparison */
	size_t max_pairs; /* of each comparison, 8 .. 60 */
	uint64_t seed;
};

#define SETTINGS_SEARCH_OPTIONS_INIT                                                               \
	{                                                                                          \
		.rule = { .alpha = 0.05 }, .level = 0.95, .nr_repeats = 1, .max_runs = 1000,       \
		.max_pairs = 30                                                                    \
	}

/* ERR_USAGE if an option is out of range. */
int settings_search_new(const struct settings_search_options *options,
			struct settings_search **ret_search, struct err *err);
void settings_search_free(struct settings_search *search);
CLEANUP_DEFINE_PTR(settings_search, struct settings_search, settings_search_free)

enum settings_phase {
	SETTINGS_ENDS,	  /* all against none: is it reproducible? */
	SETTINGS_MISSING, /* all against those that were found: is that all? */
	SETTINGS_LOOK,	  /* single runs: which is the next one? */
	SETTINGS_CONFIRM, /* with it against without it */
	SETTINGS_ALONE,	  /* one of those that were found against none */
	SETTINGS_WITHOUT, /* those that were found against those but one */
	SETTINGS_REST,	  /* all but those that were found against none */
	SETTINGS_DONE,
};

/* "ends", "missing", "look" .. */
const char *settings_phase_name(enum settings_phase phase);

/* What to run next; arrays of nr, borrowed until the next call that changes the search. */
struct settings_step {
	enum settings_phase phase;
	const bool *subset; /* the settings that have their new value */
	size_t nr_runs;	    /* so many times in a row, each run is added by itself */
	/* In pairs: what is compared with what; subset is one of them. NULL in SETTINGS_LOOK. */
	const bool *base;
	const bool *changed;
	size_t nr_pairs; /* that are complete */
};

void settings_search_next(const struct settings_search *search, struct settings_step *ret_step);

/* ERR_INPUT, and nothing changed, if another subset is due or the value is not finite. */
int settings_search_add(struct settings_search *search, const bool *subset, double value,
			struct err *err);

/* The subset that is due cannot be run: a setting is refused, the job fails always. */
void settings_search_untestable(struct settings_search *search);

enum settings_state {
	SETTINGS_RUNNING,
	SETTINGS_FOUND,
	SETTINGS_NOT_REPRODUCIBLE, /* no difference between all and none was seen */
	SETTINGS_OPPOSITE,	   /* they differ, but in the other direction */
	SETTINGS_END_UNTESTABLE,   /* none, or all of them together, cannot be run */
	SETTINGS_NO_BUDGET,	   /* the members so far are a part of the answer */
};

/* "found", "not_reproducible", .. */
const char *settings_state_name(enum settings_state state);

/* One setting, or several that could not be told apart, as no run with a part of them works. */
struct settings_member {
	const size_t *settings; /* numbers from 0, ascending; borrowed */
	size_t nr;
	double probability;    /* of the round that found it */
	struct decision alone; /* against none; nr_a 0: was not, or could not be, compared */
	/* All members against those but this one: of a single member the same as alone. */
	struct decision without;
	bool counts_alone; /* alone it does a share of the effect that counts */
};

enum settings_interplay {
	SETTINGS_SINGLE,   /* one member */
	SETTINGS_ADDITIVE, /* each counts alone */
	SETTINGS_TOGETHER, /* none counts alone: they do it only together */
	SETTINGS_MIXED,	   /* some count alone */
};

/* "single", "additive", "together", "mixed". */
const char *settings_interplay_name(enum settings_interplay interplay);

struct settings_answer {
	enum settings_state state;
	struct decision ends; /* all against none; nr_a 0: no pair yet */
	double spread;	      /* robust deviation of one run, as in struct search_answer */
	bool is_noise_larger;
	/* The smallest set that carries the effect. Borrowed. */
	const struct settings_member *members;
	size_t nr_members;
	enum settings_interplay interplay; /* of SETTINGS_FOUND */
	/* All against the members: FINDING_NO_DIFFERENCE says that nothing is missing. */
	struct decision missing;
	bool is_complete; /* that was found; else it is the best guess after max_pairs */
	/* The smallest set could not be run without more settings, which are members, too. */
	bool is_minimal;
	/* All others against none: they do it, too (each of two suffices), or nothing is left. */
	struct decision rest;
	bool rest_counts;
	size_t nr_runs;
	size_t nr_untestable; /* subsets */
};

/* One that is neither a member nor ruled out while the search runs, or when its budget ended it. */
struct settings_open {
	size_t setting;
	double probability; /* that it is the next member; NAN where nothing tells them apart yet */
};

/* At any time. Borrowed parts are valid until the search is changed. */
void settings_search_answer(const struct settings_search *search,
			    struct settings_answer *ret_answer);
/* Into ret_open, of options.nr at most: how many, in their order. 0 once the rounds are over. */
size_t settings_search_open(const struct settings_search *search, struct settings_open *ret_open);

#endif
