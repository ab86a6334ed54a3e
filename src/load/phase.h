/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_PHASE_H
#define REGIO_LOAD_PHASE_H

/*
 * A phase: all clones that run at the same time (stonewall separates phases). Starts their
 * workers together, samples their counters, passes `stop` and exitall on, and joins them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load/least_rate.h"
#include "load/load.h"
#include "load/plan.h"
#include "load/sample.h"

struct err;
struct flow_table;
struct timeline;
struct log_ring;
struct settle;
struct snapshot;
struct worker;

/* One clone of the plan; worker and samplers stay for whoever collects the results. */
struct phase_clone {
	struct worker *worker;	   /* NULL if it was never started */
	struct log_ring *log;	   /* NULL if it logs nothing */
	struct snapshot *snapshot; /* NULL until there was one */
	struct sampler bw_sampler; /* its IOPS are not used, nor the bandwidth of the other one */
	struct sampler iops_sampler;
	struct least_rate least_rate;
	struct settle *settle; /* NULL unless it, or others with it, are to settle */
	uint64_t epoch_ticks;  /* of the samples */
	bool is_over;
	bool is_left_behind; /* its thread hangs in the kernel and may come back any time */
};

struct phase_config {
	const struct load_config *load;
	const struct plan *plan;
	const struct flow_table *flows;
	struct phase_clone *clones; /* as many as the plan has */
	uint64_t begun_ns;	    /* of the first phase, CLOCK_MONOTONIC */
	uint64_t expected_ns;	    /* of all phases, 0: unknown */
};

/*
 * Runs the clones whose job has this phase number, and draws their timeline. 1 if no other phase
 * is to follow. Fails if no thread can be made.
 */
int phase_run(const struct phase_config *config, unsigned phase, struct timeline *timeline,
	      struct err *err);

#endif
