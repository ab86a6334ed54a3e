/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric: names, units, values over jobs, phases and directions, and what users may type. */
#include "model/metric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/result.h"
#include "test.h"

static int resolve_text(const struct result *result, const char *text, char **ret_name,
			struct err *err)
{
	return metric_resolve(result, &(struct metric_choice){ .text = text }, ret_name, err);
}

static void add_latencies(struct latency *latency, uint64_t first_ns, uint64_t step_ns, size_t nr)
{
	struct hist *hist = latency_need_hist(latency);

	for (size_t i = 0; i < nr; i++) {
		moments_add(&latency->moments, first_ns + step_ns * i);
		hist_record(hist, first_ns + step_ns * i);
	}
}

static struct job_result *add_job(struct result *result, unsigned phase, enum io_dir dir,
				  uint64_t ios, uint64_t runtime_ms)
{
	struct job_result *job = result_add_job(result);

	job->phase = phase;
	job->wall_ms = runtime_ms;
	job->usr_ms = runtime_ms / 4;
	job->sys_ms = runtime_ms / 2;
	job->context_switches = ios;
	job->dir[dir].total_ios = ios;
	job->dir[dir].io_bytes = ios * 4096;
	job->dir[dir].runtime_ms = runtime_ms;
	return job;
}

static void assert_metric(const struct metric_list *list, const char *name, double expected)
{
	double value;

	if (metric_find(list, name, &value) != 0)
		fail_msg("no metric '%s'", name);
	if (fabs(value - expected) > 1e-9 * fabs(expected))
		fail_msg("%s is %.17g, expected %.17g", name, value, expected);
}

static void assert_no_metric(const struct metric_list *list, const char *name)
{
	double value;

	if (metric_find(list, name, &value) == 0)
		fail_msg("unexpected metric '%s' = %g", name, value);
}

static void test_rates_add_up_over_jobs_and_phases(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	CLEANUP(metric_list) struct metric_list list = { .nr = 0 };

	(void)state;
	/* phase 2 first: the order of entries must not matter */
	add_job(&result, 2, IO_WRITE, 300, 4000);
	add_job(&result, 0, IO_READ, 1000, 1000);
	add_job(&result, 0, IO_READ, 3000, 2000);
	add_job(&result, 2, IO_READ, 500, 500);
	result_metrics(&result, &list);

	assert_metric(&list, "read.total_ios", 4500);
	assert_metric(&list, "read.io_bytes", 4500 * 4096.0);
	assert_metric(&list, "read.runtime_ms", 2500); /* 2000 in phase 0, 500 in phase 2 */
	assert_metric(&list, "read.iops", 1800);
	assert_metric(&list, "read.bw_bytes_per_sec", 1800 * 4096.0);
	assert_metric(&list, "write.iops", 75);
	assert_metric(&list, "total.runtime_ms", 6000);
	assert_metric(&list, "total.iops", 800);
	assert_metric(&list, "cpu.usr_percent", 25);
	assert_metric(&list, "cpu.sys_percent", 50);
	assert_metric(&list, "cpu.ctx", 4800);
	assert_no_metric(&list, "trim.iops");
	assert_no_metric(&list, "trim.total_ios");
	assert_no_metric(&list, "sync.total_ios");
	assert_no_metric(&list, "read.clat_ns.mean");
}

static void test_nothing_measured_gives_nothing(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	CLEANUP(metric_list) struct metric_list list = { .nr = 0 };

	(void)state;
	result_metrics(&result, &list);
	assert_int_equal(list.nr, 0);
	metric_list_release(&list);
	result_add_job(&result);
	result_metrics(&result, &list);
	assert_int_equal(list.nr, 0);
}

static void test_latency_statistics(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	CLEANUP(metric_list) struct metric_list list = { .nr = 0 };
	struct job_result *job = add_job(&result, 0, IO_READ, 101, 1000);

	(void)state;
	/* 20, 21 .. 120 ns: exact buckets */
	add_latencies(&job->dir[IO_READ].latency[LATENCY_CLAT], 20, 1, 101);
	add_latencies(&job->sync, 50, 0, 1);
	job->sync_ios = 1;
	result_metrics(&result, &list);

	assert_metric(&list, "read.clat_ns.mean", 70);
	assert_metric(&list, "read.clat_ns.stddev", sqrt(101.0 * (101.0 * 101.0 - 1) / 12 / 100));
	assert_metric(&list, "read.clat_ns.min", 20);
	assert_metric(&list, "read.clat_ns.max", 120);
	assert_metric(&list, "read.clat_ns.p50", 70);
	assert_metric(&list, "total.clat_ns.p50", 70);
	assert_no_metric(&list, "read.clat_ns.p90"); /* 10 beyond it */
	assert_no_metric(&list, "read.slat_ns.mean");
	assert_metric(&list, "sync.total_ios", 1);
	assert_metric(&list, "sync.iops", 1);
	assert_metric(&list, "sync.lat_ns.mean", 50);
	assert_no_metric(&list, "sync.lat_ns.stddev"); /* of one value */
}

/* statistics.md: quantile q needs N (1 - q) >= 30. */
static void test_percentiles_need_ios_beyond_them(void **state)
{
	static const struct {
		size_t nr;
		const char *name;
		bool is_there;
	} rows[] = {
		{ 59, "read.clat_ns.p50", false },	 { 60, "read.clat_ns.p50", true },
		{ 299, "read.clat_ns.p90", false },	 { 300, "read.clat_ns.p90", true },
		{ 2999, "read.clat_ns.p99", false },	 { 3000, "read.clat_ns.p99", true },
		{ 29999, "read.clat_ns.p99.9", false },	 { 30000, "read.clat_ns.p99.9", true },
		{ 999, "read.clat_ns.p97", false },	 { 1000, "read.clat_ns.p97", true },
		{ 300000, "read.clat_ns.p99.99", true }, { 300000, "read.clat_ns.p100", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(result) struct result result = { .nr_jobs = 0 };
		CLEANUP(metric_list) struct metric_list list = { .nr = 0 };
		struct job_result *job = add_job(&result, 0, IO_READ, rows[i].nr, 1000);
		double value;

		job->nr_percentiles = 3;
		job->percentiles = xcalloc(3, sizeof(double));
		job->percentiles[0] = 90;
		job->percentiles[1] = 97;
		job->percentiles[2] = 100;
		add_latencies(&job->dir[IO_READ].latency[LATENCY_CLAT], 1000, 3, rows[i].nr);
		result_metrics(&result, &list);
		if ((metric_find(&list, rows[i].name, &value) == 0) != rows[i].is_there)
			fail_msg("%zu I/Os: %s", rows[i].nr, rows[i].name);
		for (size_t a = 0; a < list.nr; a++) {
			for (size_t b = a + 1; b < list.nr; b++)
				assert_string_not_equal(list.items[a].name, list.items[b].name);
		}
	}
}

static void test_disks(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	CLEANUP(metric_list) struct metric_list list = { .nr = 0 };
	struct disk_result *disk = result_add_disk(&result, "dm-0", -1);

	(void)state;
	disk->ios[0] = 10;
	disk->ios[1] = 20;
	disk->merges[1] = 3;
	disk->sectors[1] = 160;
	disk->ticks_ms[0] = 7;
	disk->in_queue_ms = 9;
	disk->io_ticks_ms = 250;
	disk->wall_ms = 1000;
	disk = result_add_disk(&result, "sda", 0);
	disk->io_ticks_ms = 1100; /* counters lag: never above 100 % */
	disk->wall_ms = 1000;
	result_add_disk(&result, "sdb", 0);
	result_metrics(&result, &list);

	assert_metric(&list, "disk.dm-0.read_ios", 10);
	assert_metric(&list, "disk.dm-0.write_ios", 20);
	assert_metric(&list, "disk.dm-0.write_merges", 3);
	assert_metric(&list, "disk.dm-0.write_bytes", 81920);
	assert_metric(&list, "disk.dm-0.read_ticks_ms", 7);
	assert_metric(&list, "disk.dm-0.in_queue_ms", 9);
	assert_metric(&list, "disk.dm-0.util_percent", 25);
	assert_metric(&list, "disk.sda.util_percent", 100);
	assert_no_metric(&list, "disk.sda.read_bytes"); /* no sectors known */
	assert_no_metric(&list, "disk.sdb.util_percent");
}

static void test_units_and_polarity(void **state)
{
	static const struct {
		const char *name, *unit;
		enum polarity polarity;
	} rows[] = {
		{ "read.iops", "1/s", POLARITY_HIGHER_IS_BETTER },
		{ "total.bw_bytes_per_sec", "B/s", POLARITY_HIGHER_IS_BETTER },
		{ "write.clat_ns.p99.9", "ns", POLARITY_LOWER_IS_BETTER },
		{ "sync.lat_ns.mean", "ns", POLARITY_LOWER_IS_BETTER },
		{ "read.slat_ns.stddev", "ns", POLARITY_LOWER_IS_BETTER },
		{ "read.total_ios", "", POLARITY_NONE },
		{ "trim.io_bytes", "B", POLARITY_NONE },
		{ "total.runtime_ms", "ms", POLARITY_LOWER_IS_BETTER },
		{ "cpu.usr_percent", "%", POLARITY_NONE },
		{ "cpu.ctx", "", POLARITY_NONE },
		{ "disk.sda.util_percent", "%", POLARITY_NONE },
		{ "disk.sda.read_ticks_ms", "ms", POLARITY_NONE },
		{ "disk.sda.write_ios", "", POLARITY_NONE },
		{ "disk.sda.write_bytes", "B", POLARITY_NONE },
		{ "aiol.ops_per_sec", "1/s", POLARITY_HIGHER_IS_BETTER },
		/* as LKP names them */
		{ "fio.write_bw_MBps", "MiB/s", POLARITY_HIGHER_IS_BETTER },
		{ "fio.read_clat_99%_us", "ns", POLARITY_LOWER_IS_BETTER },
		{ "fio.latency_20ms%", "%", POLARITY_NONE },
		{ "fio.time.elapsed_time.max", "s", POLARITY_LOWER_IS_BETTER },
		{ "stress-ng.aiol.ops_per_sec", "1/s", POLARITY_HIGHER_IS_BETTER },
		{ "stress-ng.flock.nanosecs_per_flock_lock_call", "ns", POLARITY_LOWER_IS_BETTER },
		{ "stress-ng.time.file_system_inputs", "", POLARITY_NONE },
		{ "iostat.sda.wkB/s", "KiB/s", POLARITY_HIGHER_IS_BETTER },
		{ "iostat.sda.w_await.max", "ms", POLARITY_LOWER_IS_BETTER },
		{ "sysbench-fileio.write_operations/s", "1/s", POLARITY_HIGHER_IS_BETTER },
		{ "sysbench-fileio.latency_95th_ms", "ms", POLARITY_LOWER_IS_BETTER },
		{ "fsmark.app_overhead", "", POLARITY_LOWER_IS_BETTER },
		{ "unixbench.score", "", POLARITY_HIGHER_IS_BETTER },
		{ "mpstat.cpu.all.idle%", "%", POLARITY_NONE },
		{ "perf-stat.overall.branch-miss-rate%", "%", POLARITY_NONE },
		{ "perf-profile.self.cycles-pp.osq_lock", "%", POLARITY_NONE },
		{ "sched_debug.cpu.clock.avg", "", POLARITY_NONE },
		{ "memrate.write128_MB/sec", "MB/s", POLARITY_HIGHER_IS_BETTER },
		{ "aiol.usr_ms", "ms", POLARITY_NONE },
		{ "something.else", "", POLARITY_NONE },
		{ "", "", POLARITY_NONE },
		{ "read.bw_samples.mean", "B/s", POLARITY_HIGHER_IS_BETTER },
		{ "read.bw_samples.stddev", "B/s", POLARITY_LOWER_IS_BETTER },
		{ "write.iops_samples.min", "1/s", POLARITY_HIGHER_IS_BETTER },
		{ "write.iops_samples.nr", "", POLARITY_NONE },
		{ "read.drop_ios", "", POLARITY_LOWER_IS_BETTER },
		{ "latency.10us_percent", "%", POLARITY_NONE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_string_equal(metric_unit(rows[i].name), rows[i].unit);
		assert_int_equal(metric_polarity(rows[i].name), rows[i].polarity);
	}
}

static void fill_for_resolve(struct result *result, bool with_write, uint64_t bytes_per_io)
{
	struct job_result *job = add_job(result, 0, IO_READ, 4000, 1000);
	struct dir_result *read = &job->dir[IO_READ];
	struct dir_result *write = &job->dir[IO_WRITE];

	read->io_bytes = read->total_ios * bytes_per_io;
	add_latencies(&read->latency[LATENCY_CLAT], 1000, 3, 4000);
	add_latencies(&read->latency[LATENCY_LAT], 1500, 3, 4000);
	add_latencies(&job->sync, 5000, 1, 100);
	job->sync_ios = 100;
	if (!with_write)
		return;
	write->total_ios = 100;
	write->io_bytes = 100 * bytes_per_io;
	write->runtime_ms = 1000;
	add_latencies(&write->latency[LATENCY_LAT], 1500, 3, 100);
	result_add_disk(result, "sda", -1);
}

/* A run of a few ms would be off by up to 1 ms otherwise. */
static void test_exact_runtime(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	struct metric_list list = { .nr = 0 };

	(void)state;
	add_job(&result, 0, IO_READ, 3000, 16);
	result.jobs[0].dir[IO_READ].runtime_ns = 15075000;
	result_metrics(&result, &list);
	assert_metric(&list, "read.runtime_ms", 15.075);
	assert_metric(&list, "read.iops", 3000 / 0.015075);
	metric_list_release(&list);
}

static void test_resolve(void **state)
{
	static const struct {
		const char *text;
		bool with_write;
		uint64_t bytes_per_io;
		const char *name;
	} rows[] = {
		{ NULL, false, 4096, "read.iops" },
		{ NULL, true, 4096, "total.iops" },
		{ NULL, false, 65536, "read.bw_bytes_per_sec" },
		{ NULL, true, 65535, "total.iops" },
		{ "iops", false, 4096, "read.iops" },
		{ "iops", true, 4096, "total.iops" },
		{ "bw", true, 4096, "total.bw_bytes_per_sec" },
		{ "clat_mean", false, 4096, "read.clat_ns.mean" },
		{ "clat_p99", false, 4096, "read.clat_ns.p99" },
		{ "clat_p99.0", false, 4096, "read.clat_ns.p99" },
		{ "clat.p90", false, 4096, "read.clat_ns.p90" },
		{ "clat_ns.max", false, 4096, "read.clat_ns.max" },
		{ "lat_stddev", true, 4096, "total.lat_ns.stddev" },
		{ "write.iops", true, 4096, "write.iops" },
		{ "write.lat_mean", true, 4096, "write.lat_ns.mean" },
		{ "read.bw", true, 4096, "read.bw_bytes_per_sec" },
		{ "read.clat_ns.p50", true, 4096, "read.clat_ns.p50" },
		{ "sync.lat_mean", true, 4096, "sync.lat_ns.mean" },
		{ "runtime", false, 4096, "read.runtime_ms" },
		{ "cpu.ctx", false, 4096, "cpu.ctx" },
		{ "disk.sda.read_ios", true, 4096, "disk.sda.read_ios" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(result) struct result result = { .nr_jobs = 0 };
		CLEANUP(free) char *name = NULL;
		struct err err = { .code = 0 };

		fill_for_resolve(&result, rows[i].with_write, rows[i].bytes_per_io);
		if (resolve_text(&result, rows[i].text, &name, &err) != 0)
			fail_msg("'%s': %s", rows[i].text ? rows[i].text : "(none)", err.msg);
		assert_string_equal(name, rows[i].name);
	}
}

static void test_resolve_refuses(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
		{ "iosp",
		  "unknown metric 'iosp', did you mean 'iops'; there are: iops, bw, ios, bytes, "
		  "runtime, clat_mean, " },
		{ "clat_maen", "did you mean 'clat_mean'" },
		{ "read.clat_maen", "did you mean 'clat_mean'" },
		{ "read.clat_ns.maen", "did you mean " },
		{ "slat_mean", "unknown metric 'slat_mean'" },
		{ "write.iops", "unknown metric 'write.iops'" },
		{ "clat_p99.9",
		  "metric 'clat_p99.9': p99.9 is not in this result: either it is not in "
		  "percentile_list, or there were fewer than 30000 I/Os" },
		{ "clat_p97", "or there were fewer than 1000 I/Os" },
		{ "", "unknown metric ''" },
		{ "clat_p101", "unknown metric" },
		{ "clat_pnan", "unknown metric" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(result) struct result result = { .nr_jobs = 0 };
		char *name = NULL;
		struct err err = { .code = 0 };

		fill_for_resolve(&result, false, 4096);
		assert_int_equal(resolve_text(&result, rows[i].text, &name, &err), -ERR_USAGE);
		assert_null(name);
		if (!strstr(err.msg, rows[i].message))
			fail_msg("'%s' gave '%s'", rows[i].text, err.msg);
	}
}

static void test_monitored_metrics_stand_beside_measured_ones(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	CLEANUP(metric_list) struct metric_list list = { .nr = 0 };
	char *name = NULL;

	(void)state;
	add_job(&result, 0, IO_READ, 1000, 1000);
	(void)given_append(&result.monitored, "iostat.sda.r_await", 0.25, 0);
	(void)given_append(&result.monitored, "mpstat.cpu.all.usr%", 12.5, 0);
	result_metrics(&result, &list);

	assert_metric(&list, "read.iops", 1000);
	assert_metric(&list, "iostat.sda.r_await", 0.25);
	assert_metric(&list, "mpstat.cpu.all.usr%", 12.5);
	assert_int_equal(resolve_text(&result, "iostat.sda.r_await", &name, NULL), 0);
	assert_string_equal(name, "iostat.sda.r_await");
	free(name);
}

static void test_units_of_monitors(void **state)
{
	static const struct {
		const char *name, *unit;
		enum polarity polarity;
	} rows[] = {
		{ "iostat.sda.r/s", "1/s", POLARITY_HIGHER_IS_BETTER },
		{ "iostat.nvme0n1.rkB/s", "KiB/s", POLARITY_HIGHER_IS_BETTER },
		{ "iostat.sda.dkB/s", "KiB/s", POLARITY_NONE },
		{ "iostat.sda.rrqm/s", "1/s", POLARITY_NONE },
		{ "iostat.sda.f/s", "1/s", POLARITY_NONE },
		{ "iostat.sda.%rrqm", "%", POLARITY_NONE },
		{ "iostat.sda.w_await.max", "ms", POLARITY_LOWER_IS_BETTER },
		{ "iostat.sda.wareq-sz", "KiB", POLARITY_NONE },
		{ "iostat.sda.aqu-sz", "", POLARITY_NONE },
		{ "iostat.sda.util", "%", POLARITY_NONE },
		{ "iostat.cpu.iowait", "%", POLARITY_NONE },
		{ "mpstat.cpu.all.usr%", "%", POLARITY_NONE },
		{ "vmstat.io.bi", "KiB/s", POLARITY_HIGHER_IS_BETTER },
		{ "vmstat.system.cs", "1/s", POLARITY_NONE },
		{ "vmstat.memory.free", "KiB", POLARITY_NONE },
		{ "meminfo.MemFree", "KiB", POLARITY_NONE },
		{ "meminfo.HugePages_Total", "", POLARITY_NONE },
		{ "numa-meminfo.node1.MemFree", "KiB", POLARITY_NONE },
		{ "proc-vmstat.pgfault", "", POLARITY_NONE },
		{ "proc-vmstat.pgfault_per_sec", "1/s", POLARITY_NONE },
		{ "softirqs.BLOCK_per_sec", "1/s", POLARITY_NONE },
		{ "interrupts.busiest_cpu%", "%", POLARITY_NONE },
		{ "pressure.io.full%", "%", POLARITY_NONE },
		{ "pressure.io.full_us", "us", POLARITY_NONE },
		{ "time.elapsed_time", "s", POLARITY_LOWER_IS_BETTER },
		{ "time.major_page_faults_per_sec", "1/s", POLARITY_NONE },
		{ "thermal.x86_pkg_temp", "degC", POLARITY_NONE },
		{ "thermal.core_throttle_count", "", POLARITY_NONE },
		{ "schedstat.run_delay_ns_per_sec", "ns/s", POLARITY_NONE },
		{ "monitor.cpu_ms", "ms", POLARITY_NONE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(metric_unit(rows[i].name), rows[i].unit) != 0 ||
		    metric_polarity(rows[i].name) != rows[i].polarity)
			fail_msg("%s: unit '%s', polarity %d", rows[i].name,
				 metric_unit(rows[i].name), metric_polarity(rows[i].name));
	}
}

static void test_resolve_without_io(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	char *name = NULL;
	struct err err = { .code = 0 };

	(void)state;
	assert_int_equal(resolve_text(&result, NULL, &name, &err), -ERR_USAGE);
	assert_non_null(strstr(err.msg, "none, no I/O was measured"));
}

/* What a command printed decides, if somebody knows which way it is good. */
static void test_resolve_of_a_command(void **state)
{
	static const struct {
		const char *printed[3];
		bool is_way_known;
		const char *name; /* NULL: refused */
		const char *message;
	} rows[] = {
		{ { "queue", "ops_per_sec" }, false, "ops_per_sec", NULL },
		{ { "queue", "total.iops", "lat_ns" }, false, "total.iops", NULL },
		{ { NULL }, false, "time.elapsed_time", NULL },
		{ { NULL }, true, "time.elapsed_time", NULL },
		{ { "aiol.runtime_ms" }, true, "aiol.runtime_ms", NULL },
		{ { "queue", "aiol.runtime_ms" }, false, "aiol.runtime_ms", NULL },
		{ { "queue", "aiol.runtime_ms" }, true, "queue", NULL },
		{ { "score", "widgets" }, true, "score", NULL },
		{ { "hit_percent", "score" }, true, "score", NULL },
		{ { "hit_percent" }, true, NULL, "the command printed 'hit_percent', and nothing" },
		{ { "score" },
		  false,
		  NULL,
		  "the command printed 'score', and nothing tells whether more is better: name "
		  "what "
		  "decides with --this; time.elapsed_time is how long it took" },
		{ { "score", "widgets" }, false, NULL, "'score', 'widgets', and of none is known" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(result) struct result result = { .command = xstrdup("c") };
		const struct metric_choice choice = { .how = "--this",
						      .is_way_known = rows[i].is_way_known };
		CLEANUP(free) char *name = NULL;
		struct err err = { .code = 0 };
		int ret;

		for (size_t k = 0; k < 3 && rows[i].printed[k]; k++)
			(void)given_append(&result.given, rows[i].printed[k], 5, 0);
		(void)given_append(&result.monitored, "time.elapsed_time", 1, 0);
		ret = metric_resolve(&result, &choice, &name, &err);
		if (rows[i].name && (ret != 0 || strcmp(name, rows[i].name) != 0))
			fail_msg("row %zu: '%s', %s", i, name ? name : "", err.msg);
		if (!rows[i].name && (ret != -ERR_USAGE || !strstr(err.msg, rows[i].message)))
			fail_msg("row %zu: '%s', %s", i, name ? name : "", err.msg);
	}
}

/* "lat 3 ms" becomes lat_ns, of which tables say 3.000ms. */
static void test_resolve_but_for_the_unit(void **state)
{
	static const struct {
		const char *printed[2];
		const char *text;
		const char *name; /* NULL: refused */
	} rows[] = {
		{ { "lat_ns" }, "lat", "lat_ns" },
		{ { "lat_ns" }, "lat_ms", "lat_ns" },
		{ { "lat" }, "lat_ns", "lat" },
		{ { "lat_ns", "lat_us" }, "lat_us", "lat_us" },
		{ { "lat_ns", "lat_us" }, "lat", NULL },
		{ { "x_bytes_per_sec" }, "x", "x_bytes_per_sec" },
		{ { "x_bytes_per_sec" }, "x_per_sec", "x_bytes_per_sec" },
		{ { "lat_ns_max" }, "lat_max", NULL },
		{ { "hit_percent" }, "hit", NULL },
		{ { "_ns" }, "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(result) struct result result = { .command = xstrdup("c") };
		CLEANUP(free) char *name = NULL;
		struct err err = { .code = 0 };
		int ret;

		for (size_t k = 0; k < 2 && rows[i].printed[k]; k++)
			(void)given_append(&result.given, rows[i].printed[k], 5, 0);
		ret = resolve_text(&result, rows[i].text, &name, &err);
		if (rows[i].name ? ret != 0 || strcmp(name, rows[i].name) != 0 : ret != -ERR_USAGE)
			fail_msg("row %zu: '%s', %s", i, name ? name : "", err.msg);
	}
}

/* A list of names that is too long for one line ends between two of them. */
static void test_refusal_names_whole_names(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	struct err err = { .code = 0 };
	char *name = NULL;
	unsigned nr_named = 0, nr_more = 0;
	const char *more;

	(void)state;
	for (unsigned i = 0; i < 100; i++) {
		CLEANUP(free) char *one = xasprintf("number%u", i);

		(void)given_append(&result.given, one, i, 0);
	}
	assert_int_equal(resolve_text(&result, "nothing", &name, &err), -ERR_USAGE);
	more = strstr(err.msg, " and ");
	assert_non_null(more);
	assert_int_equal(sscanf(more, " and %u more", &nr_more), 1);
	for (const char *at = err.msg; (at = strstr(at, "number")) && at < more; at++)
		nr_named++;
	assert_int_equal(nr_named + nr_more, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rates_add_up_over_jobs_and_phases),
		cmocka_unit_test(test_nothing_measured_gives_nothing),
		cmocka_unit_test(test_latency_statistics),
		cmocka_unit_test(test_percentiles_need_ios_beyond_them),
		cmocka_unit_test(test_disks),
		cmocka_unit_test(test_units_and_polarity),
		cmocka_unit_test(test_monitored_metrics_stand_beside_measured_ones),
		cmocka_unit_test(test_units_of_monitors),
		cmocka_unit_test(test_exact_runtime),
		cmocka_unit_test(test_resolve),
		cmocka_unit_test(test_resolve_refuses),
		cmocka_unit_test(test_resolve_without_io),
		cmocka_unit_test(test_resolve_of_a_command),
		cmocka_unit_test(test_resolve_but_for_the_unit),
		cmocka_unit_test(test_refusal_names_whole_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
