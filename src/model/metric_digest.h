/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_METRIC_DIGEST_H
#define REGIO_MODEL_METRIC_DIGEST_H

#include <stddef.h>
#include <stdint.h>

struct metric_list;

/*
 * Two measurements never agree in so many metrics to the last digit: they are one, posted,
 * quoted or imported twice.
 */
#define METRIC_DIGEST_MIN_METRICS 5

/* Of names and values, whatever their order. */
uint64_t metric_list_digest(const struct metric_list *list);

/* The same, metric by metric: add these up. */
uint64_t metric_digest(const char *name, double value);

#endif
