/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio's normal output of old versions, its rare lines, and numbers that cannot be true. */
#include "collect.h"

static const struct given_list *first_job(const struct collect *got)
{
	assert_int_equal(got->results.nr, 1);
	assert_true(got->results.items[0].nr_jobs > 0);
	return &got->results.items[0].jobs[0].given;
}

/* ---- versions ---- */

static const char version_2_0[] =
	"old: (g=0): rw=randrw, bs=8K-16K/4K-4K, ioengine=libaio, iodepth=4\n"
	"fio 2.0.8\n"
	"Starting 1 process\n"
	"\n"
	"old: (groupid=0, jobs=1): err= 0: pid=4711\n"
	"  read : io=1024.0MB, bw=2048.5KB/s, iops=256 , runt=511875msec\n"
	"    slat (usec): min=5 , max=900 , avg=20.50, stdev= 3.25\n"
	"    clat (msec): min=1 , max=250 , avg=12.50, stdev=10.00\n"
	"     lat (msec): min=1 , max=251 , avg=12.52, stdev=10.00\n"
	"    clat percentiles (msec):\n"
	"     |  1.00th=[    2],  5.00th=[    3], 50.00th=[   10], 99.00th=[   70],\n"
	"     | 99.99th=[  240]\n"
	"    bw (KB/s)  : min=  145, max= 4096, per=100.00%, avg=2050.00, stdev=53.33\n"
	"  write: io=1.5GB, bw=3.1MB/s, iops=794 , runt=511870msec\n"
	"    clat (usec): min=50 , max=2029.2K, avg=800.00, stdev=90.00\n"
	"    lat (usec) : 100=0.50%, 250=1.25%, 500=10.00%\n"
	"    lat (msec) : 2=3.00%, >=2000=0.01%\n"
	"  cpu          : usr=0.25%, sys=0.75%, ctx=1000, majf=0, minf=25\n"
	"  IO depths    : 1=0.1%, 2=0.1%, 4=99.9%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%\n"
	"     submit    : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
	"     complete  : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%\n"
	"     issued    : total=r=131072/w=393216/d=0, short=r=1/w=0/d=0\n"
	"\n"
	"Run status group 0 (all jobs):\n"
	"   READ: io=1024.0MB, aggrb=2048KB/s, minb=2048KB/s, maxb=2048KB/s, "
	"mint=511875msec, maxt=511875msec\n"
	"  WRITE: io=1.5GB, aggrb=3145KB/s, minb=3145KB/s, maxb=3145KB/s, "
	"mint=511870msec, maxt=511870msec\n";

static void test_version_2_0(void **state)
{
	CLEANUP(collect) struct collect got = collect_good(version_2_0);
	const struct given_list *given = first_job(&got);
	const struct job_result *job = &got.results.items[0].jobs[0];

	(void)state;
	assert_string_equal(got.results.items[0].tool_version, "2.0.8");
	assert_int_equal(job->bs_min_bytes[IO_READ], 8192);
	assert_int_equal(job->bs_max_bytes[IO_READ], 16384);
	assert_int_equal(job->bs_min_bytes[IO_WRITE], 4096);
	assert_int_equal(job->bs_min_bytes[IO_TRIM], 0);
	assert_given(given, "read.iops", 256);
	assert_given(given, "read.bw_bytes_per_sec", 2048.5 * 1024);
	assert_given(given, "read.io_bytes", 1024. * 1048576);
	assert_given(given, "read.runtime_ms", 511875);
	assert_given(given, "read.slat_ns.mean", 20500);
	assert_given(given, "read.clat_ns.max", 250e6);
	assert_given(given, "read.clat_ns.p50", 10e6);
	assert_given(given, "read.clat_ns.p99.99", 240e6);
	assert_given(given, "read.bw_samples.min", 145 * 1024);
	assert_given(given, "write.io_bytes", 1.5 * 1024 * 1048576);
	assert_given(given, "write.bw_bytes_per_sec", 3.1 * 1048576);
	assert_given(given, "write.clat_ns.max", 2029.2e6);
	assert_given(given, "latency.ge2000ms_percent", 0.01);
	assert_given(given, "latency.250us_percent", 1.25);
	assert_given(given, "read.total_ios", 131072);
	assert_given(given, "write.total_ios", 393216);
	assert_given(given, "read.short_ios", 1);
	assert_absent(given, "trim.total_ios");
	assert_absent(given, "read.drop_ios");
	/* "pid=4711" without a date, nothing missing. */
	assert_false(has_note(&got.results.items[0], NOTE_INPUT_INCOMPLETE, ""));
	assert_given(&got.results.items[0].given, "read.bw_bytes_per_sec", 2048.5 * 1024);
}

/* Until 2.16 the prefixes were K M G P E. */
/* Not a version: nothing stands between the name and the number. */
static void test_version_glued_to_its_name(void **state)
{
	CLEANUP(collect)
	struct collect got =
		collect_good("fio53.33\n"
			     "Starting 1 process\n"
			     "glued: (groupid=0, jobs=1): err= 0: pid=4711\n"
			     "  read: IOPS=100, BW=400KiB/s (410kB/s)(4000KiB/10000msec)\n");

	(void)state;
	assert_given(first_job(&got), "read.iops", 100);
	assert_null(got.results.items[0].tool_version);
}

static void test_tera_was_called_p(void **state)
{
	CLEANUP(collect)
	struct collect got =
		collect_good("big: (groupid=0, jobs=1): err= 0: pid=1: date\n"
			     "  read : io=1.5PB, bw=2.5GB/s, iops=9 , runt=  5000msec\n");

	(void)state;
	assert_given(first_job(&got), "read.io_bytes", 1.5 * 1099511627776.);
	assert_given(first_job(&got), "read.bw_bytes_per_sec", 2.5 * 1073741824.);
	assert_given(first_job(&got), "read.runtime_ms", 5000);
}

static void test_version_2_17(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_good(
		"job: (g=0): rw=write, bs=(R) 4096B-4096B, (W) 4096B-8192B, (T) 4096B-4096B, "
		"ioengine=sync, iodepth=1\n"
		"fio-2.21\n"
		"job: (groupid=0, jobs=1): err= 0: pid=1: Mon Jan  2 10:00:00 2017\n"
		"  write: IOPS=12.5k, BW=48.8MiB/s (51.2MB/s)(488MiB/10001msec)\n"
		"    clat (usec): min=2, max=9, avg= 3.50, stdev= 1.00\n"
		"    bw (  KiB/s): min=40000, max=50000, per=0.10%, avg=49000.50, stdev=100.25\n"
		"     issued rwt: total=0,125000,0, short=0,2,0, dropped=0,0,0\n"
		"     latency   : target=0, window=0, percentile=100.00%, depth=1\n");
	const struct given_list *given = first_job(&got);

	(void)state;
	assert_given(given, "write.iops", 12500);
	assert_given(given, "write.bw_bytes_per_sec", 48.8 * 1048576);
	assert_given(given, "write.io_bytes", 488. * 1048576);
	assert_given(given, "write.total_ios", 125000);
	assert_given(given, "write.short_ios", 2);
	assert_given(given, "write.drop_ios", 0);
	assert_absent(given, "read.total_ios");
	assert_absent(given, "sync.total_ios");
	assert_given(given, "write.bw_samples.mean", 49000.5 * 1024);
	assert_absent(given, "write.bw_samples.nr");
	assert_int_equal(got.results.items[0].jobs[0].bs_max_bytes[IO_WRITE], 8192);
}

static void test_priorities_of_3_18(void **state)
{
	CLEANUP(collect)
	struct collect got =
		collect_good("job: (groupid=0, jobs=1): err= 0: pid=1: Mon Jan  2 10:00:00 2017\n"
			     "  read: IOPS=100, BW=400KiB/s (410kB/s)(4000KiB/10000msec)\n"
			     "    clat (usec): min=3, max=90, avg=13.50, stdev= 2.00\n"
			     "    high prio_clat (usec): min=3, max=50, avg= 9.50, stdev= 1.00\n"
			     "    low prio_clat (usec): min=4, max=90, avg=14.50, stdev= 2.50\n"
			     "    clat percentiles (usec):\n"
			     "     | 99.00th=[   80]\n"
			     "    high prio_clat (20.00% of IOs) percentiles (usec):\n"
			     "     | 99.00th=[   45]\n"
			     "    low prio_clat (80.00% of IOs) percentiles (usec):\n"
			     "     | 99.00th=[   85]\n");
	const struct given_list *given = first_job(&got);

	(void)state;
	assert_given(given, "read.clat_ns.mean", 13500);
	assert_given(given, "read.clat_ns.p99", 80000);
	assert_given(given, "read.clat_prio_high_ns.mean", 9500);
	assert_given(given, "read.clat_prio_high_ns.p99", 45000);
	assert_given(given, "read.clat_prio_low_ns.p99", 85000);
}

static void test_disk_lines_of_3_36(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_good(
		"Run status group 0 (all jobs):\n"
		"   READ: bw=1MiB/s (1MB/s), 1MiB/s-1MiB/s (1MB/s-1MB/s), io=1MiB (1MB), "
		"run=1000-1000msec\n"
		"\n"
		"Disk stats (read/write):\n"
		"    md0: ios=200/40, sectors=1600/320, merge=1/2, ticks=30/40, in_queue=70, "
		"util=50.00%, aggrios=100/20, aggsectors=800/160, aggrmerge=3/4, aggrticks=15/20, "
		"aggrin_queue=35, aggrutil=48.50%\n"
		"  sdb: ios=100/20, sectors=800/160, merge=0/0, ticks=15/20, in_queue=35, "
		"util=48.50%\n");
	const struct given_list *given = &got.results.items[0].given;

	(void)state;
	assert_given(given, "disk.md0.read_ios", 200);
	assert_given(given, "disk.md0.write_bytes", 320 * 512);
	assert_given(given, "disk.md0.aggr_read_ios", 100);
	assert_given(given, "disk.md0.aggr_read_bytes", 800 * 512);
	assert_given(given, "disk.md0.aggr_write_merges", 4);
	assert_given(given, "disk.md0.in_queue_ms", 70);
	assert_given(given, "disk.md0.aggr_util_percent", 48.5);
	assert_given(given, "disk.sdb.util_percent", 48.5);
	assert_absent(given, "disk.sdb.aggr_read_ios");
}

/* ---- numbers that lie ---- */

#define ENTRY "job: (groupid=0, jobs=1): err= 0: pid=1: Mon Jan  2 10:00:00 2017\n"
#define READ_10_S "  read: IOPS=100, BW=400KiB/s (410kB/s)(4000KiB/10000msec)\n"

static void assert_lie(const char *lines, const char *absent, const char *note)
{
	CLEANUP(free) char *text = xasprintf(ENTRY READ_10_S "%s", lines);
	CLEANUP(collect) struct collect got = collect_good(text);

	assert_absent(first_job(&got), absent);
	assert_absent(&got.results.items[0].given, absent);
	if (!has_note(&got.results.items[0], NOTE_NUMBER_REFUSED, note))
		fail_msg("no note '%s'", note);
	assert_given(first_job(&got), "read.iops", 100);
}

static void test_latencies_that_lie(void **state)
{
	(void)state;
	assert_lie("    clat (usec): min=9, max=3, avg= 5.00, stdev= 1.00\n", "read.clat_ns.min",
		   "contradict");
	assert_lie("    clat (usec): min=1, max=9, avg=50.00, stdev= 1.00\n", "read.clat_ns.mean",
		   "outside");
	assert_lie("    clat (usec): min=1, max=9, avg=50.00, stdev= 1.00\n", "read.clat_ns.stddev",
		   "belongs");
	assert_lie("    clat (usec): min=1, max=9, avg= 5.00, stdev=99.00\n", "read.clat_ns.stddev",
		   "range");
	assert_lie("    clat (msec): min=1, max=900M, avg= 5.00, stdev= 9.00\n", "read.clat_ns.max",
		   "longer than the run");
	assert_lie("    clat (usec): min=1, max=9, avg=-nan, stdev= 1.00\n", "read.clat_ns.mean",
		   "no time");
	assert_lie("    clat (usec): min=1, max=9, avg= 5.00, stdev= 1.00\n"
		   "     lat (usec): min=1, max=800K, avg=300K, stdev= 100K\n",
		   "read.lat_ns.mean",
		   "mean 300ms do not fit slat and clat; stddev 100ms belongs to such a mean");
}

static void test_percentiles_that_lie(void **state)
{
#define CLAT "    clat (usec): min=10, max=900, avg=100.00, stdev=50.00\n"
	(void)state;
	assert_lie(CLAT "    clat percentiles (usec):\n"
			"     | 50.00th=[   90], 99.00th=[   80], 99.90th=[  800]\n",
		   "read.clat_ns.p50", "do not ascend");
	assert_lie(CLAT "    clat percentiles (usec):\n"
			"     | 50.00th=[   90], 99.00th=[ 1800]\n",
		   "read.clat_ns.p99", "above the maximum");
	assert_lie(CLAT "    clat percentiles (usec):\n"
			"     | 50.00th=[    3], 99.00th=[  500]\n",
		   "read.clat_ns.p50", "below the minimum");
	/* 99 % of all are at most 20 us and the rest 900: the mean is below 29. */
	assert_lie(CLAT "    clat percentiles (usec):\n"
			"     | 50.00th=[   15], 99.00th=[   20]\n",
		   "read.clat_ns.p99", "too low for the mean");
	assert_lie("    clat (msec): min=10, max=25000, avg=9000.00, stdev=5000.00\n"
		   "    clat percentiles (msec):\n"
		   "     | 50.00th=[ 9000], 90.00th=[17113], 99.00th=[17113]\n",
		   "read.clat_ns.p90", "end of the histogram");
	assert_lie("    clat (msec): min=10, max=25000, avg=9000.00, stdev=5000.00\n"
		   "    clat percentiles (msec):\n"
		   "     | 50.00th=[ 9000], 99.00th=[16712]\n",
		   "read.clat_ns.p99", "end of the histogram");
#undef CLAT
}

/* Each line is read in its own unit. */
static void test_units_differ(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_good(
		ENTRY READ_10_S "    clat (msec): min=1, max=192, avg= 1.90, stdev= 1.48\n"
				"    clat percentiles (usec):\n"
				"     | 50.00th=[ 1768], 99.00th=[ 2256], 99.99th=[44800]\n");

	(void)state;
	assert_given(first_job(&got), "read.clat_ns.mean", 1.9e6);
	assert_given(first_job(&got), "read.clat_ns.p99", 2256e3);
	assert_false(has_note(&got.results.items[0], NOTE_NUMBER_REFUSED, ""));
}

static void test_counters_that_lie(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_good(
		ENTRY READ_10_S
		"   bw (  KiB/s): min=1, max=9, per=-2147483648.00%, avg= 5.00, stdev= 1.00, "
		"samples=3\n"
		"     issued rwts: total=1000,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n"
		"\n"
		"Run status group 0 (all jobs):\n"
		"   READ: bw=400KiB/s (410kB/s), 400KiB/s-400KiB/s (410kB/s-410kB/s), "
		"io=4000KiB (4096kB), run=10000-10000msec\n"
		"\n"
		"Disk stats (read/write):\n"
		"  sda: ios=5/6, merge=0/0, ticks=18446744073709551000/3, "
		"in_queue=18446744073709551615, util=1.00%\n");
	const struct result *result = &got.results.items[0];

	(void)state;
	assert_true(has_note(result, NOTE_NUMBER_REFUSED, "per=-2147483648.00%"));
	assert_true(has_note(result, NOTE_NUMBER_REFUSED, "disk.sda.read_ticks_ms"));
	assert_true(has_note(result, NOTE_NUMBER_REFUSED, "disk.sda.in_queue_ms"));
	assert_absent(&result->given, "disk.sda.read_ticks_ms");
	assert_absent(&result->given, "disk.sda.in_queue_ms");
	assert_given(&result->given, "disk.sda.write_ticks_ms", 3);
	assert_given(&result->given, "disk.sda.read_ios", 5);
	assert_given(&result->given, "read.bw_samples.mean", 5 * 1024);
}

static void test_negative_rates(void **state)
{
	CLEANUP(collect)
	struct collect got =
		collect_good(ENTRY "  read: IOPS=-5, BW=-400KiB/s (410kB/s)(4000KiB/10000msec)\n"
				   "  write: IOPS=7, BW=28.0KiB/s (28.7kB/s)(280KiB/10000msec)\n");

	(void)state;
	assert_absent(first_job(&got), "read.iops");
	assert_absent(first_job(&got), "read.bw_bytes_per_sec");
	assert_given(first_job(&got), "write.iops", 7);
	assert_true(has_note(&got.results.items[0], NOTE_NUMBER_REFUSED, "read.iops"));
}

/* ---- which lines are one run ---- */

#define JOB_LINES(pid, iops)                                                                       \
	"job: (groupid=0, jobs=1): err= 0: pid=" pid ": Mon Jan  2 10:00:00 2017\n"                \
	"  read: IOPS=" iops ", BW=400KiB/s (410kB/s)(4000KiB/10000msec)\n"                        \
	"     issued rwts: total=" iops "0,0,0,0 short=0,0,0,0 dropped=0,0,0,0\n"
#define GROUP_LINES                                                                                \
	"\nRun status group 0 (all jobs):\n"                                                       \
	"   READ: bw=400KiB/s (410kB/s), 400KiB/s-400KiB/s (410kB/s-410kB/s), io=4000KiB "         \
	"(4096kB), run=10000-10000msec\n"

static void test_runs_without_heads(void **state)
{
	CLEANUP(collect)
	struct collect apart =
		collect_good(JOB_LINES("1", "100") GROUP_LINES JOB_LINES("2", "200") GROUP_LINES);
	CLEANUP(collect)
	struct collect prose =
		collect_good("base:\n" JOB_LINES("1", "100") "\nnew:\n" JOB_LINES("1", "200"));
	CLEANUP(collect)
	struct collect reports = collect_good(JOB_LINES("1", "100") GROUP_LINES "\n" JOB_LINES(
		"1", "200") GROUP_LINES "\n" JOB_LINES("1", "300") GROUP_LINES);

	(void)state;
	assert_int_equal(apart.results.nr, 2);
	assert_given(&apart.results.items[1].given, "read.iops", 200);
	assert_int_equal(prose.results.nr, 2);
	assert_string_equal(prose.results.items[1].label, "new");
	assert_int_equal(reports.results.nr, 1);
	assert_int_equal(reports.results.items[0].nr_jobs, 1);
	assert_given(&reports.results.items[0].given, "read.iops", 300);
	assert_true(has_note(&reports.results.items[0], NOTE_INPUT_AMBIGUOUS, "2 status reports"));
}

/* Lines of a job below a finished run belong to another one, whose head is missing. */
static void test_fragment_below_a_run(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_good(JOB_LINES("1", "100") GROUP_LINES READ_10_S);

	(void)state;
	assert_int_equal(got.results.nr, 2);
	assert_given(&got.results.items[0].given, "read.total_ios", 1000);
	assert_given(&got.results.items[1].given, "read.iops", 100);
	assert_absent(&got.results.items[1].given, "read.total_ios");
}

/* Groups run one after the other. */
static void test_two_groups(void **state)
{
	CLEANUP(free) char *text = source_text("tests/data/import/fio-text/two-groups.txt");
	CLEANUP(collect) struct collect got = collect_good(text);
	const struct result *result = &got.results.items[0];
	double first_ms = given_value(&result->jobs[0].given, "read.runtime_ms");
	double second_ms = given_value(&result->jobs[1].given, "write.runtime_ms");

	(void)state;
	assert_given(&result->given, "read.runtime_ms", first_ms);
	assert_given(&result->given, "write.runtime_ms", second_ms);
	assert_given(&result->given, "total.runtime_ms", first_ms + second_ms);
}

/* What a client says of all its servers is no job of its own. */
static void test_sum_of_a_client(void **state)
{
	CLEANUP(free) char *text = source_text("tests/data/import/fio-text/client.txt");
	CLEANUP(collect) struct collect got = collect_good(text);
	const struct result *result = &got.results.items[0];

	(void)state;
	assert_int_equal(got.results.nr, 1);
	assert_int_equal(result->nr_jobs, 2);
	assert_given(&result->given, "total.total_ios", 2 * 16384);
	assert_given(&result->given, "read.total_ios", 16384);
	assert_true(has_note(result, NOTE_INPUT_AMBIGUOUS, "'All clients' is the sum of the 2"));
	assert_string_equal(result->tool_version, "3.33");
}

static void test_group_lines_alone(void **state)
{
	CLEANUP(collect) struct collect got = collect_good("a:\n" GROUP_LINES "\nb:\n" GROUP_LINES);

	(void)state;
	assert_int_equal(got.results.nr, 2);
	assert_int_equal(got.results.items[0].nr_jobs, 0);
	assert_given(&got.results.items[0].given, "read.bw_bytes_per_sec", 400 * 1024);
	assert_given(&got.results.items[0].given, "read.io_bytes", 4000 * 1024);
	assert_given(&got.results.items[1].given, "total.runtime_ms", 10000);
	assert_absent(&got.results.items[0].given, "read.iops");
	assert_string_equal(got.results.items[1].label, "b");
}

/* A line says all of its direction by itself; a second one of it is of another run. */
#define BARE(dir, kib)                                                                             \
	"  " dir ": bw=" kib "KiB/s (1kB/s), 1KiB/s-1KiB/s (1kB/s-1kB/s), io=4000KiB (4096kB), "   \
	"run=10000-10000msec\n"

static void test_lines_without_a_group(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_good("old kernel:\n" BARE("READ", "400") BARE(
		"WRITE", "90") BARE("READ", "410") "new kernel:\n" BARE("READ", "300"));

	(void)state;
	assert_int_equal(got.results.nr, 3);
	assert_given(&got.results.items[0].given, "read.bw_bytes_per_sec", 400 * 1024);
	assert_given(&got.results.items[0].given, "write.bw_bytes_per_sec", 90 * 1024);
	assert_given(&got.results.items[0].given, "read.runtime_ms", 10000);
	assert_given(&got.results.items[1].given, "read.bw_bytes_per_sec", 410 * 1024);
	assert_string_equal(got.results.items[1].label, "old kernel");
	assert_string_equal(got.results.items[2].label, "new kernel");
}

static void test_names_with_odd_characters(void **state)
{
	static const char *const names[] = { "a b", "qd=32", "4k read", "x: y", "(all)", "a,b" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CLEANUP(free)
		char *text = xasprintf("%s: (g=0): rw=read, bs=4K-4K/4K-4K, "
				       "ioengine=sync, iodepth=1\nfio-2.1\n\n"
				       "%s: (groupid=0, jobs=1): err= 0: pid=5: date\n"
				       "  read : io=4KB, bw=4KB/s, iops=1, "
				       "runt=  1000msec\n",
				       names[i], names[i]);
		CLEANUP(collect) struct collect got = collect_good(text);

		(void)first_job(&got);
		assert_string_equal(got.results.items[0].jobs[0].name, names[i]);
		assert_string_equal(got.results.items[0].jobs[0].rw, "read");
	}
}

#define HEAD                                                                                       \
	"x: (g=0): rw=write, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, "               \
	"ioengine=psync, iodepth=1\n"                                                              \
	"fio-3.33\n"                                                                               \
	"Starting 1 process\n"

/* A job that could not open its file has no entry, only a message. */
static void test_job_that_could_not_begin(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_good(
		HEAD "fio: pid=0, err=1/file:filesetup.c:150, func=unlink, error=Operation not "
		     "permitted\n\n\nRun status group 0 (all jobs):\n");
	const struct result *result = &got.results.items[0];

	(void)state;
	assert_int_equal(got.results.nr, 1);
	assert_int_equal(result->nr_jobs, 1);
	assert_string_equal(result->jobs[0].name, "x");
	assert_int_equal(result->jobs[0].error, 1);
	assert_non_null(strstr(result->jobs[0].error_where, "Operation not permitted"));
	assert_int_equal(result->given.nr, 0);
	assert_true(has_note(result, NOTE_JOB_ERROR, "'x' could not begin"));
}

/* fio says err= 0 of a worker that was killed. */
static void test_job_that_was_killed(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_good(
		HEAD "fio: pid=77, got signal=9\n\n" JOB_LINES("77", "100") GROUP_LINES);

	(void)state;
	assert_given(first_job(&got), "read.iops", 100);
	assert_true(has_note(&got.results.items[0], NOTE_JOB_ERROR, "got signal=9"));
}

/* Half a table is what it is, with a note; only its head is nothing. */
static void test_half_a_table(void **state)
{
	CLEANUP(collect)
	struct collect got = collect_good(
		ENTRY READ_10_S "    clat (usec): min=10, max=900, avg=100.00, stdev=50.00\n"
				"    clat percentiles (usec):\n"
				"     | 50.00th=[   90], 90.00th=[  1");

	(void)state;
	assert_given(first_job(&got), "read.clat_ns.p50", 90e3);
	assert_absent(first_job(&got), "read.clat_ns.p90");
	assert_true(has_note(&got.results.items[0], NOTE_INPUT_INCOMPLETE, "last lines"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_version_2_0),
		cmocka_unit_test(test_version_glued_to_its_name),
		cmocka_unit_test(test_tera_was_called_p),
		cmocka_unit_test(test_version_2_17),
		cmocka_unit_test(test_priorities_of_3_18),
		cmocka_unit_test(test_disk_lines_of_3_36),
		cmocka_unit_test(test_latencies_that_lie),
		cmocka_unit_test(test_percentiles_that_lie),
		cmocka_unit_test(test_units_differ),
		cmocka_unit_test(test_counters_that_lie),
		cmocka_unit_test(test_negative_rates),
		cmocka_unit_test(test_runs_without_heads),
		cmocka_unit_test(test_fragment_below_a_run),
		cmocka_unit_test(test_two_groups),
		cmocka_unit_test(test_sum_of_a_client),
		cmocka_unit_test(test_group_lines_alone),
		cmocka_unit_test(test_lines_without_a_group),
		cmocka_unit_test(test_names_with_odd_characters),
		cmocka_unit_test(test_job_that_could_not_begin),
		cmocka_unit_test(test_job_that_was_killed),
		cmocka_unit_test(test_half_a_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
