/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counter_rule: which counters there are, and which way is better for the same work. */
#include "analysis/counter_rule.h"

#include <fnmatch.h>
#include <math.h>
#include <stddef.h>

#define SLIGHT_SHARE 0.01

static const struct counter_row {
	const char *pattern;
	enum polarity polarity;
	bool is_count; /* of events; else a share or a size */
} rows[] = {
	{ "disk.*.read_ios", POLARITY_LOWER_IS_BETTER, true },
	{ "disk.*.write_ios", POLARITY_LOWER_IS_BETTER, true },
	{ "disk.*.read_merges", POLARITY_HIGHER_IS_BETTER, true },
	{ "disk.*.write_merges", POLARITY_HIGHER_IS_BETTER, true },
	{ "disk.*_sectors_per_request", POLARITY_HIGHER_IS_BETTER, false },
	{ "cpu.ctx", POLARITY_LOWER_IS_BETTER, true },
	{ "order.*.requests", POLARITY_LOWER_IS_BETTER, true },
	{ "order.*.sequential%", POLARITY_HIGHER_IS_BETTER, false },
	{ "order.*.backwards%", POLARITY_LOWER_IS_BETTER, false },
	{ "order.*.seek_bytes.*", POLARITY_LOWER_IS_BETTER, false },
};

static const struct counter_row *row_of(const char *metric)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (fnmatch(rows[i].pattern, metric, 0) == 0)
			return &rows[i];
	}
	return NULL;
}

bool counter_is_one(const char *metric)
{
	return row_of(metric) != NULL;
}

enum polarity counter_polarity(const char *metric)
{
	const struct counter_row *row = row_of(metric);

	return row ? row->polarity : metric_polarity(metric);
}

bool counter_is_slight(const char *metric, const struct metric_list *run, double difference)
{
	const struct counter_row *row = row_of(metric);
	double nr_ios;

	return row && row->is_count && metric_find(run, "total.total_ios", &nr_ios) == 0 &&
	       fabs(difference) <= SLIGHT_SHARE * nr_ios;
}

bool counter_same_work(const struct metric_list *a, const struct metric_list *b)
{
	static const char *const amounts[] = { "total.total_ios", "total.io_bytes" };

	for (size_t i = 0; i < sizeof(amounts) / sizeof(amounts[0]); i++) {
		double of_a;
		double of_b;

		if (metric_find(a, amounts[i], &of_a) < 0 ||
		    metric_find(b, amounts[i], &of_b) < 0 || of_a <= 0 || of_a != of_b)
			return false;
	}
	return true;
}
