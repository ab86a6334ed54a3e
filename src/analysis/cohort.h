/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_COHORT_H
#define REGIO_ANALYSIS_COHORT_H

/*
 * A cohort: the runs under one label that measured one workload, as columns: of every metric the
 * values of the runs that have it. Results are added one by one and not kept.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/shift.h"
#include "base/arena.h"
#include "base/name_index.h"
#include "base/vec.h"
#include "model/io.h"
#include "model/result.h"

/* The mean of several runs whose single values are not known. */
struct posted {
	double mean;
	double stddev_percent; /* population; NAN = not printed */
	unsigned nr_runs;      /* 0 = none was posted; GIVEN_RUNS_UNKNOWN */
	double change;	       /* as posted beside it, NAN = none */
	unsigned line;	       /* where it was posted */
};

#define COHORT_WHOLE SIZE_MAX /* of the whole result, not of one of its jobs */

struct cohort_series {
	const char *name;	 /* in the arena, as all texts here */
	const char *source_name; /* as printed where that is another name; else NULL */
	size_t job;		 /* index into jobs, or COHORT_WHOLE */
	VEC(double) values;	 /* of the runs that have it, in their order; finite */
	size_t last_run;	 /* runs.nr when the last one was added */
	struct posted posted;
};

/* A job of a workload with several. Jobs of equal names are told apart by their order. */
struct cohort_job {
	const char *name;
	size_t ordinal; /* 1 .. among those of its name */
};

struct cohort_run {
	int error;		    /* errno: failed, its numbers take no part; 0 = none */
	int64_t started_at_unix_ms; /* 0 = not known */
	uint64_t digest;
	size_t nr_metrics;
};

/* One kind of latency of one direction, run by run. */
struct cohort_latency {
	enum io_dir dir;
	enum latency_kind kind;
	VEC(struct shift_run) runs;
};

struct cohort {
	const char *workload;
	VEC(struct cohort_run) runs; /* failed ones included, repeated ones not */
	size_t nr_failed;
	size_t nr_repeated; /* the same numbers again: not counted */
	size_t nr_tables;   /* results that are means of several runs: no runs */
	VEC(struct cohort_series) series;
	VEC(struct cohort_job) jobs; /* empty unless a result has several */
	VEC(struct cohort_latency) latencies;
	/* What LKP calls it: keys "lkp.axes", "lkp.commit" .., the first value of each. */
	VEC(struct result_pair) lkp;

	struct arena arena;
	struct name_index places; /* of series by "job/name" */
	bool is_last_used;	  /* the run begun last takes part */
};

enum cohort_jobs {
	COHORT_JOBS_USUAL, /* of each job only throughput and mean latency */
	COHORT_JOBS_ALL,
};

struct cohort *cohort_create(const char *workload);
void cohort_free(struct cohort *cohort);

/* Adds a result of this workload. */
void cohort_add_result(struct cohort *cohort, const struct result *result, enum cohort_jobs jobs);

/*
 * The same piece by piece, where results are columns already: begin a run; if it takes part add
 * its metrics and histograms.
 */
void cohort_add_lkp(struct cohort *cohort, const char *key, const char *value);
bool cohort_begin_run(struct cohort *cohort, const struct cohort_run *run);
struct cohort_series *cohort_add_value(struct cohort *cohort, const char *name, double value);
void cohort_add_histogram(struct cohort *cohort, enum io_dir dir, enum latency_kind kind,
			  const struct hist *hist);

/* Of a whole result's metric that the cohort has; the first one counts. */
void cohort_add_source_name(struct cohort *cohort, const char *name, const char *source_name);

/* NULL if there is no such series. job: COHORT_WHOLE or an index into jobs. */
const struct cohort_series *cohort_find(const struct cohort *cohort, size_t job, const char *name);
/* Index of the job with that name and order; COHORT_WHOLE if there is none. */
size_t cohort_find_job(const struct cohort *cohort, const struct cohort_job *job);
const struct cohort_latency *cohort_find_latency(const struct cohort *cohort, enum io_dir dir,
						 enum latency_kind kind);
/* "lkp.axes" ..; NULL if it is not known. */
const char *cohort_lkp(const struct cohort *cohort, const char *key);
/* Runs that take part. */
size_t cohort_nr_used(const struct cohort *cohort);

#endif
