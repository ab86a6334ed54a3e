/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_SETTINGS_STATE_H
#define REGIO_ANALYSIS_SETTINGS_STATE_H

/* What settings_search.c (rounds) and settings_check.c (checks) share. */

#include "analysis/pairing.h"
#include "analysis/search.h"
#include "analysis/settings_search.h"
#include "base/rng.h"
#include "base/vec.h"

struct settings_search {
	struct settings_search_options options;
	enum settings_state state;
	enum settings_phase phase; /* of the step; within a round it follows the round */
	struct rng rng;		   /* seeds of rounds and checks */

	/* A round: position p of `round` is what was found and the first p of `chain`. */
	struct search *round; /* NULL: none, or checks */
	size_t nr_rounds;
	bool are_rounds_over;
	size_t *chain; /* not found yet, ascending */
	size_t nr_chain;
	size_t *before; /* what was before the last member in the chain of its round */
	size_t nr_before;

	/* What was found. */
	bool *is_found; /* by setting */
	struct settings_member_list VEC_BODY(struct settings_member) members;
	size_t *storage; /* of the members' settings */
	size_t nr_stored;

	/* A check: pairs of `base` and `changed`. */
	struct pairing pairing;
	size_t checked; /* member */

	struct settings_answer answer; /* the parts that are known so far */
	double shift;		       /* of all against none, on the scale of the tests */
	enum finding direction;	       /* of it */
	size_t nr_first_runs;	       /* of the first comparison */

	struct settings_step step;
	bool *base, *changed, *single; /* what step points to */
};

void subset_assign(bool *subset, const size_t *settings, size_t nr, bool is_in);
/* The members' settings. */
void subset_set_found(const struct settings_search *search, bool *subset);

/* From the second round on, and in checks: what counts is a share of the whole effect. */
struct effect_rule settings_share_rule(const struct settings_search *search);

/* The round stays: what it knows is asked for afterwards. */
void settings_end(struct settings_search *search, enum settings_state state);

/* The members are complete: begins to check them. */
void settings_check_begin(struct settings_search *search);
/* Fills in what a check compares, and which side is due. */
void settings_check_step(struct settings_search *search);
/* A run of the side that was due, or that there can be none. */
void settings_check_add(struct settings_search *search, double value);
void settings_check_untestable(struct settings_search *search);

#endif
