/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_LKP_RESULT_H
#define REGIO_IMPORT_LKP_RESULT_H

/* From LKP's numbers to results under regio's names and units. */

#include <stdbool.h>

struct given_metric;
struct result;

/*
 * Appends a metric under regio's name. The pointer is valid until the next call; its summary
 * fields are for the caller to fill.
 */
struct given_metric *lkp_add_metric(struct result *result, const char *lkp_name, double value,
				    unsigned line);

/*
 * When all metrics of a result are there: settles what unit LKP's latencies are in, drops the
 * zeros that it reports of directions without I/O, and notes both. Values of posted averages are
 * all kept.
 */
void lkp_finish_metrics(struct result *result, bool is_average);

#endif
