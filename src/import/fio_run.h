/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_FIO_RUN_H
#define REGIO_IMPORT_FIO_RUN_H

/*
 * One run of fio while its normal output is read: the result so far, and where in the output the
 * reader stands. Each function takes one kind of piece; what it cannot make sense of is left out.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "import/fio_text.h"
#include "model/result.h"

#define FIO_NAME_LEN 96 /* of metrics that are built here */

enum fio_stage {
	FIO_STAGE_HEAD, /* nothing measured yet */
	FIO_STAGE_JOBS,
	FIO_STAGE_GROUPS,
	FIO_STAGE_DISKS,
};

/* What "job: (g=0): rw=.." says before the run. */
struct fio_header {
	struct job_result job; /* name, group and parameters only */
	bool has_clones;       /* "..." follows it */
};

struct fio_group_line {
	unsigned group;
	const char *dir;			       /* "read" */
	double bw_bytes_per_sec, io_bytes, runtime_ms; /* NAN = absent */
	unsigned line;
};

struct fio_rounded {
	const char *dir, *what;
	double step; /* of the last digit, as a share of the value */
};

struct fio_run {
	struct result result;
	enum fio_stage stage;
	unsigned first_line, last_line;
	unsigned quote_depth; /* of the first line */
	VEC(struct fio_header) headers;
	VEC(struct fio_group_line) group_lines;
	VEC(unsigned) groups; /* of "Run status group" */

	VEC(struct fio_rounded) rounded; /* coarsely printed */

	/* the entry that the lines belong to */
	bool has_job;
	size_t job;	  /* index in the result */
	const char *dir;  /* "read", "write", "trim", "mixed", "sync"; NULL before the first */
	bool is_old;	  /* that direction is printed as until 2.16 */
	bool has_si_base; /* kb_base=1000: "BW=" is in MB/s first */
	unsigned group;	  /* of the status lines */

	/* the percentiles that the rows belong to */
	char percentiles[FIO_NAME_LEN]; /* "read.clat_ns"; empty = of nothing known */
	double percentile_unit_ns;

	/* of the first job that failed with a message, for one without an entry */
	int message_error;
	char *message_where; /* owned */

	unsigned nr_reports;  /* entries that replaced an earlier one of the same job */
	bool is_client;	      /* results of servers */
	bool has_total_entry; /* "All clients" */
	bool has_tail;	      /* the entry has its last lines */
	bool is_cut_entry;    /* an entry ended without them */
	bool has_disk_head;
	size_t nr_disks;
};

void fio_run_release(struct fio_run *run);
CLEANUP_DEFINE(fio_run, struct fio_run, fio_run_release)

/* List that the metrics of the current entry go to. */
struct given_list *fio_run_given(struct fio_run *run);
/* "prefix.rest" = value in the current entry. */
void fio_run_set(struct fio_run *run, const char *prefix, const char *rest, double value,
		 unsigned line);
/* "key=VALUE": a count; a number that is none or below 0 is noted. False: not there. */
bool fio_run_set_key(struct fio_run *run, const struct fio_piece *piece, const char *key,
		     const char *prefix, const char *rest);
/* A note that a number was not taken. */
__attribute__((format(printf, 3, 4))) void fio_run_refuse(struct fio_run *run, unsigned line,
							  const char *format, ...);

/* ---- fio_job.c ---- */

void fio_take_header(struct fio_run *run, const struct fio_piece *piece);
void fio_take_job(struct fio_run *run, const struct fio_piece *piece);
/* True if the entry at text is one that the run has already, printed again. */
bool fio_is_same_job(const struct fio_run *run, const char *text);
void fio_take_description(struct fio_run *run, const struct fio_piece *piece);
void fio_take_dir(struct fio_run *run, const struct fio_piece *piece);
void fio_take_message(struct fio_run *run, const struct fio_piece *piece);

/* ---- fio_latency.c ---- */

void fio_take_latency(struct fio_run *run, const struct fio_piece *piece);
void fio_take_prio_latency(struct fio_run *run, const struct fio_piece *piece);
void fio_take_sync(struct fio_run *run, const struct fio_piece *piece);
void fio_take_percentiles(struct fio_run *run, const struct fio_piece *piece);
void fio_take_percentile_row(struct fio_run *run, const struct fio_piece *piece);

/* ---- fio_tail.c ---- */

void fio_take_bw(struct fio_run *run, const struct fio_piece *piece);
void fio_take_iops(struct fio_run *run, const struct fio_piece *piece);
void fio_take_cpu(struct fio_run *run, const struct fio_piece *piece);
/* IO depths, submit, complete. */
void fio_take_shares(struct fio_run *run, const struct fio_piece *piece);
void fio_take_issued(struct fio_run *run, const struct fio_piece *piece);
void fio_take_errors(struct fio_run *run, const struct fio_piece *piece);
void fio_take_target(struct fio_run *run, const struct fio_piece *piece);
void fio_take_steady(struct fio_run *run, const struct fio_piece *piece);

/* ---- fio_group.c ---- */

void fio_take_group(struct fio_run *run, const struct fio_piece *piece);
void fio_take_group_dir(struct fio_run *run, const struct fio_piece *piece);
/* Of lines that stand alone, without a head: a second one of a direction is of another run. */
bool fio_repeats_bare_dir(const struct fio_run *run, const char *text);
void fio_take_disk(struct fio_run *run, const struct fio_piece *piece);
void fio_take_script(struct fio_run *run, const struct fio_piece *piece);
/* The sums of the group lines become those of the result. */
void fio_group_finish(struct fio_run *run);

/* ---- fio_check.c ---- */

/* Takes out what cannot be true, with a note each. */
void fio_check_job(struct fio_run *run, struct job_result *job);

/* ---- fio_run.c ---- */

/* The last piece was read: notes on what is missing, sums, doubtful entries. */
void fio_run_finish(struct fio_run *run);
/* True if there is anything to deliver. */
bool fio_run_has_content(const struct fio_run *run);

#endif
