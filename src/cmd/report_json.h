/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_REPORT_JSON_H
#define REGIO_CMD_REPORT_JSON_H

/* The pieces that the JSON documents of all commands share: same keys, same meaning. */

#include <jansson.h>
#include <stddef.h>

#include "analysis/effect.h"
#include "stats/interval.h"
#include "stats/summary.h"

struct metric_list;
struct note_list;

/* JSON has no infinity: what is not known is null. */
json_t *report_number(double value);
/* A string, whatever the bytes; NULL is null. */
json_t *report_text(const char *text);
json_t *report_interval(struct interval interval);
json_t *report_values(const double *values, size_t nr);
/* Adds n, median, mean, stddev_percent. */
void report_add_summary(json_t *object, const struct summary *summary);
/* Adds ratio or difference, interval, p, confidence. */
void report_add_effect(json_t *object, const struct decision *decision);
/* Names and values; of a name that comes twice the first value. */
json_t *report_metrics(const struct metric_list *metrics);
json_t *report_notes(const struct note_list *notes);

/* A new string (caller frees); releases root. */
char *report_dump(json_t *root);

#endif
