/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio's JSON: units by version, numbers that cannot be true, runs and their reports, clients. */
#include "collect.h"

#define FOLDER "tests/data/import/fio-json/"

static struct collect collect_fixture(const char *name)
{
	CLEANUP(free) char *path = xasprintf(FOLDER "%s", name);
	CLEANUP(free) char *text = source_text(path);
	struct collect collect = collect_text(name, text, strlen(text));

	if (collect.ret < 0)
		fail_msg("%s", collect.err.msg);
	return collect;
}

/* One job whose only direction has these members, after the head of a document. */
static struct collect collect_dir(const char *head, const char *dir, const char *members)
{
	CLEANUP(free)
	char *text = xasprintf("{%s\"jobs\":[{\"jobname\":\"j\",\"groupid\":0,"
			       "\"error\":0,\"%s\":{%s}}]}",
			       head, dir, members);
	struct collect collect = collect_good(text);

	assert_int_equal(collect.results.nr, 1);
	assert_int_equal(collect.results.items[0].nr_jobs, 1);
	return collect;
}

static const struct given_list *job_given(const struct collect *collect)
{
	return &collect->results.items[0].jobs[0].given;
}

#define IO_300K "\"io_bytes\":307200,\"bw\":300,\"iops\":75.5,\"runtime\":1000,\"total_ios\":75"

/* ---- units ---- */

static void check_io_bytes(const char *version, const char *members, double expected)
{
	CLEANUP(free) char *head = xasprintf("\"fio version\":\"%s\",", version);
	CLEANUP(collect) struct collect got = collect_dir(head, "read", members);

	assert_given(job_given(&got), "read.io_bytes", expected);
}

static void test_io_bytes(void **state)
{
	static const char kib[] = "\"io_bytes\":300,\"bw\":300,\"runtime\":1000";
	static const char bytes[] = "\"io_bytes\":307200,\"bw\":300,\"runtime\":1000";

	(void)state;
	check_io_bytes("fio-2.0.10", kib, 307200);
	check_io_bytes("fio-2.17", kib, 307200);
	check_io_bytes("fio-2.20", kib, 307200);
	check_io_bytes("fio-2.21", bytes, 307200);
	check_io_bytes("fio-2.99", bytes, 307200);
	check_io_bytes("fio-3.0", bytes, 307200);
	check_io_bytes("fio-3.19-10-g3bd2", bytes, 307200);
	/* both are printed: io_kbytes says that io_bytes is in bytes */
	check_io_bytes("fio-2.2", "\"io_bytes\":307200,\"io_kbytes\":300", 307200);
	check_io_bytes("fio-3.33", "\"io_kbytes\":300", 307200);
}

static void test_unknown_version(void **state)
{
	CLEANUP(collect)
	struct collect kib =
		collect_dir("", "read", "\"io_bytes\":300,\"bw\":300,\"runtime\":1000");
	CLEANUP(collect)
	struct collect bytes = collect_dir("\"fio version\":\"fio-master\",", "read",
					   "\"io_bytes\":307200,\"bw\":300,\"runtime\":1000");

	(void)state;
	assert_given(job_given(&kib), "read.io_bytes", 307200);
	assert_true(has_note(&kib.results.items[0], NOTE_UNIT_CONVERTED, "io_bytes is in KiB"));
	assert_given(job_given(&bytes), "read.io_bytes", 307200);
	assert_int_equal(bytes.results.items[0].notes.nr, 0);
	assert_string_equal(bytes.results.items[0].tool_version, "fio-master");
}

static void test_bandwidth(void **state)
{
	CLEANUP(collect)
	struct collect exact =
		collect_dir("\"fio version\":\"fio-3.1\",", "write",
			    "\"io_bytes\":4685824,\"bw\":151,\"iops\":9.431456,\"runtime\":30112");
	CLEANUP(collect)
	struct collect printed =
		collect_dir("\"fio version\":\"fio-3.33\",", "write",
			    "\"io_bytes\":4096,\"bw_bytes\":4071,\"bw\":3,\"runtime\":1000");
	CLEANUP(collect)
	struct collect unlike = collect_dir("\"fio version\":\"fio-3.1\",", "write",
					    "\"io_bytes\":4096,\"bw\":80,\"runtime\":1000");

	(void)state;
	/* 151 KiB/s is coarse; amount and time agree with it and are exact */
	assert_given(job_given(&exact), "write.bw_bytes_per_sec", 4685824 * 1000.0 / 30112);
	assert_given(job_given(&printed), "write.bw_bytes_per_sec", 4071);
	assert_given(job_given(&unlike), "write.bw_bytes_per_sec", 81920);
}

static void test_iops(void **state)
{
	CLEANUP(collect)
	struct collect whole =
		collect_dir("\"fio version\":\"fio-2.0.10\",", "read",
			    "\"io_bytes\":4,\"iops\":3,\"runtime\":3000,\"total_ios\":10");
	CLEANUP(collect)
	struct collect decimal =
		collect_dir("\"fio version\":\"fio-3.33\",", "read",
			    "\"io_bytes\":4,\"iops\":3.300000,\"runtime\":3000,\"total_ios\":10");

	(void)state;
	assert_given(job_given(&whole), "read.iops", 10 / 3.0);
	assert_given(job_given(&decimal), "read.iops", 3.3);
}

static void test_latency_units(void **state)
{
	CLEANUP(collect)
	struct collect us = collect_dir(
		"\"fio version\":\"fio-2.21\",", "read",
		IO_300K
		",\"slat\":{\"min\":2,\"max\":9,\"mean\":3.5,\"stddev\":1.25},"
		"\"clat\":{\"min\":90,\"max\":700,\"mean\":250.5,\"stddev\":18,"
		"\"percentile\":{\"50.000000\":201,\"99.950000\":700,\"0.00\":0,\"0.00\":0}}");
	CLEANUP(collect)
	struct collect ns = collect_dir(
		"\"fio version\":\"fio-3.0\",", "read",
		IO_300K ",\"lat_ns\":{\"min\":90,\"max\":700,\"mean\":250.5,\"stddev\":18,\"N\":75,"
			"\"percentile\":{\"99.999900\":697}}");
	const struct given_list *given = job_given(&us);

	(void)state;
	assert_given(given, "read.slat_ns.mean", 3500);
	assert_given(given, "read.slat_ns.stddev", 1250);
	assert_given(given, "read.clat_ns.min", 90000);
	assert_given(given, "read.clat_ns.max", 700000);
	assert_given(given, "read.clat_ns.p50", 201000);
	assert_given(given, "read.clat_ns.p99.95", 700000);
	assert_absent(given, "read.clat_ns.p0");
	assert_given(job_given(&ns), "read.lat_ns.mean", 250.5);
	assert_given(job_given(&ns), "read.lat_ns.p99.9999", 697);
	assert_absent(job_given(&ns), "read.clat_ns.mean");
}

/* Zeros of what was not measured: gtod_reduce, slat of sync engines, jobs too short for samples. */
static void test_not_measured(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_dir(
		"\"fio version\":\"fio-3.33\",", "read",
		IO_300K ",\"slat_ns\":{\"min\":0,\"max\":0,\"mean\":0.0,\"stddev\":0.0,\"N\":0},"
			"\"clat_ns\":{\"min\":0,\"max\":0,\"mean\":0.0,\"stddev\":0.0,\"N\":0},"
			"\"bw_min\":0,\"bw_max\":0,\"bw_agg\":0.0,\"bw_mean\":0.0,\"bw_dev\":0.0,"
			"\"bw_samples\":0,\"iops_min\":0,\"iops_max\":0,\"iops_samples\":0");
	const struct given_list *given = job_given(&got);

	(void)state;
	assert_given(given, "read.iops", 75.5);
	assert_absent(given, "read.slat_ns.mean");
	assert_absent(given, "read.clat_ns.max");
	assert_absent(given, "read.bw_samples.mean");
	assert_absent(given, "read.iops_samples.nr");
	assert_absent(given, "write.iops");
}

static void test_samples(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_dir(
		"\"fio version\":\"fio-3.33\",", "read",
		IO_300K ",\"bw_min\":1,\"bw_max\":3,\"bw_agg\":99.5,\"bw_mean\":2.5,\"bw_dev\":0.5,"
			"\"iops_min\":10,\"iops_max\":30,\"iops_mean\":20.5,\"iops_stddev\":4,"
			"\"iops_samples\":7");
	const struct given_list *given = job_given(&got);

	(void)state;
	assert_given(given, "read.bw_samples.min", 1024);
	assert_given(given, "read.bw_samples.mean", 2560);
	assert_given(given, "read.bw_samples.stddev", 512);
	assert_absent(given, "read.bw_samples.nr"); /* not printed before 3.0 */
	assert_given(given, "read.iops_samples.nr", 7);
	assert_given(given, "read.iops_samples.stddev", 4);
}

/* ---- numbers that lie ---- */

#define CLAT(members) IO_300K ",\"clat_ns\":{" members "}"

static void check_refused(const char *members, const char *note, const char *kept,
			  const char *absent)
{
	CLEANUP(collect)
	struct collect got = collect_dir("\"fio version\":\"fio-3.33\",", "read", members);

	if (!has_note(&got.results.items[0], NOTE_NUMBER_REFUSED, note))
		fail_msg("no note '%s' for %s", note, members);
	if (kept && !given_find(job_given(&got), kept))
		fail_msg("%s is missing: %s", kept, members);
	if (given_find(job_given(&got), absent))
		fail_msg("%s was taken: %s", absent, members);
	assert_given(job_given(&got), "read.iops", 75.5);
}

static void test_percentiles_that_lie(void **state)
{
	(void)state;
	/* slower than the histogram goes */
	check_refused(CLAT("\"min\":1,\"max\":40000000000,\"mean\":9000000000.0,\"stddev\":9.0,"
			   "\"percentile\":{\"50.000000\":100,\"90.000000\":17112760320,"
			   "\"99.000000\":17112760320}"),
		      "from 90 on are the end of the histogram", "read.clat_ns.p50",
		      "read.clat_ns.p90");
	check_refused(CLAT("\"min\":1,\"max\":1000,\"mean\":500.0,\"stddev\":9.0,"
			   "\"percentile\":{\"50.000000\":100,\"99.000000\":101}"),
		      "lie too low for the mean", "read.clat_ns.mean", "read.clat_ns.p50");
	check_refused(CLAT("\"min\":1,\"max\":1000,\"mean\":100.0,\"stddev\":9.0,"
			   "\"percentile\":{\"50.000000\":100,\"99.000000\":5000}"),
		      "are above the maximum", "read.clat_ns.mean", "read.clat_ns.p99");
	check_refused(CLAT("\"min\":50,\"max\":1000,\"mean\":100.0,\"stddev\":9.0,"
			   "\"percentile\":{\"50.000000\":10,\"99.000000\":500}"),
		      "are below the minimum", "read.clat_ns.mean", "read.clat_ns.p99");
	check_refused(CLAT("\"min\":1,\"max\":1000,\"mean\":100.0,\"stddev\":9.0,"
			   "\"percentile\":{\"50.000000\":100,\"99.000000\":90}"),
		      "do not ascend", "read.clat_ns.mean", "read.clat_ns.p50");
}

/* The old histogram, in us, ended a little earlier. */
static void test_old_saturation(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_dir(
		"\"fio version\":\"fio-2.17\",", "read",
		"\"io_bytes\":300,\"bw\":300,\"iops\":75.5,\"runtime\":1000,\"clat\":{\"min\":1,"
		"\"max\":40000000,\"mean\":9000000.0,\"stddev\":9.0,\"percentile\":{"
		"\"50.000000\":100,\"99.000000\":16711680}}");

	(void)state;
	assert_true(has_note(&got.results.items[0], NOTE_NUMBER_REFUSED,
			     "from 99 on are the end of the histogram"));
	assert_absent(job_given(&got), "read.clat_ns.p99");
	assert_given(job_given(&got), "read.clat_ns.p50", 100000);
}

static void test_moments_that_lie(void **state)
{
	(void)state;
	check_refused(CLAT("\"min\":9,\"max\":5,\"mean\":7.0,\"stddev\":1.0"),
		      "contradict each other", "read.clat_ns.mean", "read.clat_ns.max");
	check_refused(CLAT("\"min\":5,\"max\":9,\"mean\":70.0,\"stddev\":1.0"),
		      "lie outside minimum and maximum", "read.clat_ns.max", "read.clat_ns.mean");
	check_refused(CLAT("\"min\":5,\"max\":9,\"mean\":7.0,\"stddev\":100.0"),
		      "exceeds the range", "read.clat_ns.mean", "read.clat_ns.stddev");
	check_refused(CLAT("\"min\":5,\"max\":900000000000,\"mean\":7.0,\"stddev\":1.0"),
		      "last longer than the run", "read.clat_ns.mean", "read.clat_ns.max");
}

static void test_counters_that_lie(void **state)
{
	(void)state;
	check_refused(IO_300K ",\"short_ios\":18446744073709551615",
		      "short_ios 18446744073709551615 went below zero", "read.iops",
		      "read.short_ios");
	check_refused(IO_300K ",\"short_ios\":-3", "short_ios -3 is below zero", "read.iops",
		      "read.short_ios");
	check_refused(IO_300K ",\"bw_max\":5,\"bw_dev\":-nan", "bw_dev -nan is no number",
		      "read.bw_samples.max", "read.bw_samples.stddev");
	check_refused(IO_300K ",\"drop_ios\":1e999", "drop_ios 1e999 is out of range", "read.iops",
		      "read.drop_ios");
}

static void test_many_refused(void **state)
{
	CLEANUP(strbuf) struct strbuf members = STRBUF_INIT;
	CLEANUP(free) char *text = NULL;

	(void)state;
	for (int i = 0; i < 50; i++)
		strbuf_printf(&members, "{\"name\":\"sd%d\",\n\"read_ios\":-1},", i);
	text = xasprintf(
		"{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"j\",\"read\":{" IO_300K
		"}}],\"disk_util\":[%s]}",
		strbuf_str(&members));
	{
		CLEANUP(collect) struct collect got = collect_good(text);

		assert_true(has_note(&got.results.items[0], NOTE_NUMBER_REFUSED,
				     "30 more numbers like these"));
		assert_int_equal(got.results.items[0].notes.nr, 21);
	}
}

/* "mixed" of 0 over real data, and as a sum beside read and write. */
static void test_mixed(void **state)
{
	CLEANUP(collect)
	struct collect zero = collect_good(
		"{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"j\",\"read\":{" IO_300K
		"},\"mixed\":{\"io_bytes\":0,\"bw\":0,\"iops\":0.0,\"runtime\":0,"
		"\"total_ios\":0}}]}");
	CLEANUP(collect)
	struct collect both = collect_good(
		"{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"j\",\"read\":{" IO_300K
		"},\"write\":{" IO_300K "},\"mixed\":{" IO_300K "}}]}");
	CLEANUP(collect)
	struct collect alone = collect_dir("\"fio version\":\"fio-3.33\",", "mixed", IO_300K);

	(void)state;
	assert_given(job_given(&zero), "read.iops", 75.5);
	assert_absent(job_given(&zero), "mixed.iops");
	assert_given(&zero.results.items[0].given, "total.iops", 75.5);
	assert_absent(job_given(&both), "mixed.iops");
	assert_given(&both.results.items[0].given, "total.total_ios", 150);
	assert_given(job_given(&alone), "mixed.iops", 75.5);
	assert_given(&alone.results.items[0].given, "total.iops", 75.5);
}

/* ---- histograms ---- */

static void test_bins(void **state)
{
	CLEANUP(collect) struct collect got = collect_fixture("bins.json");
	struct job_result *job = &got.results.items[0].jobs[0];
	const struct latency *clat = &job->dir[IO_WRITE].latency[LATENCY_CLAT];
	static const double qs[] = { 50, 90, 99, 99.9 };

	(void)state;
	assert_non_null(clat->hist);
	assert_int_equal(clat->moments.n, 0); /* the sums are not known */
	assert_true((double)hist_total(clat->hist) == given_value(&job->given, "write.total_ios"));
	/* the percentiles of the histogram are the ones that fio computed */
	for (size_t i = 0; i < sizeof(qs) / sizeof(qs[0]); i++) {
		CLEANUP(free) char *name = xasprintf("write.lat_ns.p%.9g", qs[i]);

		assert_given(&job->given, name,
			     (double)hist_quantile(job->dir[IO_WRITE].latency[LATENCY_LAT].hist,
						   qs[i] / 100));
	}
	assert_non_null(job->dir[IO_READ].latency[LATENCY_SLAT].hist);
	assert_non_null(job->sync.hist);
	assert_true((double)hist_total(job->sync.hist) ==
		    given_value(&job->given, "sync.total_ios"));
	assert_null(job->dir[IO_TRIM].latency[LATENCY_CLAT].hist);
}

/* Until 2.21 bins have the number of the bucket, and the values are us. */
static void test_old_bins(void **state)
{
	CLEANUP(collect) struct collect got = collect_fixture("old-2.2.json");
	struct job_result *job = &got.results.items[0].jobs[0];
	const struct hist *hist = job->dir[IO_READ].latency[LATENCY_CLAT].hist;

	(void)state;
	assert_non_null(hist);
	assert_int_equal(hist_total(hist), 10);
	assert_int_equal(hist->counts[hist_index(90000)], 1);
	/* bucket 164: 2 * (64 + 36) + 1 = 201 us */
	assert_int_equal(hist->counts[hist_index(201000)], 4);
	assert_int_equal(hist->counts[hist_index(hist_value(225) * 1000)], 3);
	assert_given(&job->given, "read.clat_ns.p50", 201000);
	assert_string_equal(job->description, "typed after the source");
	assert_true(has_note(&got.results.items[0], NOTE_NUMBER_REFUSED,
			     "write_ticks 18446744073709551000 went below zero"));
	assert_given(&got.results.items[0].given, "disk.dm-0.aggr_write_merges", 0);
	assert_given(&got.results.items[0].given, "disk.sda.read_ios", 5);
	assert_absent(&got.results.items[0].given, "disk.dm-0.write_ticks_ms");
}

static void test_bad_bins(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_dir(
		"\"fio version\":\"fio-3.33\",", "read",
		CLAT("\"min\":1,\"max\":9,\"mean\":5.0,\"stddev\":1.0,\"bins\":{\"5\":3,\"x\":4,"
		     "\"7\":-1,\"99999999999999999999\":5,\"18446744073709551615\":2}"));
	const struct hist *hist = got.results.items[0].jobs[0].dir[0].latency[LATENCY_CLAT].hist;

	(void)state;
	assert_int_equal(hist_total(hist), 5);
	assert_int_equal(hist->counts[5], 3);
	assert_int_equal(hist->counts[HIST_NR_BUCKETS - 1], 2);
}

/* ---- jobs ---- */

static void test_phases(void **state)
{
	CLEANUP(collect) struct collect serial = collect_fixture("stonewall.json");
	CLEANUP(collect) struct collect parallel = collect_fixture("new-group.json");
	const struct result *result = &serial.results.items[0];

	(void)state;
	assert_int_equal(result->jobs[1].phase, 1);
	assert_given(&result->given, "total.runtime_ms",
		     given_value(&result->jobs[0].given, "read.runtime_ms") +
			     given_value(&result->jobs[1].given, "write.runtime_ms"));
	result = &parallel.results.items[0];
	assert_int_equal(result->jobs[1].group_id, 1);
	assert_int_equal(result->jobs[1].phase, 0);
	assert_true(given_value(&result->given, "total.runtime_ms") < 4500);
}

static struct collect collect_groups(const char *first_start, const char *second_start)
{
	CLEANUP(free)
	char *text = xasprintf(
		"{\"fio version\":\"fio-3.38\",\"jobs\":["
		"{\"jobname\":\"a\",\"groupid\":0,\"job_start\":%s,\"read\":{" IO_300K "}},"
		"{\"jobname\":\"b\",\"groupid\":1,\"job_start\":%s,\"read\":{" IO_300K "}}]}",
		first_start, second_start);

	return collect_good(text);
}

static void test_phases_by_start(void **state)
{
	CLEANUP(collect) struct collect serial = collect_groups("1700000000000", "1700000001005");
	CLEANUP(collect) struct collect parallel = collect_groups("1700000000000", "1700000000001");

	(void)state;
	assert_int_equal(serial.results.items[0].jobs[1].phase, 1);
	assert_int_equal(parallel.results.items[0].jobs[1].phase, 0);
	assert_true(serial.results.items[0].started_at_unix_ms == 1700000000000);
}

/* What 3.42 prints of options without a value. */
static void test_phases_by_option(void **state)
{
	static const char form[] =
		"{\"fio version\":\"fio-3.42\",\"jobs\":[{\"jobname\":\"a\",\"groupid\":0,"
		"\"elapsed\":%d,\"read\":{" IO_300K "}},{\"jobname\":\"b\",\"groupid\":1,"
		"\"elapsed\":%d,\"job options\":{\"%s\":\"\"},\"read\":{" IO_300K "}}]}";
	CLEANUP(free) char *wall = xasprintf(form, 3, 3, "stonewall");
	CLEANUP(free) char *group = xasprintf(form, 3, 3, "new_group");
	CLEANUP(collect) struct collect serial = collect_good(wall);
	CLEANUP(collect) struct collect parallel = collect_good(group);

	(void)state;
	assert_int_equal(serial.results.items[0].jobs[1].phase, 1);
	assert_int_equal(parallel.results.items[0].jobs[1].phase, 0);
}

static void test_options(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_good(
		"{\"fio version\":\"fio-3.33\",\"global options\":{\"ioengine\":\"libaio\","
		"\"filename\":\"/dev/sda\",\"filename\":\"/dev/sda\",\"bs\":\"64k\"},"
		"\"jobs\":[{\"jobname\":\"a\",\"job "
		"options\":{\"rw\":\"randrw\",\"bs\":\"4k,8k-16k\","
		"\"iodepth\":\"32\",\"numjobs\":\"4\"},\"read\":{" IO_300K "}},"
		"{\"jobname\":\"b\",\"job options\":{\"numjobs\":\"2\"},\"read\":{" IO_300K "}},"
		"{\"jobname\":\"b\",\"job options\":{\"numjobs\":\"2\"},\"read\":{" IO_300K "}}]}");
	const struct result *result = &got.results.items[0];
	const struct job_result *job = &result->jobs[0];

	(void)state;
	assert_string_equal(result->env[0].key, "job.ioengine");
	assert_string_equal(result_env(result, "job.bs"), "64k");
	assert_string_equal(result_env(result, "job[a].bs"), "4k,8k-16k");
	assert_string_equal(result_env(result, "job[b].numjobs"), "2");
	assert_int_equal(result->nr_env, 8); /* clones say it once */
	assert_string_equal(result->env[1].value, "/dev/sda");
	assert_int_equal(job->nr_options, 4);
	assert_string_equal(job->rw, "randrw");
	assert_string_equal(job->ioengine, "libaio");
	assert_int_equal(job->iodepth, 32);
	assert_int_equal(job->nr_clones, 4);
	assert_int_equal(job->bs_min_bytes[IO_READ], 4096);
	assert_int_equal(job->bs_max_bytes[IO_READ], 4096);
	assert_int_equal(job->bs_min_bytes[IO_WRITE], 8192);
	assert_int_equal(job->bs_max_bytes[IO_TRIM], 16384);
	/* fio's defaults, the global size of blocks, an entry for each clone */
	job = &result->jobs[1];
	assert_string_equal(job->rw, "read");
	assert_int_equal(job->iodepth, 1);
	assert_int_equal(job->bs_min_bytes[IO_READ], 65536);
	assert_int_equal(job->nr_clones, 1);
}

static void test_job_error(void **state)
{
	CLEANUP(collect) struct collect got = collect_fixture("no-space.json");
	const struct result *result = &got.results.items[0];

	(void)state;
	assert_int_equal(result->jobs[0].error, 28);
	assert_true(has_note(result, NOTE_JOB_ERROR, "job 'full' ended with error 28"));
	assert_int_equal(result->source_line, 2); /* fio's message stands above it */
}

static void test_client(void **state)
{
	CLEANUP(collect) struct collect got = collect_fixture("client.json");
	const struct result *result = &got.results.items[0];
	double sum = 0;

	(void)state;
	assert_int_equal(got.results.nr, 1);
	assert_int_equal(result->nr_jobs, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(result->jobs[i].name, "a");
		sum += given_value(&result->jobs[i].given, "read.total_ios");
	}
	assert_given(&result->given, "read.total_ios", sum);
	assert_given(&result->given, "total.total_ios", sum);
	assert_true(has_note(result, NOTE_INPUT_AMBIGUOUS, "'All clients' is the sum of the 2"));
}

/* Its sum over groups that ran one after the other has rates that never were. */
static void test_client_groups(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_good(
		"{\"fio version\":\"fio-3.33\",\"client_stats\":["
		"{\"jobname\":\"a\",\"groupid\":0,\"read\":{" IO_300K "}},"
		"{\"jobname\":\"b\",\"groupid\":1,\"read\":{" IO_300K "}},"
		"{\"jobname\":\"All clients\",\"groupid\":1,\"read\":{\"io_bytes\":614400,"
		"\"bw\":600,\"iops\":151.0,\"runtime\":1000,\"total_ios\":150,"
		"\"clat_ns\":{\"min\":1,\"max\":9,\"mean\":4.0,\"stddev\":1.0}}}],"
		"\"disk_util\":[{\"name\":\"sda\",\"read_ios\":4,\"hostname\":\"n1\"},"
		"{\"name\":\"sda\",\"read_ios\":5,\"hostname\":\"n2\"}]}");
	const struct given_list *given = &got.results.items[0].given;

	(void)state;
	assert_int_equal(got.results.items[0].nr_jobs, 2);
	assert_given(given, "read.iops", 75);
	assert_absent(given, "read.clat_ns.mean");
	assert_given(given, "disk.n1:sda.read_ios", 4);
	assert_given(given, "disk.n2:sda.read_ios", 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_io_bytes),
		cmocka_unit_test(test_unknown_version),
		cmocka_unit_test(test_bandwidth),
		cmocka_unit_test(test_iops),
		cmocka_unit_test(test_latency_units),
		cmocka_unit_test(test_not_measured),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_percentiles_that_lie),
		cmocka_unit_test(test_old_saturation),
		cmocka_unit_test(test_moments_that_lie),
		cmocka_unit_test(test_counters_that_lie),
		cmocka_unit_test(test_many_refused),
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_bins),
		cmocka_unit_test(test_old_bins),
		cmocka_unit_test(test_bad_bins),
		cmocka_unit_test(test_phases),
		cmocka_unit_test(test_phases_by_start),
		cmocka_unit_test(test_phases_by_option),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_job_error),
		cmocka_unit_test(test_client),
		cmocka_unit_test(test_client_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
