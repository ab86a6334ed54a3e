/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_VERDICT_H
#define REGIO_ANALYSIS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/effect.h"
#include "model/metric.h"

/* What a finding means to whoever wants the metric good. */
enum verdict {
	VERDICT_UNDECIDED,
	VERDICT_REGRESSION,
	VERDICT_IMPROVEMENT,
	VERDICT_NO_DIFFERENCE,
	VERDICT_LOWER, /* of a metric that is neither good nor bad */
	VERDICT_HIGHER,
};

enum verdict verdict_of(enum finding finding, enum polarity polarity);

/* Stable name for machines: "regression", "improvement", "no_difference", "undecided" .. */
const char *verdict_name(enum verdict verdict);

/* For people: "no difference". */
const char *verdict_text(enum verdict verdict);

/* A change for certain, and nobody has said whether it is good. */
bool verdict_has_no_direction(enum verdict verdict);

/* The one that decides for two metrics together: a regression, else undecided, else a change of
 * unknown direction. */
enum verdict verdict_worse(enum verdict left, enum verdict right);

/* Exit status of a deciding command: 1 for a regression, 10 where it is not known whether there is
 * one, else 0. */
int verdict_exit_status(enum verdict verdict);

#define VERDICT_TEXT_LEN 160

/* Effect with interval: "-2.1 % [-2.9, -1.4]", or "-4.75 [-5.40, -4.10]" in units. */
void verdict_format_effect(const struct decision *decision, char ret_text[VERDICT_TEXT_LEN]);

/*
 * One line that says what was found and how far it can be trusted:
 *	"regression: -9.4 % [-11.2, -7.6]"
 *	"no difference >= 5 %: -2.1 % [-2.9, -1.4], below your 5 %"  (a sure but small change)
 *	"undecided: -2.1 % [-6.0, 1.9], 6.4 % is decidable now"
 *	"no verdict: 1 run a side"
 */
void verdict_format(const struct decision *decision, const struct effect_rule *rule,
		    enum polarity polarity, char ret_text[VERDICT_TEXT_LEN]);

#endif
