/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric_alias: LKP's names of metrics beside regio's. */
#include "model/metric_alias.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define FIO_PREFIX "fio."
#define STRESS_PREFIX "stress-ng."
#define AIOL_PREFIX "aiol."
#define MIB 1048576.0

static const char *const dir_names[] = { "read", "write", "trim" };

/* What follows the direction: "fio.read" + "_iops" is "read." + "iops". */
static const struct fio_row {
	const char *lkp, *ours;
	double factor;
	bool is_unit_wrong;
} fio_rows[] = {
	{ "_iops", "iops", 1.0, false },
	{ "_bw_MBps", "bw_bytes_per_sec", MIB, false },
	{ "_clat_mean_ns", "clat_ns.mean", 1.0, false },
	{ "_clat_mean_us", "clat_ns.mean", 1.0, true },
	{ "_clat_stddev", "clat_ns.stddev", 1.0, false },
	{ "_slat_mean_us", "slat_ns.mean", 1.0, true },
	{ "_slat_stddev", "slat_ns.stddev", 1.0, false },
};

#define NR_DIRS (sizeof(dir_names) / sizeof(dir_names[0]))
#define NR_FIO_ROWS (sizeof(fio_rows) / sizeof(fio_rows[0]))

#define PERCENTILE_LKP "_clat_"
#define PERCENTILE_OURS "clat_ns.p"

void metric_alias_release(struct metric_alias *alias)
{
	free(alias->name);
	*alias = (struct metric_alias){ .name = NULL };
}

/* The text after prefix, NULL if it does not start with it. */
static const char *after(const char *text, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(text, prefix, len) == 0 ? text + len : NULL;
}

/* Length of a decimal number such as "99.9"; 0 = none. */
static size_t number_len(const char *text)
{
	size_t len = strspn(text, "0123456789.");

	return isdigit((unsigned char)text[0]) ? len : 0;
}

static struct metric_alias renamed(char *name, double factor, bool is_unit_wrong)
{
	return (struct metric_alias){
		.name = name, .factor = factor, .is_renamed = true, .is_unit_wrong = is_unit_wrong
	};
}

static struct metric_alias unchanged(const char *name)
{
	return (struct metric_alias){ .name = xstrdup(name), .factor = 1.0 };
}

/* "_clat_99%_ns" and the older "_clat_99%_us". */
static bool percentile_from_lkp(const char *dir, const char *rest, struct metric_alias *ret_alias)
{
	const char *percent = after(rest, PERCENTILE_LKP);
	size_t len = percent ? number_len(percent) : 0;
	bool is_us;

	if (!len)
		return false;
	is_us = strcmp(percent + len, "%_us") == 0;
	if (!is_us && strcmp(percent + len, "%_ns") != 0)
		return false;
	*ret_alias = renamed(xasprintf("%s." PERCENTILE_OURS "%.*s", dir, (int)len, percent), 1.0,
			     is_us);
	return true;
}

static bool dir_from_lkp(const char *dir, const char *rest, struct metric_alias *ret_alias)
{
	for (size_t i = 0; i < NR_FIO_ROWS; i++) {
		const struct fio_row *row = &fio_rows[i];

		if (strcmp(rest, row->lkp) != 0)
			continue;
		*ret_alias = renamed(xasprintf("%s.%s", dir, row->ours), row->factor,
				     row->is_unit_wrong);
		return true;
	}
	return percentile_from_lkp(dir, rest, ret_alias);
}

static bool fio_from_lkp(const char *rest, struct metric_alias *ret_alias)
{
	for (size_t i = 0; i < NR_DIRS; i++) {
		const char *after_dir = after(rest, dir_names[i]);

		if (after_dir && dir_from_lkp(dir_names[i], after_dir, ret_alias))
			return true;
	}
	if (strcmp(rest, "workload") != 0)
		return false;
	*ret_alias = renamed(xstrdup("total.total_ios"), 1.0, false);
	return true;
}

void metric_alias_from_lkp(const char *lkp_name, struct metric_alias *ret_alias)
{
	const char *rest = after(lkp_name, FIO_PREFIX);

	if (rest && fio_from_lkp(rest, ret_alias))
		return;
	rest = after(lkp_name, STRESS_PREFIX);
	/* A stressor and what it counted; time is that of the whole program. */
	if (rest && strchr(rest, '.') && !after(rest, "time."))
		*ret_alias = renamed(xstrdup(rest), 1.0, false);
	else
		*ret_alias = unchanged(lkp_name);
}

static bool dir_to_lkp(const char *dir, const char *rest, struct metric_alias *ret_alias)
{
	const char *percent = after(rest, PERCENTILE_OURS);
	size_t len = percent ? number_len(percent) : 0;

	for (size_t i = 0; i < NR_FIO_ROWS; i++) {
		const struct fio_row *row = &fio_rows[i];

		if (strcmp(rest, row->ours) != 0)
			continue;
		*ret_alias = renamed(xasprintf(FIO_PREFIX "%s%s", dir, row->lkp), 1.0 / row->factor,
				     row->is_unit_wrong);
		return true;
	}
	if (!len || percent[len])
		return false;
	*ret_alias = renamed(xasprintf(FIO_PREFIX "%s" PERCENTILE_LKP "%s%%_ns", dir, percent), 1.0,
			     false);
	return true;
}

void metric_alias_to_lkp(const char *name, struct metric_alias *ret_alias)
{
	for (size_t i = 0; i < NR_DIRS; i++) {
		const char *rest = after(name, dir_names[i]);

		if (rest && *rest == '.' && dir_to_lkp(dir_names[i], rest + 1, ret_alias))
			return;
	}
	if (after(name, AIOL_PREFIX))
		*ret_alias = renamed(xasprintf(STRESS_PREFIX "%s", name), 1.0, false);
	else
		*ret_alias = unchanged(name);
}
