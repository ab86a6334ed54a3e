/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_PHASE_STATE_H
#define REGIO_LOAD_PHASE_STATE_H

/* A phase while it runs, private to phase.c and phase_tell.c. */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load/hang.h"
#include "load/sample.h"

struct gate;
struct phase_clone;
struct phase_config;
struct timeline;

/* One running clone. */
struct runner {
	struct phase_clone *clone;
	pthread_t thread;
};

struct phase {
	const struct phase_config *config;
	unsigned number;
	struct gate *gate; /* outlives the phase if a worker is left behind */
	struct hang hang;
	struct runner *runners;
	size_t nr_runners;
	size_t nr_running;
	uint64_t base_ticks; /* 0 ns of the samplers */
	struct timeline *timeline;
	bool is_stopped;
	bool is_last;	   /* exit_what=all: nothing is to follow */
	bool has_waiters;  /* some wait_for= */
	bool has_settlers; /* some steadystate= */
	/* of the last progress */
	uint64_t progress_ns;
	struct sample_counts progress_counts;
	uint64_t status_ns; /* of the last one */
};

/* What all its workers have counted. */
void phase_sum_counts(const struct phase *phase, struct sample_counts *ret_sum);

/* Timeline, progress and status, whichever is due. */
void phase_tell(struct phase *phase, uint64_t now_ns);

#endif
