/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_COUNTER_RULE_H
#define REGIO_ANALYSIS_COUNTER_RULE_H

/*
 * What a counter says beside the time. Alone, more requests or context switches are neither good
 * nor bad, so their polarity is none; for the same work they are: each costs something on a
 * machine that is not this one.
 */

#include <stdbool.h>

#include "model/metric.h"

/* Counts of what happened below the job: requests, merges, sectors of a request, context switches,
 * order of dispatch. */
bool counter_is_one(const char *metric);

/* Its polarity where both sides did the same work. */
enum polarity counter_polarity(const char *metric);

/* A count of events that moved by no more than a hundredth of the I/Os of a run: one context switch
 * more in 300 reads is no change, although it is one from nothing. */
bool counter_is_slight(const char *metric, const struct metric_list *run, double difference);

/* Both lists have the same number of I/Os and bytes, and some. */
bool counter_same_work(const struct metric_list *a, const struct metric_list *b);

#endif
