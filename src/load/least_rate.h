/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_LEAST_RATE_H
#define REGIO_LOAD_LEAST_RATE_H

/*
 * rate_min, rate_iops_min: whether a clone does as much as it must. Looked at once a cycle
 * (rate_cycle), after a time of grace at the start, as in fio.
 */

#include <stdbool.h>
#include <stdint.h>

#include "load/sample.h"

struct job;

struct least_rate {
	uint64_t begin_ns; /* of the cycle; 0 = not begun */
	struct sample_counts begin;
};

/* False if the cycle that ends at now_ns had too little in some direction. */
bool least_rate_check(struct least_rate *rate, const struct job *job, uint64_t epoch_ns,
		      uint64_t now_ns, const struct sample_counts *counts);

#endif
