/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric: the table of names with unit and polarity, and lists. Values come from result_metrics. */
#include "model/metric.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

struct metric_kind {
	const char *pattern; /* fnmatch(3); the first row that matches counts */
	const char *unit;
	enum polarity polarity;
};

static const struct metric_kind kinds[] = {
	{ "*.iops", "1/s", POLARITY_HIGHER_IS_BETTER },
	{ "*.bw_bytes_per_sec", "B/s", POLARITY_HIGHER_IS_BETTER },
	{ "*.total_ios", "", POLARITY_NONE },
	{ "*.io_bytes", "B", POLARITY_NONE },
	{ "*.runtime_ms", "ms", POLARITY_LOWER_IS_BETTER }, /* of a fixed amount of work */
	{ "*.slat_ns.*", "ns", POLARITY_LOWER_IS_BETTER },
	{ "*.clat_ns.*", "ns", POLARITY_LOWER_IS_BETTER },
	{ "*.lat_ns.*", "ns", POLARITY_LOWER_IS_BETTER },
	/* More CPU or disk time is good or bad only beside the work that was done. */
	{ "cpu.*_percent", "%", POLARITY_NONE },
	{ "cpu.ctx", "", POLARITY_NONE },
	{ "disk.*_percent", "%", POLARITY_NONE },
	{ "disk.*_ms", "ms", POLARITY_NONE },
	{ "disk.*_bytes", "B", POLARITY_NONE },
	{ "disk.*", "", POLARITY_NONE },
	/* Imported from other programs: the unit at the end of the name. */
	{ "*_bytes_per_sec", "B/s", POLARITY_HIGHER_IS_BETTER },
	{ "*_per_sec", "1/s", POLARITY_HIGHER_IS_BETTER },
	{ "*_percent", "%", POLARITY_NONE },
	{ "*_bytes", "B", POLARITY_NONE },
	{ "*_ns", "ns", POLARITY_LOWER_IS_BETTER },
	{ "*_ms", "ms", POLARITY_LOWER_IS_BETTER },
	{ "*", "", POLARITY_NONE },
};

static const struct metric_kind *kind_of(const char *name)
{
	const struct metric_kind *kind = kinds;

	while (fnmatch(kind->pattern, name, 0) != 0)
		kind++; /* ends at the last row, which matches everything */
	return kind;
}

const char *metric_unit(const char *name)
{
	return kind_of(name)->unit;
}

enum polarity metric_polarity(const char *name)
{
	return kind_of(name)->polarity;
}

void metric_list_release(struct metric_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->items[i].name);
	free(list->items);
	*list = (struct metric_list){ .items = NULL };
}

int metric_find(const struct metric_list *list, const char *name, double *ret_value)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (strcmp(list->items[i].name, name) != 0)
			continue;
		*ret_value = list->items[i].value;
		return 0;
	}
	return -1;
}
