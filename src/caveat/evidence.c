/* SPDX-License-Identifier: GPL-2.0-or-later */
/* evidence: looks up what a result holds, for caveats. */
#include "caveat/evidence.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "model/result.h"

double evidence_seen(const struct result *result, const char *metric)
{
	const struct given_metric *seen = given_find(&result->monitored, metric);

	return seen ? seen->value : (double)NAN;
}

double evidence_seconds(const struct result *result)
{
	return evidence_seen(result, "monitor.window_ms") / 1000;
}

double evidence_disks_seen(const struct result *result, const char *column)
{
	double sum = NAN;

	for (size_t i = 0; i < result->nr_disks; i++) {
		CLEANUP(free)
		char *name = xasprintf("iostat.%s.%s", result->disks[i].name, column);
		double value = evidence_seen(result, name);

		if (result->disks[i].parent < 0 && !isnan(value))
			sum = isnan(sum) ? value : sum + value;
	}
	return sum;
}

static const char *pair_value(const struct result_pair *pairs, size_t nr, const char *key)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(pairs[i].key, key))
			return pairs[i].value;
	}
	return NULL;
}

const char *evidence_fact(const struct result *result, const char *key)
{
	return pair_value(result->env, result->nr_env, key);
}

char *evidence_disk_of(const char *key, const char *suffix)
{
	static const char prefix[] = "disk.";
	size_t len = strlen(key), suffix_len = strlen(suffix), prefix_len = sizeof(prefix) - 1;

	if (strncmp(key, prefix, prefix_len) != 0 || len <= prefix_len + suffix_len ||
	    strcmp(key + len - suffix_len, suffix) != 0)
		return NULL;
	return xstrndup(key + prefix_len, len - prefix_len - suffix_len);
}

const char *evidence_option(const struct result *result, const struct job_result *job,
			    const char *name)
{
	const char *value = pair_value(job->options, job->nr_options, name);

	return value ? value : pair_value(result->global_options, result->nr_global_options, name);
}

bool evidence_has_load(const struct result *result)
{
	return result->nr_jobs > 0 || result->command;
}

uint64_t evidence_ios(const struct result *result, enum io_dir dir)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < result->nr_jobs; i++)
		sum += result->jobs[i].dir[dir].total_ios;
	return sum;
}

/* It counts I/Os that go nowhere. */
static bool is_null_engine(const struct job_result *job)
{
	return job->ioengine && !strcmp(job->ioengine, "null");
}

uint64_t evidence_bytes(const struct result *result, enum io_dir dir)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < result->nr_jobs; i++) {
		if (!is_null_engine(&result->jobs[i]))
			sum += result->jobs[i].dir[dir].io_bytes;
	}
	return sum;
}

static bool counts_io(const struct result *result, const struct disk_result *disk)
{
	CLEANUP(free) char *key = xasprintf("disk.%s.queue.iostats", disk->name);
	const char *value = evidence_fact(result, key);

	return !value || strcmp(value, "0") != 0;
}

bool evidence_device_bytes(const struct result *result, enum io_dir dir, uint64_t *ret_bytes)
{
	uint64_t top = 0, below = 0;

	for (size_t i = 0; i < result->nr_disks; i++) {
		const struct disk_result *disk = &result->disks[i];

		if (!counts_io(result, disk))
			return false;
		*(disk->parent < 0 ? &top : &below) += disk->sectors[dir] * 512;
	}
	*ret_bytes = top > below ? top : below;
	return result->nr_disks > 0;
}

const char *evidence_size(double bytes, char ret_text[EVIDENCE_TEXT_LEN])
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	size_t unit = 0;

	while (bytes >= 1024 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		bytes /= 1024;
		unit++;
	}
	(void)snprintf(ret_text, EVIDENCE_TEXT_LEN, "%.3g %s", bytes, units[unit]);
	return ret_text;
}
