/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_SHIFT_H
#define REGIO_ANALYSIS_SHIFT_H

/*
 * Where in the distribution of latencies two samples differ. The run is the unit: every run gives
 * one value for each quantile, and quantiles are compared like any other metric. Pooled I/Os
 * would be compared as if they were independent, which raises an alarm in half of all cases.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/compare.h"
#include "analysis/verdict.h"

struct hist;

#define SHIFT_NR_QUANTILES 8

/* The quantiles, ascending, as shares. */
extern const double shift_quantiles[SHIFT_NR_QUANTILES];

/* From here on it is the tail. */
#define SHIFT_TAIL 0.95

/* A quantile of a run counts when at least so many I/Os are expected beyond it. */
#define SHIFT_MIN_IOS_BEYOND 30

/* What one run contributes. */
struct shift_run {
	uint64_t nr_ios;
	uint64_t values_ns[SHIFT_NR_QUANTILES];
};

void shift_run_init(struct shift_run *run, const struct hist *hist);
/* Whether the run has enough I/Os for shift_quantiles[index]. */
bool shift_run_has(const struct shift_run *run, size_t index);

struct shift_sample {
	const struct shift_run *runs; /* borrowed, in the order of measuring */
	size_t nr;
};

enum shift_finding {
	SHIFT_UNTESTED, /* too few runs, or too few I/Os for any quantile */
	SHIFT_NONE,	/* no quantile changed for certain */
	SHIFT_TAIL_ONLY,
	SHIFT_BODY_ONLY,
	SHIFT_WHOLE,   /* body and tail, in the same direction */
	SHIFT_CROSSED, /* some quantiles rose, others fell */
};

struct shift_row {
	double quantile;
	bool is_present; /* a run of each side has enough I/Os */
	size_t nr_few;	 /* runs of both sides that have not */
	struct comparison comparison;
	enum verdict verdict; /* after Holm's adjustment over the quantiles */
};

struct shift {
	struct shift_row rows[SHIFT_NR_QUANTILES];
	enum shift_finding finding;
};

/*
 * The resolution of the rule is raised to that of the histogram. A latency: lower is better.
 * Either sample may be empty.
 */
void shift_compare(const struct effect_rule *rule, const struct shift_sample *a,
		   const struct shift_sample *b, struct shift *ret);

/* For people: "only the tail (p95 and beyond) changed ..". "" for SHIFT_UNTESTED. */
const char *shift_finding_text(enum shift_finding finding);
/* For machines: "tail_only". */
const char *shift_finding_name(enum shift_finding finding);

#endif
