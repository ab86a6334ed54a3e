/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_stat: fio's percentile rule, distributions, groups and disk totals. */
#include "output/fio_group.h"
#include "output/fio_stat.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "model/result.h"
#include "test.h"

static void assert_near(double a, double b)
{
	if (fabs(a - b) > 1e-9)
		fail_msg("%.12g is not %.12g", a, b);
}

static void test_percentiles(void **state)
{
	static const double list[] = { 1, 50, 99, 99.9, 100 };
	struct hist hist = { .counts = { 0 } };
	uint64_t values[5];

	(void)state;
	for (uint64_t ns = 1; ns <= 100; ns++)
		hist_record(&hist, ns);
	fio_percentiles(&hist, list, 5, values);
	assert_int_equal(values[0], 1);
	assert_int_equal(values[1], 50);
	assert_int_equal(values[2], 99);
	assert_int_equal(values[3], 100);
	assert_int_equal(values[4], 100);
}

/* The double 99.9 is a bit more than 99.9: 999 of 1000 I/Os do not reach it. */
static void test_percentile_that_a_double_misses(void **state)
{
	const double list[] = { 99.9 };
	struct hist hist = { .counts = { 0 } };
	uint64_t value;

	(void)state;
	hist.counts[hist_index(10)] = 999;
	hist.counts[hist_index(100)] = 1;
	fio_percentiles(&hist, list, 1, &value);
	assert_int_equal(value, 100);
	assert_int_equal(hist_quantile(&hist, 0.999), 10); /* the statistics' own rule */
}

/* 30 / 100 * 50 is more than 15 in long double, 30 * 50 / 100 is not. */
static void test_percentile_is_multiplied_first(void **state)
{
	const double list[] = { 30, 60 };
	struct hist hist = { .counts = { 0 } };
	uint64_t values[2];

	(void)state;
	for (uint64_t ns = 1; ns <= 50; ns++)
		hist_record(&hist, ns);
	fio_percentiles(&hist, list, 2, values);
	assert_int_equal(values[0], 15);
	assert_int_equal(values[1], 30);
}

static void test_percentile_decimals(void **state)
{
	static const struct {
		const char *option; /* NULL = not given in the section */
		double values[3];
		unsigned decimals;
	} rows[] = {
		{ NULL, { 1, 99.5, 99.99 }, 2 },
		{ NULL, { 50, 90, 99 }, 0 },
		{ NULL, { 50, 99.9, 99.999 }, 3 },
		{ "50:90.50:99", { 50, 90.5, 99 }, 2 },
		{ "50.00:90:99", { 50, 90, 99 }, 2 },
		{ "50:90:99.125", { 50, 90, 99.125 }, 3 },
		{ "1.0:99.0:99.9", { 1.0, 99.0, 99.9 }, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(job_result) struct job_result job = { .nr_percentiles = 3 };

		job.percentiles = xcalloc(3, sizeof(double));
		for (size_t j = 0; j < 3; j++)
			job.percentiles[j] = rows[i].values[j];
		if (rows[i].option)
			job_result_add_option(&job, "percentile_list", rows[i].option);
		assert_int_equal(fio_percentile_decimals(&job, job.percentiles, job.nr_percentiles),
				 rows[i].decimals);
	}
}

static void test_latency_distribution(void **state)
{
	CLEANUP(job_result) struct job_result job = { .name = NULL };
	struct hist *read = latency_need_hist(&job.dir[IO_READ].latency[LATENCY_CLAT]);
	struct hist *write = latency_need_hist(&job.dir[IO_WRITE].latency[LATENCY_CLAT]);
	struct fio_lat_dist dist;

	(void)state;
	/* "4=" means 2 <= x < 4 */
	for (uint64_t ns = 0; ns < 4; ns++)
		hist_record(read, ns);
	hist_record(read, 999);	 /* bucket 992..999 */
	hist_record(read, 1000); /* 1000..1007: the first of the us */
	hist_record(write, 999000);
	hist_record(write, 1900000000);
	hist_record(write, 3000000000);
	hist_record(write, UINT64_MAX);
	fio_lat_dist(&job, &dist);
	assert_int_equal(dist.ns[0], 2);
	assert_int_equal(dist.ns[1], 2);
	assert_int_equal(dist.ns[9], 1);
	assert_int_equal(dist.us[0], 1);
	assert_int_equal(dist.us[9], 1);
	assert_int_equal(dist.ms[10], 1);
	assert_int_equal(dist.ms[11], 2);
}

static void test_percents(void **state)
{
	const uint64_t counts[] = { 0, 1, 499, 9500, 600 };
	double percents[5];

	(void)state;
	fio_percents(counts, 5, 10000, 0.1, percents);
	assert_near(percents[0], 0);
	assert_near(percents[1], 0.1); /* 0.01 */
	assert_near(percents[2], 4.99);
	assert_near(percents[3], 95);
	fio_percents(counts, 5, 500, 0.1, percents);
	assert_near(percents[4], 120); /* fsyncs are not in the total */
	fio_percents(counts, 5, 0, 0.1, percents);
	assert_near(percents[1], 0);
}

static void test_rates(void **state)
{
	(void)state;
	assert_int_equal(fio_per_sec(5, 0), 0);
	assert_int_equal(fio_per_sec(20884, 3001), 6959);
	/* 20 EB in 20,000 s: the product exceeds 64 bits */
	assert_true(fio_per_sec(18000000000000000000U, 20000000) == 900000000000000U);
}

static void add_entry(struct result *result, unsigned group, uint64_t read_bytes, uint64_t ms)
{
	struct job_result *job = result_add_job(result);

	job->group_id = group;
	job->kb_base = 1000 + 24 * (group == 0);
	job->dir[IO_READ].io_bytes = read_bytes;
	job->dir[IO_READ].runtime_ms = ms;
}

static void test_groups(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	CLEANUP(free) struct fio_group *groups = NULL;
	const struct fio_group_dir *dir;
	size_t nr;

	(void)state;
	add_entry(&result, 3, 1000, 10);
	add_entry(&result, 0, 4000, 1000);
	add_entry(&result, 0, 9000, 3000);
	add_entry(&result, 0, 0, 0); /* did nothing */
	groups = fio_groups(&result, &nr);
	assert_int_equal(nr, 2);
	assert_int_equal(groups[0].id, 0);
	assert_int_equal(groups[0].kb_base, 1024);
	assert_int_equal(groups[1].id, 3);
	assert_int_equal(groups[1].kb_base, 1000);
	dir = &groups[0].dir[IO_READ];
	assert_int_equal(dir->io_bytes, 13000);
	assert_int_equal(dir->bw_bytes_per_sec, 4333);
	assert_int_equal(dir->min_bw_bytes_per_sec, 3000);
	assert_int_equal(dir->max_bw_bytes_per_sec, 4000);
	assert_int_equal(dir->min_runtime_ms, 1000);
	assert_int_equal(dir->max_runtime_ms, 3000);
	assert_int_equal(groups[0].dir[IO_WRITE].max_runtime_ms, 0);
	assert_ptr_equal(fio_group_find(groups, nr, 3), &groups[1]);
	assert_null(fio_group_find(groups, nr, 1));
}

static void test_disk_totals(void **state)
{
	CLEANUP(result) struct result result = { .nr_disks = 0 };
	struct fio_disk_sum sum;
	struct disk_result *disk;

	(void)state;
	(void)result_add_disk(&result, "dm-1", -1);
	(void)result_add_disk(&result, "dm-0", 0);
	for (uint64_t i = 1; i <= 2; i++) {
		disk = result_add_disk(&result, "sd", 1);
		disk->ios[0] = 10 * i;
		disk->ios[1] = i;
		disk->merges[1] = i;
		disk->ticks_ms[0] = 100 * i;
		disk->in_queue_ms = 7 * i;
		disk->io_ticks_ms = 300 * i;
		disk->wall_ms = 1000;
	}
	fio_disk_sum(&result, 1, &sum);
	assert_int_equal(sum.nr, 2);
	assert_int_equal(sum.ios[0], 30);
	assert_int_equal(sum.ios[1], 3);
	assert_int_equal(sum.merges[1], 3);
	assert_int_equal(sum.ticks_ms[0], 300);
	assert_int_equal(sum.in_queue_ms, 21);
	assert_near(sum.max_util_percent, 60);
	fio_disk_sum(&result, 0, &sum); /* only what is directly below */
	assert_int_equal(sum.nr, 1);
	fio_disk_sum(&result, 3, &sum);
	assert_int_equal(sum.nr, 0);
	assert_near(fio_disk_util_percent(1, 0), 0);
	assert_near(fio_disk_util_percent(30, 20), 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_percentile_that_a_double_misses),
		cmocka_unit_test(test_percentile_is_multiplied_first),
		cmocka_unit_test(test_percentile_decimals),
		cmocka_unit_test(test_latency_distribution),
		cmocka_unit_test(test_percents),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_disk_totals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
