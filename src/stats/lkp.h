/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_LKP_H
#define REGIO_STATS_LKP_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/summary.h"

/* Room for any text that the functions below write. */
#define LKP_TEXT_LEN 64

/*
 * The number formats of LKP's comparison table, for readers who know them; for display only.
 * Nothing is padded to a column: "187.64", " ±  5%" or "", "-47.6%" or "+0.4".
 */
void lkp_format_mean(double mean, char ret_text[LKP_TEXT_LEN]);

/* Empty unless there are two values and the population deviation exceeds 2 % of the mean. */
void lkp_format_stddev(const struct summary *summary, char ret_text[LKP_TEXT_LEN]);

/* The same of a spread that is known as such; NAN: there is none. */
void lkp_format_spread(double percent, char ret_text[LKP_TEXT_LEN]);

/*
 * What LKP compares with 2 and prints: the population deviation in per cent of the mean, or as it
 * is where the mean is 0; NAN for one value.
 */
double lkp_spread_percent(const struct summary *summary);

/*
 * Mean and spread of runs as LKP's program adds them up, which can differ in the last place from
 * plain sums and so in a digit that is printed. nr > 0.
 */
void lkp_average(const double *values, size_t nr, double *ret_mean, double *ret_spread_percent);

/* "187.64 ±  5%". */
void lkp_format_summary(const struct summary *summary, char ret_text[LKP_TEXT_LEN]);

/* Change of the mean against the base; absolute: in points, without a percent sign. */
void lkp_format_change(double base_mean, double mean, bool absolute, char ret_text[LKP_TEXT_LEN]);

/* The change as a number, in points or per cent of the base, and such a number as text. */
double lkp_change(double base_mean, double mean, bool absolute);
void lkp_format_change_value(double change, bool absolute, char ret_text[LKP_TEXT_LEN]);

/* Whether means that were printed as these may have had that change, as it was printed. */
bool lkp_change_fits(double base_mean, double mean, bool absolute, double change);

/* Whether LKP shows the change of this metric in points instead of per cent. */
bool lkp_is_absolute(const char *metric_name);

#endif
