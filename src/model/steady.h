/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_STEADY_H
#define REGIO_MODEL_STEADY_H

/* steadystate=: when a job is taken to have settled, and what it was judged by. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum steady_metric {
	STEADY_IOPS,
	STEADY_BW,
	STEADY_LAT,
	STEADY_NR_METRICS,
};

#define STEADY_MAX_SAMPLES 86400 /* a day in seconds: more are kept for nobody */

struct steady_rule {
	unsigned metric; /* enum steady_metric */
	bool is_slope;	 /* of the straight line through the samples; else the largest deviation */
	bool is_percent; /* the limit, of the mean */
	double limit;
};

/* What a job did in one interval. */
struct steady_sample {
	uint64_t iops, bw_bytes_per_sec;
	uint64_t lat_ns; /* mean; 0 unless it is what counts */
};

struct steady_result {
	struct steady_rule rule;
	uint64_t duration_s;
	bool is_attained;
	double spread;		       /* largest deviation from the mean, or slope per sample */
	double criterion;	       /* what was compared with the limit */
	struct steady_sample *samples; /* owned; the last ones, up to the duration */
	size_t nr;
};

/* "iops", "bw", "lat". */
const char *steady_metric_name(unsigned metric);
uint64_t steady_value(const struct steady_sample *sample, unsigned metric);
double steady_mean(const struct steady_result *result, unsigned metric);

/* Sets spread and criterion from the samples; true if the rule is met by them. */
bool steady_judge(struct steady_result *result);

/* Accepts NULL. */
void steady_result_free(struct steady_result *result);

#endif
