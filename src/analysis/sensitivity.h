/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_SENSITIVITY_H
#define REGIO_ANALYSIS_SENSITIVITY_H

#include <stddef.h>

#include "analysis/effect.h"

struct stop;
struct stop_look;

/*
 * How small a change the sequential comparison can tell on a machine, learnt from pairs of equal
 * runs: both sides of the session are the same. At least LEVELS_MIN_PAIRS pairs.
 */
struct sensitivity {
	enum scale scale;
	double spread; /* robust standard deviation of one run: a share, or in points */
};

void sensitivity_learn(const struct stop *stop, const struct stop_look *look,
		       struct sensitivity *ret);

/*
 * The smallest change that comparisons of so many pairs find, and the smallest that they rule out
 * where there is none, in about four of five cases each. A share below 1 (a decrease), or points.
 * Found is a change that is at least twice the smallest effect that was asked for.
 */
double sensitivity_finds(const struct sensitivity *sensitivity, size_t nr_pairs);
double sensitivity_rules_out(const struct sensitivity *sensitivity, size_t nr_pairs);

#endif
