/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_USUAL_METRICS_H
#define REGIO_CMD_USUAL_METRICS_H

#include <stdbool.h>

/* Shown without --all-metrics even if nothing is to be said about them. */
bool metric_is_usual(const char *metric);

/* Minima, maxima, shares of buckets: single values of them tell nothing. */
bool metric_is_detail(const char *metric);

#endif
