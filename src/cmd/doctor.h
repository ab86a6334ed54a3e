/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_DOCTOR_H
#define REGIO_CMD_DOCTOR_H

/* An examination of the machine, as cmd_doctor runs it and doctor_report tells it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/sensitivity.h"
#include "bench/campaign.h"
#include "cmd/doctor_place.h"
#include "cmd/trial_options.h"
#include "cmd/workload.h"
#include "model/note.h"
#include "model/setting.h"

struct doc;

struct doctor_config {
	struct trial_options trial;
	uint64_t time_ns;  /* in all */
	unsigned nr_pairs; /* of equal runs */
	double min_effect; /* share that a comparison of DOCTOR_USUAL_PAIRS must tell */
	const char *metric;
	bool json;
	bool is_help;
};

/* The budget of a comparison that is not told otherwise. */
#define DOCTOR_USUAL_PAIRS 30

struct doctor {
	const struct doctor_config *config;
	struct doctor_place place;
	struct setting_list settings; /* none */
	struct workload work;
	struct session session;
	struct campaign campaign;
	char *metric;		 /* full name, known after the first result */
	uint64_t run_ns;	 /* what is measured of a run */
	uint64_t trial_ns;	 /* what a run takes with all that belongs to it */
	struct note_list idle;	 /* while nothing was measured */
	struct note_tally tally; /* of the runs */
	/* The findings: */
	struct note_list notes;
	enum note_id disqualifying[NOTE_NR_IDS];
	size_t nr_disqualifying;
	struct sensitivity sensitivity;
	bool is_too_noisy;
};

/* Number of comparisons that a report speaks of, and their pairs. */
#define DOCTOR_NR_BUDGETS 3
extern const size_t doctor_budgets[DOCTOR_NR_BUDGETS];

bool doctor_is_fit(const struct doctor *doctor);
/* Fills the findings from what was seen. */
void doctor_judge(struct doctor *doctor);
/* The one thing that would help most. Caller frees. */
char *doctor_advice(const struct doctor *doctor);

/* The document and the JSON form. Caller frees. */
struct doc *doctor_report(const struct doctor *doctor);
char *doctor_report_json(const struct doctor *doctor);

#endif
