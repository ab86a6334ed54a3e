/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_SAMPLER_H
#define REGIO_MONITOR_SAMPLER_H

/*
 * The one sampling thread. The first and the last round are taken by the caller, before the
 * workers start and after they were joined, so that the differences are theirs; the thread takes
 * those between. It has all signals blocked and shares nothing with the workers.
 */

#include <stdint.h>

struct err;
struct monitor_sampler;
struct monitor_set;
struct result;

#define MONITOR_INTERVAL_NS UINT64_C(1000000000)

struct monitor_sampler_config {
	struct monitor_set *set; /* not touched by others until it is stopped */
	uint64_t interval_ns;	 /* 0 = MONITOR_INTERVAL_NS */
	uint64_t delay_ns;	 /* the first round is due then, in the thread; 0 = now */
};

/* Levels are sampled in the middle of the intervals: at 0.5, 1.5, 2.5 .. intervals. */
int monitor_sampler_start(const struct monitor_sampler_config *config,
			  struct monitor_sampler **ret_sampler, struct err *err);
/* Ends the thread and takes the last round. Does nothing the second time. */
void monitor_sampler_stop(struct monitor_sampler *sampler);
/* After the stop: what watching has cost, as monitor.* metrics. */
void monitor_sampler_report(const struct monitor_sampler *sampler, struct result *result);
/* Stops it if need be. NULL is fine. */
void monitor_sampler_free(struct monitor_sampler *sampler);

#endif
