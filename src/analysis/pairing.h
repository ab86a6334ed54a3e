/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_PAIRING_H
#define REGIO_ANALYSIS_PAIRING_H

/*
 * A sequential comparison fed run by run: it draws which side of a pair is run first, and says
 * which side is due. For searches, which look for any effect whatever its size.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/stop.h"
#include "base/rng.h"

struct pairing_config {
	struct effect_rule rule;
	size_t min_pairs; /* no end before so many, whatever they show */
	size_t max_pairs;
	uint64_t seed;
};

struct pairing {
	struct stop stop;
	struct stop_look look; /* after the last complete pair; nr_pairs 0: none */
	size_t min_pairs;
	struct rng coin;
	bool is_a_first;
	bool is_half; /* the first run of the pair is done */
	double half;
};

/* ERR_USAGE as stop_init. */
int pairing_init(struct pairing *pairing, const struct pairing_config *config, struct err *err);

bool pairing_wants_a(const struct pairing *pairing);

/* The value of a run of the side that was due; finite. */
void pairing_add(struct pairing *pairing, double value);

/* Something was found, or the budget is used up. Nothing may be added any more. */
bool pairing_is_over(const struct pairing *pairing);

/* Of b against a; FINDING_UNDECIDED as long as there is none. */
enum finding pairing_finding(const struct pairing *pairing);

/* LOWER or HIGHER. */
bool pairing_has_effect(const struct pairing *pairing);

/* Logarithm of the ratio, or points. */
double pairing_shift(const struct pairing *pairing);

/* Runs so far, those of a half pair too. */
size_t pairing_nr_runs(const struct pairing *pairing);

#endif
