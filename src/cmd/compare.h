/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_COMPARE_H
#define REGIO_CMD_COMPARE_H

/* A comparison of stored or imported samples, as cmd_compare runs it and compare_* tell it. */

#include <stdbool.h>
#include <stddef.h>

#include "analysis/cohort_match.h"
#include "analysis/env_diff.h"
#include "analysis/label.h"
#include "analysis/metric_table.h"
#include "analysis/side.h"
#include "base/args.h"
#include "cmd/better_option.h"

struct doc;
struct doc_table;
struct err;

#define COMPARE_MAX_SIDES 3 /* the base and two others */

struct compare_options {
	struct arg_list metrics;
	const char *base_label;
	const char *better; /* "higher" or "lower" */
	const char *format;
	const char *from;
	const char *store_path;
	double min_effect; /* share */
	double alpha;
	bool all_metrics;
	bool lkp_strict;
	bool json;
	bool is_help;
};

/* Of commands that name samples: those of what the samples are. */
#define SAMPLE_OPTION_ROWS(config_type)                                                            \
	{ .name = "base",                                                                          \
	  .type = ARG_STRING,                                                                      \
	  .offset = offsetof(config_type, base_label),                                             \
	  .value_name = "LABEL",                                                                   \
	  .help = "the sample that the others are compared with" },                                \
		{ .name = "from",                                                                  \
		  .type = ARG_STRING,                                                              \
		  .offset = offsetof(config_type, from),                                           \
		  .value_name = "FORMAT",                                                          \
		  .help = "look only for this format in files (regio import --from=help)" },       \
	{                                                                                          \
		.name = "store", .type = ARG_STRING, .offset = offsetof(config_type, store_path),  \
		.value_name = "PATH", .help = "database of results"                                \
	}

/* How samples are judged. */
#define JUDGE_OPTION_ROWS(config_type)                                                             \
	{ .name = "metric",                                                                        \
	  .short_name = 'm',                                                                       \
	  .type = ARG_STRING_LIST,                                                                 \
	  .offset = offsetof(config_type, metrics),                                                \
	  .value_name = "NAME",                                                                    \
	  .help = "what decides: iops, bw, clat_p99, write.lat_mean .. (up to three times)" },     \
		SAMPLE_OPTION_ROWS(config_type), BETTER_OPTION_ROW(config_type, better),           \
		{ .name = "min-effect",                                                            \
		  .type = ARG_SHARE,                                                               \
		  .offset = offsetof(config_type, min_effect),                                     \
		  .value_name = "X",                                                               \
		  .help = "smallest difference that matters (default 5%)" },                       \
	{                                                                                          \
		.name = "alpha", .type = ARG_DOUBLE, .offset = offsetof(config_type, alpha),       \
		.value_name = "P", .help = "chance of a false alarm (default 0.05)"                \
	}

/* Defaults of these options. */
#define COMPARE_OPTIONS_INIT                                                                       \
	{                                                                                          \
		.format = "text", .min_effect = 0.05, .alpha = 0.05                                \
	}

struct compare {
	const struct compare_options *config;
	struct side sides[COMPARE_MAX_SIDES]; /* the base first */
	size_t nr_sides;
	bool is_base_chosen; /* nobody said which is the base */
	struct label_base base_choice;
	struct cohort_pairs pairs;
	size_t *pair_sides; /* of each pair the index of its new side */
	struct metric_table table;
	struct note_list notes;
};

/* ---- compare_load.c: from operands to sides ---- */

/* Fills the sides. What an operand may be: see the man page. */
int compare_load(struct compare *compare, const struct arg_list *operands, struct err *err);
/* Whatever of it is there. */
void compare_release(struct compare *compare);

/* ---- compare_judge.c ---- */

/* ERR_USAGE if one of the options that judge is out of range. */
int compare_check_options(const struct compare_options *options, struct err *err);
/* ERR_USAGE if not even the base has the metrics that were named: then it is the name. */
int compare_check_base(const struct compare *compare, struct err *err);
/* Fills pairs, table and notes from the sides. */
int compare_judge(struct compare *compare, struct err *err);

/* ---- compare_notes.c ---- */

/* Adds what follows from the samples: workloads that differ, runs that failed, order unknown .. */
void compare_add_notes(struct compare *compare);

/* ---- compare_rows.c: tables ---- */

/* The rows of a pair that people see, and how many are left out. */
void compare_add_metrics(const struct compare *compare, size_t pair, struct doc *doc);
void compare_add_jobs(const struct compare *compare, size_t pair, struct doc *doc);
/* All rows in one table, for programs. */
void compare_add_all_rows(const struct compare *compare, struct doc *doc);
/* A p-value; empty where nothing was tested. */
void compare_add_p(struct doc_table *table, const struct comparison *comparison, double p);

/* The label of the new side of a pair. */
const char *compare_new_label(const struct compare *compare, size_t pair);
/* " (WORKLOAD)" where its side is compared in several, else "". Caller frees. */
char *compare_workload_note(const struct compare *compare, size_t pair);
/* What the table says of a verdict: "no verdict: 1 run a side". Caller frees. */
char *compare_verdict_text(const struct compare *compare, const struct metric_row *row);

/* ---- compare_shift.c ---- */

void compare_add_shifts(const struct compare *compare, size_t pair, struct doc *doc);
/* Whether that kind of latency is shown. */
bool compare_shows_shift(const struct compare *compare, const struct cohort_latency *latency);

/* ---- the documents ---- */

struct doc *compare_report(const struct compare *compare);
/* What is said of a row that decides: "read: IOPS 2518 -> 1884 (-25.2 %): regression: ..". Caller
 * frees. */
char *compare_conclusion(const struct compare *compare, const struct metric_row *row);
/* Schema regio.compare. Caller frees. */
char *compare_report_json(const struct compare *compare);
/* LKP's table of each workload. */
void compare_add_lkp(const struct compare *compare, struct doc *doc);

#endif
