/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_IMPORT_SUMMARY_H
#define REGIO_CMD_IMPORT_SUMMARY_H

/* What an import found, for people: results of one kind together, so it stays short. */

#include <stddef.h>

#include "base/cleanup.h"
#include "base/vec.h"
#include "model/note.h"

struct doc;
struct result;

#define IMPORT_MAX_NUMBERS 6  /* of one group */
#define IMPORT_MAX_GROUPS 500 /* the rest is counted */
#define IMPORT_MAX_NOTES 100

struct import_number {
	char *metric;
	double min, max;
	double stddev_percent; /* of a mean that was posted; NAN = none */
};

/* Results of one place, label, program and workload. */
struct import_group {
	char *file;
	unsigned line; /* of the first one */
	char *tool;    /* "fio 3.19" */
	char *label;
	char *workload;
	size_t nr_results;
	size_t nr_means; /* of them: tables of means, no runs */
	size_t nr_failed;
	struct import_number numbers[IMPORT_MAX_NUMBERS];
	size_t nr_numbers;
};

struct import_summary {
	VEC(struct import_group) groups;
	struct note_list notes; /* with "FILE:LINE: " in front */
	size_t nr_results;
	size_t nr_hidden; /* in no group */
	size_t nr_hidden_notes;
};

void import_summary_add(struct import_summary *summary, const struct result *result);
void import_summary_release(struct import_summary *summary);
CLEANUP_DEFINE(import_summary, struct import_summary, import_summary_release)

/* The table and the notes. */
void import_summary_report(const struct import_summary *summary, struct doc *doc);

#define IMPORT_JSON_VERSION 1

/* One result as the member of "results" of the schema regio.import. Caller frees. */
char *import_result_json(const struct result *result);

#endif
