/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric_group: which metrics belong together, and which of them decide. */
#include "analysis/metric_group.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/cohort.h"
#include "analysis/lkp_select.h"
#include "base/arena.h"
#include "base/pattern.h"
#include "model/metric.h"

/* Mean size of an I/O from which bandwidth says more than IOPS: 64 KiB, of rounded numbers. */
#define LARGE_IO_BYTES (0.97 * 65536.0)

static const char *const dirs[] = { "read", "write", "trim", "sync", "total", "mixed" };

#define NR_DIRS (sizeof(dirs) / sizeof(dirs[0]))
#define NR_DATA_DIRS 3 /* the first ones */

/* At a fixed depth all of these are the same number in other clothes. */
static const char *const speed_patterns[] = {
	"iops",		"bw_bytes_per_sec", "total_ios",	 "io_bytes",	    "runtime_ms",
	"clat_ns.mean", "lat_ns.mean",	    "iops_samples.mean", "bw_samples.mean",
};

/* What other programs count, beside its rate. */
static const char *const count_patterns[] = { "ops", "ops_per_sec", "ops_per_cpu_sec" };

static const char *const environment_patterns[] = { "cpu.*",	"disk.*",     "depth.*",
						    "submit.*", "complete.*", "latency.*" };

/* Index of the direction that a metric starts with; NR_DIRS if it has none. */
static size_t dir_of(const char *metric)
{
	size_t i = 0;

	while (i < NR_DIRS &&
	       !(strncmp(metric, dirs[i], strlen(dirs[i])) == 0 && metric[strlen(dirs[i])] == '.'))
		i++;
	return i;
}

static void set_name(struct metric_group *group, const char *start, size_t len, const char *what)
{
	(void)snprintf(group->name, sizeof(group->name), "%.*s%s", (int)(len < 40 ? len : 40),
		       start, what);
}

static void group_of_dir(struct metric_group *group, const char *dir, const char *rest)
{
	group->is_one_fact = PATTERN_ANY(rest, speed_patterns);
	if (group->is_one_fact)
		set_name(group, dir, strlen(dir), " speed");
	else if (strstr(rest, "lat_ns."))
		set_name(group, dir, strlen(dir), " latency");
	else
		set_name(group, dir, strlen(dir), "");
}

void metric_group_init(struct metric_group *group, const char *metric)
{
	size_t dir = dir_of(metric);
	size_t len = strcspn(metric, ".");
	const char *rest = metric[len] ? metric + len + 1 : "";

	*group = (struct metric_group){ .is_one_fact = false };
	if (dir < NR_DIRS) {
		group_of_dir(group, dirs[dir], rest);
		return;
	}
	if (!strncmp(metric, "disk.", 5)) {
		(void)snprintf(group->name, sizeof(group->name), "disk %.*s",
			       (int)strcspn(rest, "."), rest);
		return;
	}
	group->is_one_fact = PATTERN_ANY(rest, count_patterns);
	set_name(group, metric, len, group->is_one_fact ? " speed" : "");
}

bool metric_is_performance(const char *metric)
{
	return metric_polarity(metric) != POLARITY_NONE && !lkp_is_monitor(metric) &&
	       !PATTERN_ANY(metric, environment_patterns);
}

/* ---- which decide ---- */

static bool has_numbers(const struct cohort *cohort, const char *metric)
{
	const struct cohort_series *series = cohort_find(cohort, COHORT_WHOLE, metric);

	return series && (series->values.nr || series->posted.nr_runs);
}

static double first_value(const struct cohort *cohort, const char *metric)
{
	const struct cohort_series *series = cohort_find(cohort, COHORT_WHOLE, metric);

	return series->values.nr ? series->values.items[0] : series->posted.mean;
}

static const char *shared_name(const struct cohort *base, const struct cohort *new,
			       const char *metric)
{
	if (!has_numbers(base, metric) || !has_numbers(new, metric))
		return NULL;
	return cohort_find(base, COHORT_WHOLE, metric)->name;
}

static const char *primary_of_dir(const struct cohort *base, const struct cohort *new,
				  const char *dir)
{
	CLEANUP(free) char *iops_name = xasprintf("%s.iops", dir);
	CLEANUP(free) char *bw_name = xasprintf("%s.bw_bytes_per_sec", dir);
	const char *iops = shared_name(base, new, iops_name);
	const char *bw = shared_name(base, new, bw_name);

	if (!iops || !bw)
		return iops ? iops : bw;
	return first_value(base, bw) >= first_value(base, iops) * LARGE_IO_BYTES ? bw : iops;
}

static size_t primary_of_dirs(const struct cohort *base, const struct cohort *new,
			      const char *ret_names[METRIC_MAX_PRIMARY])
{
	size_t nr = 0;

	for (size_t i = 0; i < NR_DATA_DIRS; i++) {
		const char *name = primary_of_dir(base, new, dirs[i]);

		if (name)
			ret_names[nr++] = name;
	}
	return nr;
}

/* Whether one of the chosen is of the same program: one of them is enough. */
static bool is_covered(const char *const *names, size_t nr, const char *metric)
{
	size_t len = strcspn(metric, ".");

	for (size_t i = 0; i < nr; i++) {
		if (strcspn(names[i], ".") == len && !strncmp(names[i], metric, len))
			return true;
	}
	return false;
}

/* Adds a metric unless it is covered; false if there are too many then. */
static bool add_primary(const char *ret_names[METRIC_MAX_PRIMARY], size_t *nr, const char *metric)
{
	if (is_covered(ret_names, *nr, metric))
		return true;
	if (*nr == METRIC_MAX_PRIMARY)
		return false;
	ret_names[(*nr)++] = metric;
	return true;
}

/* What a program counts as its work stands for all else that it prints. */
static bool is_work(const char *metric)
{
	return fnmatch("*.ops_per_sec", metric, 0) == 0;
}

/* Metrics of that polarity, one of each program; 0 if there are more than may decide. */
static size_t primary_by_polarity(const struct cohort *base, const struct cohort *new,
				  enum polarity polarity, const char *ret_names[METRIC_MAX_PRIMARY])
{
	size_t nr = 0;

	for (int pass = 0; pass < 2; pass++) {
		VEC_FOREACH (&base->series, series) {
			if (series->job != COHORT_WHOLE || is_work(series->name) != (pass == 0) ||
			    metric_polarity(series->name) != polarity ||
			    !metric_is_performance(series->name) ||
			    !shared_name(base, new, series->name))
				continue;
			if (!add_primary(ret_names, &nr, series->name))
				return 0;
		}
	}
	return nr;
}

/* All there are, if they are few. */
static size_t primary_any(const struct cohort *base, const struct cohort *new,
			  const char *ret_names[METRIC_MAX_PRIMARY])
{
	size_t nr = 0;

	VEC_FOREACH (&base->series, series) {
		if (series->job != COHORT_WHOLE || !shared_name(base, new, series->name))
			continue;
		if (nr == METRIC_MAX_PRIMARY)
			return 0;
		ret_names[nr++] = series->name;
	}
	return nr;
}

size_t metric_choose_primary(const struct cohort *base, const struct cohort *new,
			     const char *ret_names[METRIC_MAX_PRIMARY])
{
	size_t nr = primary_of_dirs(base, new, ret_names);

	if (nr == 0)
		nr = primary_by_polarity(base, new, POLARITY_HIGHER_IS_BETTER, ret_names);
	if (nr == 0)
		nr = primary_by_polarity(base, new, POLARITY_LOWER_IS_BETTER, ret_names);
	return nr ? nr : primary_any(base, new, ret_names);
}
