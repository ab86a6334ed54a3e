/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_AB_H
#define REGIO_CMD_AB_H

/* An A/B comparison as cmd_ab runs it and ab_report tells it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "analysis/env_names.h"
#include "analysis/env_watch.h"
#include "analysis/side.h"
#include "base/args.h"
#include "bench/campaign.h"
#include "cmd/better_option.h"
#include "cmd/trial_options.h"
#include "cmd/workload.h"
#include "model/job.h"
#include "model/metric.h"
#include "model/note.h"
#include "model/setting.h"

struct doc;

struct ab_config {
	struct trial_options trial;
	struct arg_list settings[NR_SIDES];
	double min_effect; /* share */
	double alpha;
	unsigned max_pairs;
	const char *metric;
	const char *better; /* text of --better */
	bool all_metrics;
	bool json;
	bool git_bisect;
	bool is_help;
	bool is_virtual; /* guests whose clock counts instructions */
};

struct ab_side {
	struct setting_list settings;	      /* all, as given */
	struct setting_list machine_settings; /* without job.* */
	struct workload work;
	struct side facts; /* the environment of the used runs */
	struct env_watch watch;
	struct metric_list *runs; /* metrics of the used runs, in the order of the pairs */
	size_t nr_runs;
};

struct ab {
	const struct ab_config *config;
	struct ab_side sides[NR_SIDES];
	struct env_names names; /* of devices, over both sides */
	struct session session;
	struct campaign campaign;
	char *metric;	      /* full name, known after the first result */
	enum polarity better; /* of it, as given; POLARITY_NONE = by its name */
	struct note_list notes;
	struct note_tally tally; /* of what the runs said */
	char *last_failure;	 /* of a job or command; NULL = none */
	char *command;		 /* to repeat it, seed included */
	size_t nr_pairs_done;
	uint64_t start_ns; /* of the campaign, CLOCK_MONOTONIC */
	char state[128];   /* effect, interval and time left as of the last look; "" before */
};

/* What a campaign calls. */
struct campaign_hooks ab_hooks(struct ab *ab);

/* The document and the JSON form of a finished comparison. Caller frees. */
struct doc *ab_report(const struct ab *ab);
char *ab_report_json(const struct ab *ab);
/* What every document of ab ends with: differences, notes, where it is stored, the command. */
void ab_end_report(const struct ab *ab, struct doc *doc);
/* The members that every JSON form of ab ends with; takes both references. Caller frees. */
char *ab_finish_json(const struct ab *ab, json_t *root, json_t *other_metrics);
/* How a metric is judged. Percentages decide only by their full names, so of the one that decides
 * the text as given tells before the first result. */
struct effect_rule ab_rule(const struct ab *ab, const char *metric);
/* Which way a metric is good: the one that decides as the user says, others as told here. */
enum polarity ab_polarity(const struct ab *ab, const char *metric, enum polarity otherwise);
/* "regression", "improvement", "no_difference", "undecided". */
const char *ab_verdict_name(const struct ab *ab);
/* 0, 1 or 10. */
int ab_exit_status(const struct ab *ab);
/* Adds the notes that follow from the numbers: paired mode, slow runs, skew .. */
void ab_add_notes(struct ab *ab);

#endif
