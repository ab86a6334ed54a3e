/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_DEPTH_SEARCH_H
#define REGIO_LOAD_DEPTH_SEARCH_H

/*
 * latency_target=: the largest depth at which enough I/Os are in time. Starts at 1, doubles the
 * depth after each good window, halves the interval once a depth was bad; then one more window at
 * the depth that was found, or with latency_run on and on. I/Os that were begun before a window
 * say nothing of its depth. Knows nothing of workers.
 */

#include <stdbool.h>
#include <stdint.h>

struct clock;
struct job;

struct depth_search {
	uint64_t target_ns;
	uint64_t window_ticks;
	double percentile; /* share of the I/Os that have to be in time */
	bool is_endless;   /* latency_run */
	unsigned max_depth;

	unsigned depth;	    /* the current one */
	unsigned good, bad; /* largest and smallest known to be; 0 and max_depth + 1: none is */
	bool is_last;	    /* the window whose numbers are the result */
	unsigned nr_calm;   /* windows since the depth was found */
	uint64_t begin_ticks;
	uint64_t nr_ios, nr_late; /* of the window */
};

enum depth_step {
	DEPTH_KEPT,
	DEPTH_CHANGED,
	DEPTH_FOUND,  /* the last window begins */
	DEPTH_DONE,   /* it has ended */
	DEPTH_FAILED, /* an I/O was late although it was alone, and none may be */
};

void depth_search_init(struct depth_search *search, const struct job *job, unsigned max_depth,
		       const struct clock *clock);
/* The windows begin. */
void depth_search_begin(struct depth_search *search, uint64_t now_ticks);
/* An I/O was completed now. */
enum depth_step depth_search_add(struct depth_search *search, uint64_t start_ticks,
				 uint64_t now_ticks, uint64_t lat_ns);

#endif
