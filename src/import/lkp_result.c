/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp_result: LKP's metrics as given metrics of a result, and what is wrong with them. */
#include "import/lkp_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/units.h"
#include "import/given_unique.h"
#include "model/io.h"
#include "model/metric_alias.h"
#include "model/result.h"

/*
 * I/Os in flight are rate times latency (Little 1961). Fewer than this on average, with the latency
 * read as nanoseconds, and more with microseconds: then it is microseconds, as its name says.
 */
#define MIN_IN_FLIGHT 0.02

struct given_metric *lkp_add_metric(struct result *result, const char *lkp_name, double value,
				    unsigned line)
{
	CLEANUP(metric_alias) struct metric_alias alias = { .name = NULL };
	struct given_metric *metric;

	metric_alias_from_lkp(lkp_name, &alias);
	metric = given_append(&result->given, alias.name, alias.factor * value, line);
	if (alias.is_renamed)
		metric->source_name = xstrdup(lkp_name);
	return metric;
}

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* ---- units ---- */

/* Named after microseconds by LKP: "fio.read_clat_mean_us". */
static bool is_called_us(const struct given_metric *metric)
{
	return metric->source_name && starts_with(metric->source_name, "fio.") &&
	       ends_with(metric->source_name, "_us");
}

static bool is_of(const struct given_metric *metric, const char *dir, const char *kind)
{
	size_t len = strlen(dir);

	return starts_with(metric->name, dir) && metric->name[len] == '.' &&
	       starts_with(metric->name + len + 1, kind);
}

static const struct given_metric *find_of(const struct result *result, const char *dir,
					  const char *rest)
{
	CLEANUP(free) char *name = xasprintf("%s.%s", dir, rest);

	return given_find(&result->given, name);
}

static bool are_microseconds(const struct result *result, const char *dir)
{
	const struct given_metric *iops = find_of(result, dir, "iops");
	const struct given_metric *mean = find_of(result, dir, "clat_ns.mean");
	double in_flight;

	if (!iops || !mean || !is_called_us(mean))
		return false;
	in_flight = iops->value * mean->value / NS_PER_S;
	return in_flight < MIN_IN_FLIGHT && in_flight * NS_PER_US >= MIN_IN_FLIGHT;
}

static void convert(struct result *result, const char *dir)
{
	for (size_t i = 0; i < result->given.nr; i++) {
		struct given_metric *metric = &result->given.items[i];

		if (!is_of(metric, dir, "clat_ns.") && !is_of(metric, dir, "slat_ns."))
			continue;
		metric->value *= NS_PER_US;
		free(metric->source_name);
		metric->source_name = NULL;
	}
	note_add(
		&result->notes, NOTE_UNIT_CONVERTED,
		"fio.%s_clat_mean_us is in microseconds, as its name says: as nanoseconds, which "
		"LKP has under that name since fio 3, there would be less than 0.02 I/Os in flight",
		dir);
}

static void settle_unit(struct result *result, const char *dir)
{
	const char *first = NULL;

	if (are_microseconds(result, dir)) {
		convert(result, dir);
		return;
	}
	for (size_t i = 0; i < result->given.nr && !first; i++) {
		const struct given_metric *metric = &result->given.items[i];

		if (is_called_us(metric) &&
		    (is_of(metric, dir, "clat_ns.") || is_of(metric, dir, "slat_ns.")))
			first = metric->source_name;
	}
	if (first)
		note_add(&result->notes, NOTE_UNIT_CONVERTED,
			 "%s was taken as nanoseconds: LKP prints the nanoseconds of fio 3 under "
			 "names that end in _us (clat until March 2024, slat still)",
			 first);
}

/* ---- directions without I/O ---- */

static void drop_kind(struct result *result, const char *dir, const char *kind)
{
	struct given_list *given = &result->given;
	size_t kept = 0;

	for (size_t i = 0; i < given->nr; i++) {
		if (!is_of(&given->items[i], dir, kind)) {
			given->items[kept++] = given->items[i];
			continue;
		}
		free(given->items[i].name);
		free(given->items[i].source_name);
	}
	given->nr = kept;
}

/* LKP reports reads and writes always, and 0 for what a synchronous engine does not have. */
static void drop_idle(struct result *result, const char *dir)
{
	const struct given_metric *iops = find_of(result, dir, "iops");
	const struct given_metric *slat = find_of(result, dir, "slat_ns.mean");

	if (iops && iops->value == 0.0)
		drop_kind(result, dir, "");
	else if (slat && slat->value == 0.0)
		drop_kind(result, dir, "slat_ns.");
}

void lkp_finish_metrics(struct result *result, bool is_average)
{
	given_drop_repeated(&result->given);
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		const char *name = io_dir_name((enum io_dir)dir);

		if (!is_average)
			drop_idle(result, name);
		settle_unit(result, name);
	}
}
