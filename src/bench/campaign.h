/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BENCH_CAMPAIGN_H
#define REGIO_BENCH_CAMPAIGN_H

/*
 * The A/B campaign: discarded warm-up runs of each side, then pairs in coin-flip order, one
 * look of the sequential rule after each pair, until it decides or the budget is used up.
 * What a trial is comes in through callbacks, so that it can be tested with made-up numbers.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/stop.h"

struct err;
struct result;

enum campaign_side { SIDE_A, SIDE_B, NR_SIDES };

/* "A", "B". */
const char *side_name(enum campaign_side side);

/* A trial that failed is repeated; so many failures of one side end the campaign. */
#define CAMPAIGN_MAX_FAILURES 3

enum trial_use {
	TRIAL_WARMUP,	   /* discarded */
	TRIAL_USED,	   /* half of a pair */
	TRIAL_FAILED,	   /* a job of it failed: repeated */
	TRIAL_INTERRUPTED, /* partial, the last one of the campaign */
};

struct campaign_hooks {
	/*
	 * Runs one trial. seed_nr is 0 for warm-ups and the number of the pair, from 1 on, for
	 * both trials of a pair and their repetitions, so both sides see the same offsets. An
	 * error ends the campaign; -ERR_INTERRUPTED ends it like the flag does. A job that
	 * failed is not an error but stands in the result.
	 */
	int (*run_trial)(void *arg, enum campaign_side side, uint64_t seed_nr,
			 struct result *ret_result, struct err *err);
	/*
	 * The metric that decides, out of one result. Called for every used trial; an error
	 * (the metric is not there) ends the campaign.
	 */
	int (*value)(void *arg, enum campaign_side side, const struct result *result,
		     double *ret_value, struct err *err);
	/* Stores the result the moment its trial has ended; before value(). */
	int (*sink)(void *arg, enum campaign_side side, enum trial_use use,
		    const struct result *result, struct err *err);
	/* After each pair; may be NULL. */
	void (*look)(void *arg, const struct stop_look *look);
	void *arg;
};

struct campaign_config {
	struct stop_config stop;
	unsigned nr_warmups;		/* per side */
	uint64_t seed;			/* of the coin */
	const atomic_bool *interrupted; /* looked at before each trial; may be NULL */
	struct campaign_hooks hooks;
};

enum campaign_end {
	CAMPAIGN_DECIDED,     /* look.decision says what */
	CAMPAIGN_BUDGET,      /* undecided after max_pairs */
	CAMPAIGN_INTERRUPTED, /* undecided, by a signal */
	CAMPAIGN_FAILURE,     /* one side failed CAMPAIGN_MAX_FAILURES times */
};

struct campaign {
	struct stop stop;      /* the values and the coin of each pair, in the order measured */
	struct stop_look look; /* the last one; nr_pairs 0 = none */
	enum campaign_end end;
	enum campaign_side failed_side; /* CAMPAIGN_FAILURE */
	unsigned nr_failures[NR_SIDES];
};

/*
 * Fills *ret, which hooks may read while it runs, also when interrupted or failed. An error of
 * a hook is returned as it is. An end between the halves of a pair leaves a used run that no
 * look has seen: the first stop.nr_pairs values of each side are the sample.
 */
int campaign_run(const struct campaign_config *config, struct campaign *ret, struct err *err);

#endif
