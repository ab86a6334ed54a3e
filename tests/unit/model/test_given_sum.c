/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_given_sum: metrics of a result out of those of its jobs, and what stays absent. */
#include "model/given_sum.h"

#include "test.h"

#include <math.h>

#include "base/arena.h"
#include "model/result.h"

static double value(const struct given_list *list, const char *name)
{
	const struct given_metric *metric = given_find(list, name);

	return metric ? metric->value : (double)NAN;
}

static void check(const struct result *result, const char *name, double expected)
{
	double got = value(&result->given, name);

	if (!(fabs(got - expected) <= 1e-9 * fabs(expected)))
		fail_msg("%s is %.12g, wanted %.12g", name, got, expected);
}

static void check_absent(const struct result *result, const char *name)
{
	if (given_find(&result->given, name))
		fail_msg("%s is %.12g, wanted nothing", name, value(&result->given, name));
}

struct dir_row {
	const char *dir;
	double ios, bytes, runtime_ms, mean_ns, stddev_ns, min_ns, max_ns;
};

static void add_dir(struct given_list *given, const struct dir_row *row)
{
	const struct {
		const char *rest;
		double value;
	} items[] = {
		{ "iops", row->ios * 1000 / row->runtime_ms },
		{ "bw_bytes_per_sec", row->bytes * 1000 / row->runtime_ms },
		{ "total_ios", row->ios },
		{ "io_bytes", row->bytes },
		{ "runtime_ms", row->runtime_ms },
		{ "clat_ns.mean", row->mean_ns },
		{ "clat_ns.stddev", row->stddev_ns },
		{ "clat_ns.min", row->min_ns },
		{ "clat_ns.max", row->max_ns },
		{ "clat_ns.p99", row->max_ns },
	};

	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		CLEANUP(free) char *name = xasprintf("%s.%s", row->dir, items[i].rest);

		given_append(given, name, items[i].value, 7);
	}
}

static struct job_result *add_job(struct result *result, unsigned phase)
{
	struct job_result *job = result_add_job(result);

	job->phase = phase;
	return job;
}

static void test_one_job(void **state)
{
	static const struct dir_row row = { "read", 1000, 4096000, 2000, 50, 5, 10, 90 };
	CLEANUP(result) struct result result = { .label = NULL };
	struct job_result *job = add_job(&result, 0);

	(void)state;
	add_dir(&job->given, &row);
	given_append(&job->given, "aiol.ops_per_sec", 3.5, 9);
	given_append(&job->given, "cpu.usr_percent", 12, 9);
	given_append(&result.given, "disk.sda.read_ios", 4, 9);
	result_sum_given(&result);
	check(&result, "read.iops", 500);
	check(&result, "total.iops", 500);
	check(&result, "total.clat_ns.p99", 90);
	check(&result, "aiol.ops_per_sec", 3.5);
	check(&result, "cpu.usr_percent", 12);
	check(&result, "disk.sda.read_ios", 4);
	assert_int_equal(given_find(&result.given, "total.clat_ns.p99")->line, 7);
	check_absent(&result, "write.iops");
}

static void test_side_by_side(void **state)
{
	static const struct dir_row a = { "read", 100, 1000, 1000, 10, 2, 1, 30 };
	static const struct dir_row b = { "read", 300, 3000, 2000, 20, 4, 3, 50 };
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	add_dir(&add_job(&result, 0)->given, &a);
	add_dir(&add_job(&result, 0)->given, &b);
	result_sum_given(&result);
	check(&result, "read.total_ios", 400);
	check(&result, "read.io_bytes", 4000);
	check(&result, "read.runtime_ms", 2000);
	check(&result, "read.iops", 200);
	check(&result, "read.bw_bytes_per_sec", 2000);
	check(&result, "read.clat_ns.mean", 17.5);
	/* 99 * 4 + 299 * 16 within, 100 * 7.5^2 + 300 * 2.5^2 between */
	check(&result, "read.clat_ns.stddev", sqrt((396 + 4784 + 5625 + 1875) / 399.0));
	check(&result, "read.clat_ns.min", 1);
	check(&result, "read.clat_ns.max", 50);
	check_absent(&result, "read.clat_ns.p99"); /* cannot be merged */
	check(&result, "total.iops", 200);
}

static void test_phases(void **state)
{
	static const struct dir_row a = { "write", 100, 1000, 1000, 10, 2, 1, 30 };
	static const struct dir_row b = { "read", 300, 3000, 2000, 20, 4, 3, 50 };
	static const struct dir_row c = { "read", 300, 3000, 1500, 20, 4, 3, 50 };
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	add_dir(&add_job(&result, 1)->given, &b);
	add_dir(&add_job(&result, 0)->given, &a);
	add_dir(&add_job(&result, 1)->given, &c);
	result_sum_given(&result);
	check(&result, "read.runtime_ms", 2000);
	check(&result, "total.runtime_ms", 3000);
	check(&result, "total.iops", 700 / 3.0);
}

static void test_missing_parts(void **state)
{
	static const struct dir_row a = { "read", 100, 1000, 1000, 10, 2, 1, 30 };
	CLEANUP(result) struct result result = { .label = NULL };
	struct job_result *job;

	(void)state;
	add_dir(&add_job(&result, 0)->given, &a);
	job = add_job(&result, 0);
	given_append(&job->given, "read.iops", 50, 3);
	result_sum_given(&result);
	check(&result, "read.iops", 150); /* the sum of the rates is all there is */
	check_absent(&result, "read.total_ios");
	check_absent(&result, "read.runtime_ms");
	check_absent(&result, "read.clat_ns.mean");
}

/* What the program itself printed of the whole is the better number. */
static void test_own_sums(void **state)
{
	static const struct dir_row row = { "read", 100, 1000, 1000, 10, 2, 1, 30 };
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	add_dir(&add_job(&result, 0)->given, &row);
	given_append(&result.given, "read.iops", 99, 5);
	given_append(&result.given, "total.io_bytes", 1001, 5);
	result_sum_given(&result);
	check(&result, "read.iops", 99);
	check(&result, "read.total_ios", 100);
	check(&result, "total.io_bytes", 1001);
	check(&result, "total.iops", 100);
}

/* "mixed" stands for reads and writes where these are not reported, and for nothing beside them. */
static void test_mixed(void **state)
{
	static const struct dir_row mixed = { "mixed", 100, 1000, 1000, 10, 2, 1, 30 };
	static const struct dir_row read = { "read", 60, 600, 1000, 10, 2, 1, 30 };
	CLEANUP(result) struct result alone = { .label = NULL };
	CLEANUP(result) struct result beside = { .label = NULL };

	(void)state;
	add_dir(&add_job(&alone, 0)->given, &mixed);
	result_sum_given(&alone);
	check(&alone, "mixed.iops", 100);
	check(&alone, "total.iops", 100);
	check(&alone, "total.clat_ns.mean", 10);

	add_dir(&add_job(&beside, 0)->given, &mixed);
	add_dir(&beside.jobs[0].given, &read);
	result_sum_given(&beside);
	check(&beside, "total.iops", 60);
}

static void test_cpu(void **state)
{
	static const struct dir_row a = { "read", 100, 1000, 1000, 10, 2, 1, 30 };
	static const struct dir_row b = { "read", 100, 1000, 3000, 10, 2, 1, 30 };
	CLEANUP(result) struct result result = { .label = NULL };
	struct job_result *job = add_job(&result, 0);

	(void)state;
	add_dir(&job->given, &a);
	job->nr_clones = 3;
	given_append(&job->given, "cpu.usr_percent", 10, 1);
	given_append(&job->given, "cpu.ctx", 5, 1);
	job = add_job(&result, 0);
	add_dir(&job->given, &b);
	given_append(&job->given, "cpu.usr_percent", 20, 1);
	given_append(&job->given, "cpu.ctx", 6, 1);
	result_sum_given(&result);
	check(&result, "cpu.usr_percent", 15); /* three clones of 1 s, one of 3 s */
	check(&result, "cpu.ctx", 11);
	check_absent(&result, "cpu.sys_percent");
}

/* A table without jobs. */
static void test_no_jobs(void **state)
{
	static const struct dir_row read = { "read", 100, 1000, 1000, 10, 2, 1, 30 };
	static const struct dir_row write = { "write", 50, 500, 1000, 10, 2, 1, 30 };
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	add_dir(&result.given, &read);
	add_dir(&result.given, &write);
	result_sum_given(&result);
	check(&result, "total.iops", 150);
	check(&result, "total.clat_ns.mean", 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_job),	 cmocka_unit_test(test_side_by_side),
		cmocka_unit_test(test_phases),	 cmocka_unit_test(test_missing_parts),
		cmocka_unit_test(test_own_sums), cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_cpu),	 cmocka_unit_test(test_no_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
