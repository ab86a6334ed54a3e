/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp: numbers as LKP prints them; layout in columns is left to the output formats. */
#include "stats/lkp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LKP_MIN_PERCENT_STDDEV 2.0
/* LKP divides by this where the base is 0, which prints as a change of some 1e+102 %. */
#define LKP_ZERO_BASE 1e-100

void lkp_format_mean(double mean, char ret_text[LKP_TEXT_LEN])
{
	if (fabs(mean) < 1000.0)
		snprintf(ret_text, LKP_TEXT_LEN, "%.2f", mean);
	else if (mean > 1e8)
		snprintf(ret_text, LKP_TEXT_LEN, "%.4g", mean);
	else
		snprintf(ret_text, LKP_TEXT_LEN, "%.0f", trunc(mean));
}

void lkp_format_stddev(const struct summary *summary, char ret_text[LKP_TEXT_LEN])
{
	double percent =
		summary->mean == 0.0 ? summary->stddev_population : summary_percent_stddev(summary);

	ret_text[0] = '\0';
	if (summary->n >= 2 && percent > LKP_MIN_PERCENT_STDDEV)
		snprintf(ret_text, LKP_TEXT_LEN, " ±%3.0f%%", trunc(percent));
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

void lkp_format_change(double base_mean, double mean, bool absolute, char ret_text[LKP_TEXT_LEN])
{
	double base = base_mean == 0.0 ? LKP_ZERO_BASE : base_mean;
	double percent = 100.0 * (mean - base) / base;

	if (absolute)
		snprintf(ret_text, LKP_TEXT_LEN, "%+.1f", mean - base_mean);
	else if (fabs(percent) >= 100000.0)
		snprintf(ret_text, LKP_TEXT_LEN, "%+.2g%%", percent);
	else
		snprintf(ret_text, LKP_TEXT_LEN, "%+.1f%%", percent);
}

bool lkp_is_absolute(const char *metric_name)
{
	size_t len = strlen(metric_name);

	return (len > 0 && metric_name[len - 1] == '%') ||
	       strncmp(metric_name, "perf-profile", strlen("perf-profile")) == 0;
}
