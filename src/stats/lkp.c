/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp: numbers as LKP prints them; layout in columns is left to the output formats. */
#include "stats/lkp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stats/lkp_round.h"

#define LKP_MIN_SPREAD_PERCENT 2.0
/* From here on a change is printed with two digits and an exponent. */
#define LKP_LARGE_CHANGE 100000.0
/* LKP divides by this where the base is 0, which prints as a change of some 1e+102 %. */
#define LKP_ZERO_BASE 1e-100

void lkp_format_mean(double mean, char ret_text[LKP_TEXT_LEN])
{
	if (fabs(mean) < 1000.0)
		snprintf(ret_text, LKP_TEXT_LEN, "%.2f", lkp_round_decimals(mean, 2));
	else if (fabs(mean) > 1e8)
		snprintf(ret_text, LKP_TEXT_LEN, "%.4g", lkp_round_digits(mean, 4));
	else
		snprintf(ret_text, LKP_TEXT_LEN, "%.0f", trunc(mean));
}

double lkp_spread_percent(const struct summary *summary)
{
	if (summary->n < 2)
		return NAN;
	return summary->mean == 0.0 ? summary->stddev_population : summary_percent_stddev(summary);
}

void lkp_format_spread(double percent, char ret_text[LKP_TEXT_LEN])
{
	ret_text[0] = '\0';
	if (percent > LKP_MIN_SPREAD_PERCENT) /* not NAN */
		snprintf(ret_text, LKP_TEXT_LEN, " ±%3.0f%%", trunc(percent));
}

/* Neumaier 1974: the compensated sum of Ruby's arrays. */
static double compensated_sum(const double *values, size_t nr)
{
	double sum = 0.0, lost = 0.0;

	for (size_t i = 0; i < nr; i++) {
		double next = sum + values[i];

		if (fabs(sum) >= fabs(values[i]))
			lost += (sum - next) + values[i];
		else
			lost += (values[i] - next) + sum;
		sum = next;
	}
	return sum + lost;
}

void lkp_average(const double *values, size_t nr, double *ret_mean, double *ret_spread_percent)
{
	struct summary summary = { .n = nr, .mean = compensated_sum(values, nr) / (double)nr };
	double sum_sq_dev = 0.0;

	for (size_t i = 0; i < nr; i++)
		sum_sq_dev += (values[i] - summary.mean) * (values[i] - summary.mean);
	summary.stddev_population = sqrt(sum_sq_dev / (double)nr);
	*ret_mean = summary.mean;
	*ret_spread_percent = lkp_spread_percent(&summary);
}

void lkp_format_stddev(const struct summary *summary, char ret_text[LKP_TEXT_LEN])
{
	lkp_format_spread(lkp_spread_percent(summary), ret_text);
}

void lkp_format_summary(const struct summary *summary, char ret_text[LKP_TEXT_LEN])
{
	char stddev[LKP_TEXT_LEN];
	size_t len;

	lkp_format_mean(summary->mean, ret_text);
	lkp_format_stddev(summary, stddev);
	len = strlen(ret_text);
	snprintf(ret_text + len, LKP_TEXT_LEN - len, "%s", stddev);
}

double lkp_change(double base_mean, double mean, bool absolute)
{
	double base = base_mean == 0.0 ? LKP_ZERO_BASE : base_mean;

	return absolute ? mean - base_mean : 100.0 * (mean - base) / base;
}

void lkp_format_change_value(double change, bool absolute, char ret_text[LKP_TEXT_LEN])
{
	const char *unit = absolute ? "" : "%";

	if (fabs(change) >= LKP_LARGE_CHANGE)
		snprintf(ret_text, LKP_TEXT_LEN, "%+.2g%s", lkp_round_digits(change, 2), unit);
	else
		snprintf(ret_text, LKP_TEXT_LEN, "%+.1f%s", lkp_round_decimals(change, 1), unit);
}

/* The largest error of a mean that was printed. */
static double mean_rounding(double mean)
{
	if (fabs(mean) < 1000.0)
		return 0.005;
	if (fabs(mean) <= 1e8)
		return 1.0; /* cut, not rounded */
	return 0.5 * pow(10.0, floor(log10(fabs(mean))) - 3.0);
}

static double change_rounding(double change)
{
	return fabs(change) < LKP_LARGE_CHANGE ? 0.0500001 : 0.05 * fabs(change);
}

bool lkp_change_fits(double base_mean, double mean, bool absolute, double change)
{
	double lo = INFINITY, hi = -INFINITY;

	for (int i = 0; i < 4; i++) {
		double from = base_mean + (i & 1 ? 1 : -1) * mean_rounding(base_mean);
		double to = mean + (i & 2 ? 1 : -1) * mean_rounding(mean);
		double possible;

		if (!absolute && base_mean >= 0.0)
			from = fmax(from, 0.0);
		possible = lkp_change(from, to, absolute);
		lo = fmin(lo, possible);
		hi = fmax(hi, possible);
	}
	return change >= lo - change_rounding(change) && change <= hi + change_rounding(change);
}

void lkp_format_change(double base_mean, double mean, bool absolute, char ret_text[LKP_TEXT_LEN])
{
	lkp_format_change_value(lkp_change(base_mean, mean, absolute), absolute, ret_text);
}

bool lkp_is_absolute(const char *metric_name)
{
	size_t len = strlen(metric_name);

	return (len > 0 && metric_name[len - 1] == '%') ||
	       strncmp(metric_name, "perf-profile", strlen("perf-profile")) == 0;
}
