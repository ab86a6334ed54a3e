/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_load: whole runs on the null engine and on files: counts, groups, phases, ends. */
#include "load/load.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "fixture.h"
#include "load/seed.h"
#include "model/note.h"
#include "model/result.h"
#include "test.h"

/* A run of up to 4 jobs. */
struct bench {
	struct job jobs[4];
	size_t nr_jobs;
	struct clock clock;
	struct load_config config;
	struct result result;
	struct err err;
};

static struct job *bench_add(struct bench *bench)
{
	struct job *job = &bench->jobs[bench->nr_jobs++];

	*job = fixture_job();
	return job;
}

static int bench_run(struct bench *bench)
{
	const struct job_set jobs = { .jobs = bench->jobs, .nr = bench->nr_jobs };

	clock_init(&bench->clock, CLOCK_PREFER_FAST);
	bench->config.jobs = &jobs;
	bench->config.clock = &bench->clock;
	return load_run(&bench->config, &bench->result, &bench->err);
}

static void bench_good_run(struct bench *bench)
{
	if (bench_run(bench) < 0)
		fail_msg("%s", bench->err.msg);
}

static void bench_release(struct bench *bench)
{
	result_release(&bench->result);
	*bench = (struct bench){ .nr_jobs = 0 };
}

static const struct note *find_note(const struct result *result, enum note_id id)
{
	for (size_t i = 0; i < result->notes.nr; i++) {
		if (result->notes.items[i].id == id)
			return &result->notes.items[i];
	}
	return NULL;
}

static void test_clones_and_groups(void **state)
{
	static const bool grouped[] = { false, true };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct bench bench = { .nr_jobs = 0 };
		uint64_t total = 0;

		for (unsigned nr = 0; nr < 2; nr++) {
			struct job *job = bench_add(&bench);

			job->nr_clones = 3;
			job->group_reporting = grouped[i];
			job->rw = nr ? RW_WRITE : RW_READ | RW_RANDOM;
			fixture_set_depth(job, nr ? 1 : 16);
		}
		bench_good_run(&bench);
		assert_int_equal(bench.result.nr_jobs, grouped[i] ? 1 : 6);
		for (size_t at = 0; at < bench.result.nr_jobs; at++) {
			const struct job_result *entry = &bench.result.jobs[at];

			assert_int_equal(entry->error, 0);
			assert_int_equal(entry->nr_clones, grouped[i] ? 6 : 1);
			for (unsigned dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
				const struct dir_result *counts = &entry->dir[dir];

				total += counts->total_ios;
				assert_int_equal(counts->io_bytes, counts->total_ios * BLOCK);
				assert_int_equal(counts->latency[LATENCY_LAT].moments.n,
						 counts->total_ios);
				assert_int_equal(counts->latency[LATENCY_CLAT].moments.n,
						 counts->total_ios);
				assert_int_equal(counts->runtime_ms > 0, counts->total_ios > 0);
			}
		}
		assert_int_equal(total, 6 * 256);
		bench_release(&bench);
	}
}

static void test_entry_describes_the_job(void **state)
{
	static struct job_option options[] = { { .key = "rw", .value = "randread" } };
	struct bench bench = { .nr_jobs = 0 };
	struct job *job = bench_add(&bench);
	const struct job_result *entry;

	(void)state;
	job->name = "the name";
	job->description = "what it is for";
	job->rw = RW_READ | RW_RANDOM;
	job->options = (struct job_options){ options, 1 };
	job->percentiles[0] = 50;
	job->percentiles[1] = 99.5;
	job->nr_percentiles = 2;
	job->iodepth = 8;
	bench_good_run(&bench);
	entry = &bench.result.jobs[0];
	assert_string_equal(entry->name, "the name");
	assert_string_equal(entry->description, "what it is for");
	assert_string_equal(entry->rw, "randread");
	assert_string_equal(entry->ioengine, "null");
	assert_int_equal(entry->iodepth, 8);
	assert_true(entry->has_slat);
	assert_int_equal(entry->nr_percentiles, 2);
	assert_true(entry->percentiles[1] == 99.5);
	assert_int_equal(entry->nr_options, 1);
	assert_string_equal(entry->options[0].value, "randread");
	assert_true(entry->tid > 0);
	assert_true(entry->ended_at_unix_s > 1000000000);
	/* only what was done has histograms */
	assert_non_null(entry->dir[IO_READ].latency[LATENCY_SLAT].hist);
	assert_null(entry->dir[IO_WRITE].latency[LATENCY_CLAT].hist);
	assert_null(entry->sync.hist);
	bench_release(&bench);
}

/* Each engine reads and writes the same file; what was written is read back by us. */
static void test_engines_on_files(void **state)
{
	static const char *const engines[] = { "psync",	 "sync", "pvsync",  "vsync",
					       "libaio", "mmap", "io_uring" };

	(void)state;
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		char *folder = fixture_folder();
		struct bench bench = { .nr_jobs = 0 };
		struct job *job = bench_add(&bench);
		char *path = xasprintf("%s/job.0.0", folder);

		job->ioengine = engines[i];
		job->directory = folder;
		job->rw = RW_READ | RW_WRITE | RW_RANDOM;
		job->fsync_every = 50;
		fixture_set_depth(job, 8);
		bench_good_run(&bench);
		assert_int_equal(fixture_size(path), MIB);
		if (bench.result.jobs[0].error == ENOSYS || bench.result.jobs[0].error == EPERM)
			printf("# %s: not on this kernel\n", engines[i]);
		else
			assert_int_equal(bench.result.jobs[0].dir[IO_READ].total_ios +
						 bench.result.jobs[0].dir[IO_WRITE].total_ios,
					 256);
		free(path);
		bench_release(&bench);
		fixture_remove_folder(folder);
	}
}

static void test_a_write_job_keeps_what_it_does_not_write(void **state)
{
	char *folder = fixture_folder();
	char *path = xasprintf("%s/file", folder);
	struct bench bench = { .nr_jobs = 0 };
	struct job *job = bench_add(&bench);
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;

	(void)state;
	fixture_write(path, 100000, 'x');
	job->ioengine = "psync";
	job->filename = path;
	job->rw = RW_WRITE;
	job->size.bytes = 8 * KIB;
	job->offset.bytes = 4 * KIB;
	bench_good_run(&bench);
	assert_int_equal(file_read(path, 200000, &content, NULL), 0);
	assert_int_equal(content.len, 100000);
	for (size_t i = 0; i < content.len; i++) {
		if (i < 4096 || i >= 12288)
			assert_int_equal(content.buf[i], 'x');
	}
	assert_memory_not_equal(content.buf + 4096, content.buf, 4096);
	bench_release(&bench);
	free(path);
	fixture_remove_folder(folder);
}

static void test_unlink_and_create_on_open(void **state)
{
	char *folder = fixture_folder();
	char *path = xasprintf("%s/job.0.0", folder);
	struct bench bench = { .nr_jobs = 0 };
	struct job *job = bench_add(&bench);

	(void)state;
	job->ioengine = "psync";
	job->directory = folder;
	job->rw = RW_WRITE;
	job->create_on_open = true;
	bench_good_run(&bench);
	assert_int_equal(fixture_size(path), MIB);
	result_release(&bench.result);

	job->unlink = true;
	bench.result = (struct result){ .nr_jobs = 0 };
	bench_good_run(&bench);
	assert_int_equal(bench.result.jobs[0].dir[IO_WRITE].io_bytes, MIB);
	assert_int_equal(fixture_size(path), -1);
	bench_release(&bench);
	free(path);
	fixture_remove_folder(folder);
}

/* A file size limit stands for a full disk; SIGXFSZ is blocked in workers. */
static void test_full_disk_ends_one_job(void **state)
{
	char *folder = fixture_folder();
	struct bench bench = { .nr_jobs = 0 };
	struct job *writer = bench_add(&bench);
	struct job *other = bench_add(&bench);
	struct rlimit before, limit;
	const struct job_result *entry;

	(void)state;
	writer->ioengine = "psync";
	writer->directory = folder;
	writer->rw = RW_WRITE;
	writer->fallocate = FALLOCATE_NONE;
	writer->end_fsync = true;
	other->size.bytes = 4 * MIB;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 512 * KIB;
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	bench_good_run(&bench);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);

	entry = &bench.result.jobs[0];
	assert_int_equal(entry->error, EFBIG);
	assert_int_equal(entry->dir[IO_WRITE].total_ios, 129); /* the failed one included */
	assert_int_equal(entry->dir[IO_WRITE].io_bytes, 512 * KIB);
	assert_non_null(strstr(entry->error_where, "write of 4096 bytes at offset 524288 of '"));
	assert_non_null(find_note(&bench.result, NOTE_JOB_ERROR));
	assert_int_equal(bench.result.jobs[1].error, 0);
	assert_int_equal(bench.result.jobs[1].dir[IO_READ].io_bytes, 4 * MIB);
	bench_release(&bench);
	fixture_remove_folder(folder);
}

static void test_file_that_cannot_be_opened(void **state)
{
	char *folder = fixture_folder();
	char *path = xasprintf("%s/file", folder);
	struct bench bench = { .nr_jobs = 0 };
	struct job *job = bench_add(&bench);

	(void)state;
	/* create_on_open below a regular file: the folder cannot be made */
	fixture_write(path, 10, 'x');
	free(path);
	path = xasprintf("%s/none/file", folder);
	job->ioengine = "psync";
	job->filename = path;
	job->create_on_open = true;
	job->unlink = true;
	(void)bench_add(&bench);
	bench_good_run(&bench);
	/* the read finds an empty file */
	assert_int_equal(bench.result.jobs[0].error, EIO);
	assert_non_null(strstr(bench.result.jobs[0].error_where, "(full resid)"));
	assert_int_equal(bench.result.jobs[0].dir[IO_READ].total_ios, 1);
	assert_int_equal(bench.result.jobs[1].dir[IO_READ].total_ios, 256);
	bench_release(&bench);
	free(path);
	fixture_remove_folder(folder);
}

static void test_readonly(void **state)
{
	char *folder = fixture_folder();
	struct bench bench = { .config = { .readonly = true } };
	struct job *job = bench_add(&bench);

	(void)state;
	bench_good_run(&bench); /* null reads */
	result_release(&bench.result);
	bench.result = (struct result){ .nr_jobs = 0 };
	job->rw = RW_WRITE;
	assert_int_equal(bench_run(&bench), -ERR_UNSAFE);
	job->rw = RW_READ;
	job->ioengine = "psync";
	job->directory = folder;
	assert_int_equal(bench_run(&bench), -ERR_UNSAFE);
	assert_non_null(strstr(bench.err.msg, "would have to be created"));
	bench_release(&bench);
	fixture_remove_folder(folder);
}

/* Sets `stop` a little after the workers were let go. */
struct stopper {
	atomic_bool stop;
	pthread_t thread;
};

static void *stop_main(void *arg)
{
	struct stopper *stopper = arg;

	(void)usleep(20000);
	atomic_store(&stopper->stop, true);
	return NULL;
}

static int start_stopper(void *arg, struct err *err)
{
	struct stopper *stopper = arg;

	(void)err;
	assert_int_equal(pthread_create(&stopper->thread, NULL, stop_main, stopper), 0);
	return 0;
}

static void bench_run_stopped(struct bench *bench)
{
	struct stopper stopper = { .stop = false };

	bench->config.stop = &stopper.stop;
	bench->config.prepared = start_stopper;
	bench->config.arg = &stopper;
	bench_good_run(bench);
	assert_int_equal(pthread_join(stopper.thread, NULL), 0);
	assert_true(bench->result.interrupted);
	assert_non_null(find_note(&bench->result, NOTE_INTERRUPTED));
}

static void test_stop(void **state)
{
	struct bench bench = { .nr_jobs = 0 };

	(void)state;
	for (unsigned phase = 0; phase < 2; phase++) {
		struct job *job = bench_add(&bench);

		job->time_based = true;
		job->runtime_ns = UINT64_C(3600000000000);
		job->phase = phase;
		job->nr_clones = 2;
	}
	bench.jobs[0].startdelay_min_ns = bench.jobs[0].startdelay_max_ns = 1000;
	bench_run_stopped(&bench);
	assert_int_equal(bench.result.nr_jobs, 2); /* the second phase never began */
	assert_true(bench.result.jobs[0].dir[IO_READ].total_ios > 0);
	assert_int_equal(bench.result.jobs[0].error, 0);
	bench_release(&bench);
}

/* A worker that sleeps sees `stop` too. */
static void test_stop_wakes_sleepers(void **state)
{
	struct bench bench = { .nr_jobs = 0 };
	struct job *job;

	(void)state;
	job = bench_add(&bench);
	job->startdelay_min_ns = job->startdelay_max_ns = UINT64_C(3600000000000);
	job = bench_add(&bench);
	job->thinktime_ns = UINT64_C(3600000000000);
	job = bench_add(&bench);
	job->rate_bytes_per_sec[IO_READ] = 1;
	fixture_set_depth(job, 4);
	bench_run_stopped(&bench);
	assert_int_equal(bench.result.jobs[0].dir[IO_READ].total_ios, 0);
	assert_int_equal(bench.result.jobs[1].dir[IO_READ].total_ios, 1);
	assert_int_equal(bench.result.jobs[2].dir[IO_READ].total_ios, 1);
	bench_release(&bench);
}

static void test_exitall(void **state)
{
	struct bench bench = { .nr_jobs = 0 };
	struct job *job = bench_add(&bench);

	(void)state;
	job->time_based = true;
	job->runtime_ns = UINT64_C(3600000000000);
	job = bench_add(&bench);
	job->exitall = true;
	bench_good_run(&bench);
	assert_int_equal(bench.result.jobs[1].dir[IO_READ].total_ios, 256);
	assert_true(bench.result.jobs[0].dir[IO_READ].runtime_ms < 3600000);
	assert_false(bench.result.interrupted);
	bench_release(&bench);
}

/* A phase begins when the one before has ended. */
static void test_phases(void **state)
{
	char *folder = fixture_folder();
	char *path = xasprintf("%s/file", folder);
	struct bench bench = { .nr_jobs = 0 };
	struct job *job = bench_add(&bench);
	const uint64_t seconds = 1;

	(void)state;
	/* the second job is the first to see what the first one wrote */
	job->ioengine = "psync";
	job->filename = path;
	job->rw = RW_WRITE;
	job->create_on_open = true;
	job->thinktime_ns = 100000;
	job = bench_add(&bench);
	job->ioengine = "psync";
	job->filename = path;
	job->create_on_open = true; /* an empty file would end it with EIO */
	job->phase = 1;
	job->group_id = 1;
	job->group_reporting = true;
	job = bench_add(&bench);
	job->runtime_ns = seconds * 1000000;
	job->time_based = true;
	job->phase = 2;
	job->group_id = 2;
	job->group_reporting = true;
	bench_good_run(&bench);
	assert_int_equal(bench.result.nr_jobs, 3);
	assert_int_equal(bench.result.jobs[1].error, 0);
	assert_int_equal(bench.result.jobs[1].dir[IO_READ].io_bytes, MIB);
	assert_int_equal(bench.result.jobs[2].phase, 2);
	bench_release(&bench);
	free(path);
	fixture_remove_folder(folder);
}

static void test_many_clones(void **state)
{
	struct bench bench = { .nr_jobs = 0 };
	struct job *job = bench_add(&bench);

	(void)state;
	job->nr_clones = 300;
	job->group_reporting = true;
	job->number_ios = 10;
	bench_good_run(&bench);
	assert_int_equal(bench.result.jobs[0].nr_clones, 300);
	assert_int_equal(bench.result.jobs[0].dir[IO_READ].total_ios, 3000);
	bench_release(&bench);
}

struct calls {
	unsigned nr_prepared, nr_started, nr_progress, nr_finished;
	unsigned nr_progress_at_end;
	bool fails;
	struct load_progress last;
};

static int on_prepared(void *arg, struct err *err)
{
	struct calls *calls = arg;

	calls->nr_prepared++;
	return calls->fails ? err_set(err, ERR_SYSTEM, "not now") : 0;
}

/* Prepared, and nothing has been done yet. */
static void on_started(void *arg)
{
	struct calls *calls = arg;

	assert_int_equal(calls->nr_prepared, 2);
	assert_int_equal(calls->nr_progress, 0);
	calls->nr_started++;
}

/* After every progress report: no worker runs any more. */
static void on_finished(void *arg)
{
	struct calls *calls = arg;

	calls->nr_finished++;
	calls->nr_progress_at_end = calls->nr_progress;
}

static void on_progress(void *arg, const struct load_progress *progress)
{
	struct calls *calls = arg;

	calls->nr_progress++;
	calls->last = *progress;
}

static void test_callbacks_and_samples(void **state)
{
	struct calls calls = { .nr_prepared = 0 };
	struct bench bench = { .config = { .prepared = on_prepared,
					   .started = on_started,
					   .finished = on_finished,
					   .progress = on_progress,
					   .arg = &calls } };
	struct job *job = bench_add(&bench);
	const struct dir_result *counts;

	(void)state;
	calls.fails = true;
	assert_int_equal(bench_run(&bench), -ERR_SYSTEM);
	assert_int_equal(bench.result.nr_jobs, 0);
	assert_int_equal(calls.nr_started + calls.nr_finished, 0); /* nothing had begun */

	calls.fails = false;
	job->time_based = true;
	job->runtime_ns = UINT64_C(1600000000);
	job->rate_iops[IO_READ] = 2000;
	bench_good_run(&bench);
	assert_int_equal(calls.nr_prepared, 2);
	assert_int_equal(calls.nr_started, 1);
	assert_int_equal(calls.nr_finished, 1);
	assert_true(calls.nr_progress >= 1);
	assert_int_equal(calls.nr_progress_at_end, calls.nr_progress);
	assert_int_equal(calls.last.nr_workers, 1);
	assert_int_equal(calls.last.expected_ns, 1600000000);
	assert_true(calls.last.iops[IO_READ] > 0);
	counts = &bench.result.jobs[0].dir[IO_READ];
	/* windows hold no more than all the I/Os: n * mean * 0.5 s <= total */
	assert_in_range(counts->iops.n, 1, 3);
	assert_int_equal(counts->bw_kib_per_sec.n, counts->iops.n);
	assert_true(counts->iops.mean * 0.5 * (double)counts->iops.n <=
		    (double)counts->total_ios * 1.01);
	assert_true(counts->total_ios <= counts->runtime_ms * 2 + 1);
	bench_release(&bench);
}

/* randrepeat: the seed of the run does not matter; without it, it does. */
static void test_seeds(void **state)
{
	struct job job = fixture_job();
	struct clone_plan plan = { .job = &job };
	struct clone_plan next = { .job = &job, .thread_number = 1 };

	(void)state;
	assert_true(seed_of_clone(&plan, 1, SEED_OFFSETS) == seed_of_clone(&plan, 2, SEED_OFFSETS));
	assert_true(seed_of_clone(&plan, 1, SEED_OFFSETS) != seed_of_clone(&next, 1, SEED_OFFSETS));
	assert_true(seed_of_clone(&plan, 1, SEED_OFFSETS) != seed_of_clone(&plan, 1, SEED_DATA));
	job.randrepeat = false;
	assert_true(seed_of_clone(&plan, 1, SEED_OFFSETS) != seed_of_clone(&plan, 2, SEED_OFFSETS));
	job.randrepeat = true;
	{
		uint64_t before = seed_of_clone(&plan, 1, SEED_OFFSETS);

		job.randseed++;
		assert_true(seed_of_clone(&plan, 1, SEED_OFFSETS) != before);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clones_and_groups),
		cmocka_unit_test(test_entry_describes_the_job),
		cmocka_unit_test(test_engines_on_files),
		cmocka_unit_test(test_a_write_job_keeps_what_it_does_not_write),
		cmocka_unit_test(test_unlink_and_create_on_open),
		cmocka_unit_test(test_full_disk_ends_one_job),
		cmocka_unit_test(test_file_that_cannot_be_opened),
		cmocka_unit_test(test_readonly),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_stop_wakes_sleepers),
		cmocka_unit_test(test_exitall),
		cmocka_unit_test(test_phases),
		cmocka_unit_test(test_many_clones),
		cmocka_unit_test(test_callbacks_and_samples),
		cmocka_unit_test(test_seeds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
