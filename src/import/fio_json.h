/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_FIO_JSON_H
#define REGIO_IMPORT_FIO_JSON_H

/*
 * Parts of the importer of fio's JSON and JSON+. Documents are read member by member; a table for
 * each kind of object says which members are wanted. Numbers are kept as they were printed until
 * their object is complete, as their units show only then.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json_scan.h"
#include "base/vec.h"
#include "import/fio_given.h"
#include "import/json_text.h"
#include "model/result.h"

/* As many as fio runs; several documents are kept at a time. */
#define FIO_JSON_MAX_JOBS 4096

struct fio_number {
	double value;
	unsigned line; /* 0 = not printed */
};

/* ---- one document ---- */

/* The five objects of a job that hold I/Os. */
enum fio_json_dir {
	FIO_JSON_READ,
	FIO_JSON_WRITE,
	FIO_JSON_TRIM,
	FIO_JSON_SYNC,
	FIO_JSON_MIXED,
	FIO_JSON_NR_DIRS,
};

/* How far a job has come: to see that a document reports the same run as the one before it. */
struct fio_json_progress {
	double runtime_ms[FIO_JSON_NR_DIRS], ios[FIO_JSON_NR_DIRS], bytes[FIO_JSON_NR_DIRS];
	double mean_ns[FIO_JSON_NR_DIRS];
	uint64_t start_ms; /* since 1970; 0 = not printed (before 3.36) */
	double longest_ms;
};

struct fio_json_doc {
	struct result result;
	VEC(struct fio_json_progress) progress; /* of each job */
	unsigned major, minor;			/* version; 0 = not printed */
	uint64_t time_ms;			/* of printing, since 1970; 0 = not printed */
	unsigned time_step_ms;			/* 1 or 1000 */
	double elapsed_ms;			/* of the whole run; NAN = not printed */
	bool has_sum;				/* a last entry "All clients" */
	bool is_cut;
	bool is_fio; /* something in it belongs to fio's documents only */
	struct fio_refusals refusals;
};

void fio_json_doc_release(struct fio_json_doc *doc);

/* ---- reading ---- */

struct fio_bin {
	uint64_t value, count;
};

struct fio_latency {
	struct fio_number min, max, mean, stddev, n;
	double unit_ns;
	VEC(struct fio_percentile) percentiles;
	VEC(struct fio_bin) bins;
	bool has_indexed_bins; /* until 2.21: bins[i] is the i-th bucket */
};

struct fio_dir_numbers {
	struct fio_number io_bytes, io_kbytes, bw_bytes, bw, iops, runtime;
	struct fio_number total_ios, short_ios, drop_ios;
	struct fio_number bw_min, bw_max, bw_mean, bw_dev, bw_samples;
	struct fio_number iops_min, iops_max, iops_mean, iops_stddev, iops_samples;
};

struct fio_json_dir_state {
	enum fio_json_dir dir;
	struct fio_dir_numbers numbers;
	struct fio_latency latency[LATENCY_NR_KINDS];
};

/* All that reading needs; the buffers are used again for every object. */
struct fio_json {
	struct json_text text;
	struct fio_json_doc doc;
	struct fio_json_dir_state dir;
	enum json_event event; /* the last one */
	bool is_event_ahead;   /* it is the first of the document */
	bool is_restarted;     /* it shows that the next document has begun */

	/* of the job that is being read */
	size_t job;    /* index */
	unsigned seen; /* bits of its objects of numbers that were read, directions first */
};

void fio_json_release(struct fio_json *json);

/* One member of an object. */
struct fio_member {
	const char *key;
	/* False after the text was cut or turned out not to be JSON. */
	bool (*read)(struct fio_json *json, void *into, const struct fio_member *member);
	size_t offset; /* in *into */
};

struct fio_members {
	const struct fio_member *items;
	size_t nr;
};

#define FIO_MEMBERS(rows)                                                                          \
	(struct fio_members)                                                                       \
	{                                                                                          \
		.items = (rows), .nr = sizeof(rows) / sizeof((rows)[0])                            \
	}

/* The next event; false if there is none. */
bool fio_json_next(struct fio_json *json);
/* Passes over the value of the last event. */
bool fio_json_pass(struct fio_json *json);
/* Reads an object whose '{' was the last event. */
bool fio_json_members(struct fio_json *json, const struct fio_members *members, void *into);
/* A struct fio_number at the offset. What is none is left out, with a note if it is a wrong one. */
bool fio_json_number(struct fio_json *json, void *into, const struct fio_member *member);
/* The number of the last event. */
struct fio_number fio_json_take_number(struct fio_json *json);
/* A new string of the last event, NULL if it is no string. */
char *fio_json_take_text(struct fio_json *json);

/* The job that is being read. */
struct job_result *fio_json_job(struct fio_json *json);

/* ---- fio_json_doc.c ---- */

/* Reads the document whose '{' was the last event into json->doc, as far as it goes. */
void fio_json_read_doc(struct fio_json *json);

/* ---- fio_json_job.c ---- */

/* The members of "jobs" and "client_stats". */
bool fio_json_read_jobs(struct fio_json *json, void *into, const struct fio_member *member);

/* ---- fio_json_dir.c ---- */

/* "read" and the like; member->offset is the enum fio_json_dir. */
bool fio_json_read_dir(struct fio_json *json, void *into, const struct fio_member *member);

/* ---- fio_json_latency.c ---- */

/* "clat_ns" and "clat" of a struct fio_json_dir_state; member->offset is the enum latency_kind. */
bool fio_json_read_latency(struct fio_json *json, void *into, const struct fio_member *member);
void fio_json_clear_latency(struct fio_latency *latency);
/* Sets the metrics and the histogram of one kind. */
void fio_json_finish_latency(struct fio_json *json, enum latency_kind kind, double runtime_ms);

/* ---- fio_json_disk.c ---- */

/* "disk_util". */
bool fio_json_read_disks(struct fio_json *json, void *into, const struct fio_member *member);

/* ---- fio_json_finish.c ---- */

/* What only the whole document shows: phases, parameters, "All clients". */
void fio_json_finish(struct fio_json_doc *doc);

/* ---- fio_json_facts.c ---- */

/*
 * Adds the options of the jobs to the environment: "job.fsync" where all jobs have the same, else
 * "job[NAME].fsync" of each job that has it. Jobs have their names already.
 */
void fio_json_add_facts(struct result *result);

/* ---- fio_json_series.c ---- */

enum fio_json_relation {
	FIO_JSON_OTHER_RUN,
	FIO_JSON_SAME_RUN, /* a later report of it (--status-interval) */
	FIO_JSON_UNKNOWN,
};

enum fio_json_relation fio_json_relate(const struct fio_json_doc *before,
				       const struct fio_json_doc *after);

extern const char *const fio_json_dir_names[FIO_JSON_NR_DIRS];

#endif
