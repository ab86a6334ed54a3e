/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio's normal output gives what the same run says in JSON, within the digits that are printed. */
#include "collect.h"

#include <jansson.h>

#define FOLDER "tests/data/import/fio-text/"
#define PRINTED 0.006 /* four digits, of which the last may be cut */

static double number(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* Largest of fio's units that all given numbers with that prefix are multiples of. */
static double printed_unit(const struct given_list *given, const char *prefix)
{
	double unit = 1e9;

	for (size_t i = 0; i < given->nr; i++) {
		if (strncmp(given->items[i].name, prefix, strlen(prefix)) != 0)
			continue;
		while (unit > 1 && fmod(given->items[i].value, unit) != 0)
			unit /= 1000;
	}
	return unit;
}

static void assert_near(const struct given_list *given, const char *name, double expected,
			double tolerance)
{
	double value = given_value(given, name);

	if (isnan(expected))
		return;
	if (!(fabs(value - expected) <= tolerance))
		fail_msg("%s is %.12g, JSON says %.12g", name, value, expected);
}

static void check_percentiles(const struct given_list *given, const char *prefix,
			      const json_t *percentiles)
{
	CLEANUP(free) char *all = xasprintf("%s.p", prefix);
	double unit = printed_unit(given, all);
	const char *percent;
	json_t *value;

	json_object_foreach((json_t *)percentiles, percent, value)
	{
		CLEANUP(free) char *name = xasprintf("%s.p%.9g", prefix, strtod(percent, NULL));

		assert_near(given, name, json_number_value(value), unit);
	}
}

static void check_latency(const struct given_list *given, const char *dir, const char *kind,
			  const json_t *latency)
{
	CLEANUP(free) char *prefix = xasprintf("%s.%s_ns", dir, kind);
	CLEANUP(free) char *min = xasprintf("%s.min", prefix);
	CLEANUP(free) char *max = xasprintf("%s.max", prefix);
	CLEANUP(free) char *mean = xasprintf("%s.mean", prefix);
	CLEANUP(free) char *stddev = xasprintf("%s.stddev", prefix);
	double unit = printed_unit(given, min);

	if (!(number(latency, "max") > 0) || !given_find(given, mean))
		return;
	assert_near(given, min, number(latency, "min"), unit);
	assert_near(given, max, number(latency, "max"), fmax(unit, number(latency, "max") * 1e-3));
	assert_near(given, mean, number(latency, "mean"), unit * 0.006);
	assert_near(given, stddev, number(latency, "stddev"), unit * 0.006);
	check_percentiles(given, prefix, json_object_get(latency, "percentile"));
}

static void check_dir(const struct given_list *given, const char *dir, const json_t *object)
{
	static const struct {
		const char *name, *key;
		int is_exact;
	} rows[] = {
		{ "iops", "iops", 0 },
		{ "bw_bytes_per_sec", "bw_bytes", 0 },
		{ "io_bytes", "io_bytes", 0 },
		{ "runtime_ms", "runtime", 1 },
		{ "total_ios", "total_ios", 1 },
		{ "short_ios", "short_ios", 1 },
		{ "drop_ios", "drop_ios", 1 },
		{ "iops_samples.min", "iops_min", 0 },
		{ "iops_samples.max", "iops_max", 0 },
		{ "iops_samples.mean", "iops_mean", 0 },
		{ "iops_samples.nr", "iops_samples", 1 },
	};
	int has_bytes = number(object, "io_bytes") > 0;
	int has_ios = number(object, "total_ios") > 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(free) char *name = xasprintf("%s.%s", dir, rows[i].name);
		double expected = number(object, rows[i].key);

		if (!has_ios) {
			assert_absent(given, name);
			continue;
		}
		/* All of them failed: there is no line of that direction. */
		if (!has_bytes && !rows[i].is_exact)
			continue;
		if (!has_bytes && !given_find(given, name))
			continue;
		if (!strncmp(rows[i].name, "iops_samples", 12) &&
		    (number(object, "iops_samples") == 0 || !given_find(given, name)))
			continue;
		assert_near(given, name, expected,
			    rows[i].is_exact ? 0 : fmax(1, expected * PRINTED));
	}
	if (has_bytes && number(object, "bw_samples") > 0 && number(object, "iops_samples") > 0) {
		CLEANUP(free) char *name = xasprintf("%s.bw_samples.mean", dir);

		if (given_find(given, name))
			assert_near(given, name, number(object, "bw_mean") * 1024,
				    number(object, "bw_mean") * 1024 * PRINTED);
	}
	check_latency(given, dir, "slat", json_object_get(object, "slat_ns"));
	check_latency(given, dir, "clat", json_object_get(object, "clat_ns"));
	check_latency(given, dir, "lat", json_object_get(object, "lat_ns"));
}

static void check_shares(const struct given_list *given, const char *prefix, const char *unit,
			 const json_t *object)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)object, key, value)
	{
		CLEANUP(free)
		char *name = key[0] == '>' ? xasprintf("%s.ge%s%s_percent", prefix, key + 2, unit)
					   : xasprintf("%s.%s%s_percent", prefix, key, unit);
		double share = json_number_value(value);

		/* Empty buckets are not printed, tiny ones are rounded up. */
		if (share == 0 && !given_find(given, name))
			continue;
		assert_near(given, name, share, 0.051);
	}
}

static void check_job(const struct job_result *job, const json_t *object)
{
	static const char *const dirs[] = { "read", "write", "trim", "mixed" };
	const struct given_list *given = &job->given;
	const json_t *sync = json_object_get(object, "sync");

	assert_string_equal(job->name, json_string_value(json_object_get(object, "jobname")));
	assert_true(job->error == (int)number(object, "error"));
	assert_true(job->group_id == (unsigned)number(object, "groupid"));
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		const json_t *dir = json_object_get(object, dirs[i]);

		if (dir && !(i == 3 && json_object_get(object, "read")))
			check_dir(given, dirs[i], dir);
	}
	check_latency(given, "sync", "lat", json_object_get(sync, "lat_ns"));
	if (number(sync, "total_ios") > 0)
		assert_near(given, "sync.total_ios", number(sync, "total_ios"), 0);
	assert_near(given, "cpu.usr_percent", number(object, "usr_cpu"), 0.006);
	assert_near(given, "cpu.sys_percent", number(object, "sys_cpu"), 0.006);
	assert_near(given, "cpu.ctx", number(object, "ctx"), 0);
	assert_near(given, "cpu.major_faults", number(object, "majf"), 0);
	assert_near(given, "cpu.minor_faults", number(object, "minf"), 0);
	check_shares(given, "depth", "", json_object_get(object, "iodepth_level"));
	check_shares(given, "submit", "", json_object_get(object, "iodepth_submit"));
	check_shares(given, "complete", "", json_object_get(object, "iodepth_complete"));
	check_shares(given, "latency", "ns", json_object_get(object, "latency_ns"));
	check_shares(given, "latency", "us", json_object_get(object, "latency_us"));
	check_shares(given, "latency", "ms", json_object_get(object, "latency_ms"));
}

static void check_disk(const struct result *result, const json_t *disk)
{
	static const struct {
		const char *name, *key;
	} rows[] = {
		{ "read_ios", "read_ios" },	   { "write_ios", "write_ios" },
		{ "read_merges", "read_merges" },  { "write_merges", "write_merges" },
		{ "read_ticks_ms", "read_ticks" }, { "write_ticks_ms", "write_ticks" },
		{ "in_queue_ms", "in_queue" },	   { "util_percent", "util" },
	};
	const char *name = json_string_value(json_object_get(disk, "name"));

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(free) char *metric = xasprintf("disk.%s.%s", name, rows[i].name);

		assert_near(&result->given, metric, number(disk, rows[i].key), 0.006);
	}
}

static void check_fixture(const char *name)
{
	CLEANUP(free) char *text_path = xasprintf(FOLDER "%s.txt", name);
	CLEANUP(free) char *json_path = xasprintf(FOLDER "%s.json", name);
	CLEANUP(free) char *text = source_text(text_path);
	CLEANUP(free) char *document = source_text(json_path);
	CLEANUP(collect) struct collect got = collect_good(text);
	json_t *root = json_loads(document, 0, NULL);
	const json_t *jobs = json_object_get(root, "jobs");
	const json_t *disks = json_object_get(root, "disk_util");
	const struct result *result = &got.results.items[0];

	(void)printf("# %s\n", name);
	assert_int_equal(got.results.nr, 1);
	assert_string_equal(result->tool, "fio");
	assert_string_equal(result->tool_version, "3.33");
	assert_int_equal(result->source_line, 1);
	assert_int_equal(result->nr_jobs, json_array_size(jobs));
	for (size_t i = 0; i < result->nr_jobs; i++)
		check_job(&result->jobs[i], json_array_get(jobs, i));
	for (size_t i = 0; i < json_array_size(disks); i++)
		check_disk(result, json_array_get(disks, i));
	json_decref(root);
}

static void test_same_run_in_json(void **state)
{
	static const char *const names[] = {
		"randread",	"fast",	       "randrw-fsync",	 "four-jobs", "two-groups",
		"two-sections", "percentiles", "randtrim",	 "mixed",     "both",
		"kb1000",	"fast-kb1000", "bits",		 "steady",    "no-space",
		"go-on",	"no-clock",    "no-percentiles", "described", "target",
		"verify",	"prio",	       "status",	 "slow",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		check_fixture(names[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_run_in_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
