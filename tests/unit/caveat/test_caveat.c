/* SPDX-License-Identifier: GPL-2.0-or-later */
/* caveats: each is told when its cause is there, just above its limit, and not just below. */
#include "caveat/caveat.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/rng.h"
#include "planted.h"
#include "test.h"

static void test_table_is_complete(void **state)
{
	(void)state;
	for (size_t i = 0; caveat_table()[i]; i++) {
		const struct caveat *caveat = caveat_table()[i];

		assert_non_null(caveat->check);
		assert_ptr_equal(caveat_find(caveat->id), caveat); /* no second one of the kind */
		assert_true(note_kind(caveat->id)->is_of_run);
	}
	assert_null(caveat_find(NOTE_JOB_ERROR));
}

static void test_clean_results(void **state)
{
	CLEANUP(result) struct result clean = { .label = NULL };
	CLEANUP(result) struct result idle = { .label = NULL };
	CLEANUP(result) struct result imported = { .label = NULL };

	(void)state;
	planted_result(&clean);
	assert_silent(&clean);
	planted_idle(&idle);
	assert_silent(&idle);
	/* of which nothing is known */
	result_add_job(&imported)->dir[IO_READ].io_bytes = 1U << 30;
	assert_silent(&imported);
}

/* One thing that a monitor saw. */
static const struct {
	const char *metric;
	double below, above; /* the limit */
	enum note_id id;
	const char *part;
} seen_rows[] = {
	{ "mpstat.cpu.all.steal%", 0.9, 1.2, NOTE_CPU_STEAL, "1.2 % of the CPU time" },
	{ "vmstat.swap.so", 3.9, 512, NOTE_SWAP, "paging: 0 KiB/s in, 512 KiB/s out" },
	{ "vmstat.memory.swpd", 700e3, 900e3, NOTE_SWAP, "879 MiB of swap are in use" },
	{ "thermal.core_throttle_count", 0, 3, NOTE_THROTTLED, "3 times" },
	{ "thermal.package_throttle_count", 0, 2, NOTE_THROTTLED, "2 times" },
	{ "iostat.sda.d/s", 0.9, 47, NOTE_DISCARD, "47 discards a second" },
	{ "monitor.cpu%", 0.9, 2.5, NOTE_MONITOR_COST, "2.5 % of a CPU" },
	{ "filesystem.used%", 89.9, 93, NOTE_FILESYSTEM_FULL, "93 % full" },
	{ "iostat.sda.rkB/s", 405e3, 440e3, NOTE_OTHER_IO, "9 % of the bytes at the disk" },
	{ "iostat.sda.wkB/s", 9e3, 50e3, NOTE_OTHER_IO, "11 % of the bytes at the disk" },
	{ "vmstat.memory.free", 0, NAN, NOTE_UNWATCHED, "nothing watched for: paging" },
};

static void test_what_monitors_saw(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(seen_rows) / sizeof(seen_rows[0]); i++) {
		CLEANUP(result) struct result silent = { .label = NULL };
		CLEANUP(result) struct result loud = { .label = NULL };

		planted_result(&silent);
		plant_seen(&silent, seen_rows[i].metric, seen_rows[i].below);
		assert_silent(&silent);
		planted_result(&loud);
		plant_seen(&loud, seen_rows[i].metric, seen_rows[i].above);
		assert_only_note(&loud, seen_rows[i].id, seen_rows[i].part);
	}
}

/* One fact of the environment. */
static const struct {
	const char *key, *silent, *loud;
	enum note_id id;
	const char *part;
} fact_rows[] = {
	{ "cpu.governor", "userspace", "schedutil", NOTE_GOVERNOR, "is schedutil" },
	{ "cpu.governor", "performance", "performance (4), powersave (4)", NOTE_GOVERNOR, "(4)" },
	{ "disk.sda.queue.zoned", "none", "host-managed", NOTE_ODD_DEVICE, "sda is a zoned disk" },
	{ "disk.dm-0.dm.table", "0 2048 linear 8:0 0", "0 2048 thin 254:3 1", NOTE_ODD_DEVICE,
	  "dm-0 is thinly provisioned" },
	{ "disk.dm-0.dm.table", "0 2048 striped 2 8:0 0", "0 2048 vdo V4 /dev/sdb 4096",
	  NOTE_ODD_DEVICE, "dm-0 compresses" },
	{ "disk.sda.kind", "nvme", "zram", NOTE_ODD_DEVICE, "sda is memory, compressed" },
	{ "fs.1.options", "rw,compress-force=none", "rw,compress=zstd:3,ssd", NOTE_ODD_DEVICE,
	  "the filesystem compresses: compress=zstd:3" },
	{ "disk.loop0.loop.direct_io", "1", "0", NOTE_SMALL_REGION, "loop0 keeps its file in" },
};

static void test_facts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(fact_rows) / sizeof(fact_rows[0]); i++) {
		CLEANUP(result) struct result silent = { .label = NULL };
		CLEANUP(result) struct result loud = { .label = NULL };

		planted_result(&silent);
		plant_fact(&silent, "disk.loop0.size_bytes", "1073741824");
		plant_fact(&silent, fact_rows[i].key, fact_rows[i].silent);
		assert_silent(&silent);
		planted_result(&loud);
		plant_fact(&loud, "disk.loop0.size_bytes", "1073741824");
		plant_fact(&loud, fact_rows[i].key, fact_rows[i].loud);
		assert_only_note(&loud, fact_rows[i].id, fact_rows[i].part);
	}
}

static void test_large_loop_device_is_no_cache(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	planted_result(&result);
	plant_fact(&result, "disk.loop0.size_bytes", "107374182400");
	plant_fact(&result, "disk.loop0.loop.direct_io", "0");
	assert_silent(&result);
}

/* ---- other I/O ---- */

/* A slow job beside the log of a quiet system: a large share, of nearly nothing. */
static void test_little_other_io(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	planted_result(&result);
	plant_seen(&result, "time.file_system_inputs", 2 * 10 * 400);
	plant_seen(&result, "iostat.sda.rkB/s", 500);
	plant_seen(&result, "iostat.sda.wkB/s", 100);
	assert_silent(&result);
}

/* Journal and metadata of a job that writes cannot be told from those of others. */
static void test_writes_of_a_writing_job(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	planted_result(&result);
	result.jobs[0].dir[IO_WRITE].total_ios = 1000;
	plant_seen(&result, "iostat.sda.wkB/s", 50e3);
	assert_silent(&result);
}

static void test_others_on_an_idle_disk(void **state)
{
	CLEANUP(result) struct result silent = { .label = NULL };
	CLEANUP(result) struct result loud = { .label = NULL };

	(void)state;
	planted_idle(&silent);
	plant_seen(&silent, "iostat.sda.w/s", 4);
	assert_silent(&silent);
	planted_idle(&loud);
	plant_seen(&loud, "iostat.sda.w/s", 120);
	assert_only_note(&loud, NOTE_OTHER_IO, "0 reads and 120 writes a second");
}

/* The processes of a command are not ours, so their I/O looks like that of others. */
static void test_command(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	planted_result(&result);
	result.command = xstrdup("dd if=/dev/sda of=/dev/null");
	plant_seen(&result, "time.file_system_inputs", 0);
	assert_silent(&result);
}

/* Advice to watch less beside advice to watch more would help nobody. */
static void test_short_run_that_monitors_did_not_see(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	planted_result(&result);
	plant_seen(&result, "monitor.window_ms", 3);
	plant_seen(&result, "monitor.cpu%", 5);
	plant_seen(&result, "mpstat.cpu.all.idle%", NAN);
	plant_seen(&result, "time.file_system_inputs", 400e3 * 2 / 50);
	assert_only_note(&result, NOTE_UNWATCHED, "nothing watched for: stolen CPU time");
}

/* Whose clock counts instructions has the machine for itself: it is not watched by default. */
static void test_guest_in_virtual_time(void **state)
{
	(void)state;
	for (unsigned is_virtual = 0; is_virtual <= 1; is_virtual++) {
		CLEANUP(result) struct result result = { .label = NULL };

		planted_result(&result);
		plant_fact(&result, "vm.time", is_virtual ? "virtual" : "real");
		plant_seen(&result, "vmstat.memory.free", NAN);
		if (is_virtual)
			assert_silent(&result);
		else
			assert_only_note(&result, NOTE_UNWATCHED, "paging");
	}
}

/* One tick, one page, one request in a run of some milliseconds are large rates of nothing. */
static void test_short_runs(void **state)
{
	static const struct {
		const char *metric;
		double value;
	} rows[] = {
		{ "mpstat.cpu.all.steal%", 50 }, { "vmstat.swap.si", 1000 },
		{ "iostat.sda.d/s", 100 },	 { "iostat.sda.rkB/s", 405e3 },
		{ "monitor.cpu%", 5 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(result) struct result result = { .label = NULL };

		planted_result(&result);
		plant_seen(&result, "monitor.window_ms", 20);
		plant_seen(&result, "time.file_system_inputs", 400e3 * 2 / 50);
		plant_seen(&result, rows[i].metric, rows[i].value);
		assert_silent(&result);
	}
}

/* ---- caches ---- */

static void test_page_cache(void **state)
{
	CLEANUP(result) struct result half = { .label = NULL };
	CLEANUP(result) struct result little = { .label = NULL };
	CLEANUP(result) struct result unknown = { .label = NULL };

	(void)state;
	planted_result(&half);
	half.disks[0].sectors[IO_READ] /= 2;
	assert_silent(&half);
	planted_result(&little);
	little.disks[0].sectors[IO_READ] /= 100;
	assert_only_note(&little, NOTE_PAGE_CACHE, "read 3.81 GiB, but only 39.1 MiB (1 %)");
	planted_result(&unknown); /* counters that are off count nothing */
	unknown.disks[0].sectors[IO_READ] = 0;
	plant_fact(&unknown, "disk.sda.queue.iostats", "0");
	assert_silent(&unknown);
}

/* Heads of NVMe multipath that count nothing have paths that do. */
static void test_counted_below(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	planted_result(&result);
	(void)result_add_disk(&result, "sdb", 0);
	result.disks[1].sectors[IO_READ] = result.disks[0].sectors[IO_READ];
	result.disks[0].sectors[IO_READ] = 0;
	assert_silent(&result);
}

static void test_writes_in_memory(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	planted_result(&result);
	result.jobs[0].dir[IO_WRITE].total_ios = 1000;
	result.jobs[0].dir[IO_WRITE].io_bytes = UINT64_C(100) << 20;
	result.disks[0].sectors[IO_WRITE] = 10U << 11;
	assert_only_note(&result, NOTE_WRITES_IN_MEMORY, "wrote 100 MiB, of which 10 MiB (10 %)");
}

static void test_small_region(void **state)
{
	CLEANUP(result) struct result again = { .label = NULL };
	CLEANUP(result) struct result once = { .label = NULL };
	CLEANUP(result) struct result flash = { .label = NULL };

	(void)state;
	planted_result(&again);
	again.jobs[0].region_bytes = 64U << 20;
	assert_only_note(&again, NOTE_SMALL_REGION, "read 64 MiB again and again");
	planted_result(&once); /* what is read once was not there */
	once.jobs[0].region_bytes = 64U << 20;
	once.jobs[0].dir[IO_READ].io_bytes = 64U << 20;
	assert_silent(&once);
	planted_result(&flash);
	flash.jobs[0].region_bytes = 64U << 20;
	plant_fact(&flash, "disk.sda.queue.rotational", "0");
	assert_silent(&flash);
}

/* ---- jobs ---- */

static void test_few_ios(void **state)
{
	CLEANUP(result) struct result enough = { .label = NULL };
	CLEANUP(result) struct result few = { .label = NULL };
	CLEANUP(result) struct result hidden = { .label = NULL };

	(void)state;
	planted_result(&enough);
	enough.jobs[0].dir[IO_READ].latency[LATENCY_CLAT].moments.n = 300000;
	assert_silent(&enough);
	planted_result(&few);
	few.jobs[0].dir[IO_READ].latency[LATENCY_CLAT].moments.n = 299999;
	assert_only_note(&few, NOTE_FEW_IOS, "299999 reads of job 'probe' say nothing of p99.99");
	planted_result(&hidden);
	hidden.jobs[0].dir[IO_READ].latency[LATENCY_CLAT].moments.n = 100;
	hidden.jobs[0].clat_percentiles = false;
	assert_silent(&hidden);
}

static void add_rival(struct result *result, const char *name, unsigned phase)
{
	struct job_result *job = result_add_job(result);

	job->name = xstrdup(name);
	job->phase = phase;
	job->dir[IO_READ].total_ios = 5;
}

static void test_shared_device(void **state)
{
	CLEANUP(result) struct result clones = { .label = NULL };
	CLEANUP(result) struct result turns = { .label = NULL };
	CLEANUP(result) struct result rivals = { .label = NULL };
	CLEANUP(result) struct result apart = { .label = NULL };

	(void)state;
	planted_result(&clones);
	add_rival(&clones, "probe", 0);
	assert_silent(&clones);
	planted_result(&turns);
	add_rival(&turns, "other", 1);
	assert_silent(&turns);
	planted_result(&rivals);
	add_rival(&rivals, "other", 0);
	assert_only_note(&rivals, NOTE_SHARED_DEVICE, "jobs 'probe' and 'other' ran at once");
	planted_result(&apart); /* two disks: each may have its own */
	add_rival(&apart, "other", 0);
	(void)result_add_disk(&apart, "sdb", -1);
	assert_silent(&apart);
}

/* A job that ended within its ramp was neither measured nor watched. */
static void test_nothing_measured(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	result.target = xstrdup("local");
	(void)result_add_job(&result);
	(void)result_add_timeline(&result);
	assert_silent(&result);
}

/* ---- several runs ---- */

static size_t nr_complaints(double trend, size_t nr_series)
{
	struct rng rng;
	size_t nr = 0;

	rng_init(&rng, 20240917);
	for (size_t series = 0; series < nr_series; series++) {
		CLEANUP(note_list) struct note_list notes = { .nr = 0 };
		double values[20];

		for (size_t i = 0; i < 20; i++)
			values[i] = 100 + rng_double(&rng) + trend * (double)i;
		caveat_check_series("read.iops of A", values, 20, &notes);
		nr += notes.nr;
	}
	return nr;
}

static void test_series(void **state)
{
	CLEANUP(note_list) struct note_list notes = { .nr = 0 };
	double few[] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	(void)state;
	assert_in_range(nr_complaints(0, 4000), 10, 80); /* 1 %, and the normal form is not exact */
	assert_true(nr_complaints(0.1, 100) > 95);
	caveat_check_series("x", few, 8, &notes);
	assert_int_equal(notes.nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_is_complete),
		cmocka_unit_test(test_clean_results),
		cmocka_unit_test(test_what_monitors_saw),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_large_loop_device_is_no_cache),
		cmocka_unit_test(test_little_other_io),
		cmocka_unit_test(test_writes_of_a_writing_job),
		cmocka_unit_test(test_others_on_an_idle_disk),
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_short_run_that_monitors_did_not_see),
		cmocka_unit_test(test_guest_in_virtual_time),
		cmocka_unit_test(test_short_runs),
		cmocka_unit_test(test_page_cache),
		cmocka_unit_test(test_counted_below),
		cmocka_unit_test(test_writes_in_memory),
		cmocka_unit_test(test_small_region),
		cmocka_unit_test(test_few_ios),
		cmocka_unit_test(test_shared_device),
		cmocka_unit_test(test_nothing_measured),
		cmocka_unit_test(test_series),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
