/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_worker_event: syncs, pace, ramp, short and failed requests of a worker. */
#include "load/worker.h"

#include "worker_fixture.h"

/* Every third request transfers 1024 bytes only. */
static int64_t give_short(struct fake *fake, const struct io_req *req, size_t nr)
{
	(void)fake;
	return nr % 3 == 2 ? 1024 : all_of(req);
}

static void test_short_transfers_go_on(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct job job = fixture_job();
		struct bench bench;
		uint64_t nr_short;

		job.number_ios = 128; /* requests; their rests are not counted as further ones */
		fixture_set_depth(&job, 4);
		bench_init(&bench, &job, engines[i]);
		bench.fake.result = give_short;
		bench_run(&bench);
		nr_short = bench.worker->dir[IO_READ].short_ios;
		assert_int_equal(bench.worker->failure.error, 0);
		assert_int_equal(nr_short, bench.fake.nr_calls / 3);
		assert_int_equal(bench.fake.nr_calls, 128 + nr_short);
		/* issued counts each piece, latencies only whole requests */
		assert_counts(&bench, IO_READ, 128 + nr_short, 128 * BLOCK, 128);
		if (i == 0) {
			assert_int_equal(bench.fake.calls[3].offset_bytes, 2 * BLOCK + 1024);
			assert_int_equal(bench.fake.calls[3].len_bytes, 3072);
			assert_ptr_equal(bench.fake.calls[3].buf,
					 (const char *)bench.fake.calls[0].buf + 1024);
			assert_ptr_equal(bench.fake.calls[4].buf, bench.fake.calls[0].buf);
		}
		bench_release(&bench);
	}
}

static int64_t fail_tenth(struct fake *fake, const struct io_req *req, size_t nr)
{
	(void)fake;
	return nr == 9 ? -EIO : all_of(req);
}

static int64_t give_nothing(struct fake *fake, const struct io_req *req, size_t nr)
{
	(void)fake;
	return nr == 9 ? 0 : all_of(req);
}

static void test_failure_ends_the_job(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		const struct engine_ops *engine = engines[i % 2];
		bool is_full_resid = i / 2;
		struct job job = fixture_job();
		struct bench bench;
		size_t nr;

		fixture_set_depth(&job, 4);
		job.end_fsync = true;
		job.rw = RW_WRITE;
		bench_init(&bench, &job, engine);
		bench.fake.result = is_full_resid ? give_nothing : fail_tenth;
		bench_run(&bench);
		assert_int_equal(bench.worker->failure.error, EIO);
		assert_true(bench.worker->failure.is_io);
		assert_int_equal(bench.worker->failure.is_full_resid, is_full_resid);
		assert_int_equal(bench.worker->failure.dir, IO_WRITE);
		assert_int_equal(bench.worker->failure.offset_bytes, 9 * BLOCK);
		assert_int_equal(bench.worker->failure.len_bytes, 4 * KIB);
		/* what was in flight came back and counts; the failed one counts without bytes */
		nr = bench.fake.nr_calls;
		assert_int_equal(nr, engine == &fake_sync ? 10 : 13);
		assert_counts(&bench, IO_WRITE, nr, (nr - 1) * BLOCK, nr - 1);
		bench_release(&bench);
	}
}

/* Several requests fail: the first failure is the one that is told. */
static int64_t fail_from_fifth(struct fake *fake, const struct io_req *req, size_t nr)
{
	(void)fake;
	return nr < 4 ? all_of(req) : nr == 4 ? -ENOSPC : -EIO;
}

static void test_first_failure_counts(void **state)
{
	struct job job = fixture_job();
	struct bench bench;

	(void)state;
	fixture_set_depth(&job, 8);
	bench_init(&bench, &job, &fake_async);
	bench.fake.result = fail_from_fifth;
	bench_run(&bench);
	assert_int_equal(bench.worker->failure.error, ENOSPC);
	assert_int_equal(bench.worker->failure.offset_bytes, 4 * BLOCK);
	bench_release(&bench);
}

static int64_t interrupt_some(struct fake *fake, const struct io_req *req, size_t nr)
{
	(void)fake;
	return nr % 5 == 1 ? -EINTR : nr % 5 == 2 ? -EAGAIN : all_of(req);
}

static void test_interrupted_requests_are_repeated(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct job job = fixture_job();
		struct bench bench;

		job.number_ios = 30;
		fixture_set_depth(&job, 4);
		bench_init(&bench, &job, engines[i]);
		bench.fake.result = interrupt_some;
		bench_run(&bench);
		assert_int_equal(bench.worker->failure.error, 0);
		assert_counts(&bench, IO_READ, 30, 30 * BLOCK, 30);
		assert_int_equal(bench.worker->dir[IO_READ].short_ios, 0);
		bench_release(&bench);
	}
}

/* The file ends 1000 bytes into the last block. */
static int64_t end_of_file(struct fake *fake, const struct io_req *req, size_t nr)
{
	(void)fake;
	(void)nr;
	return req->offset_bytes == 9 * BLOCK ? 1000 : all_of(req);
}

static void test_short_at_the_end_of_the_file_is_complete(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char *folder = fixture_folder();
		char *path = xasprintf("%s/file", folder);
		struct job job = fixture_job();
		struct bench bench;

		job.size.bytes = 10 * BLOCK;
		fixture_set_depth(&job, 4);
		fixture_write(path, 9 * BLOCK + 1000, 'x');
		bench_init(&bench, &job, engines[i]);
		assert_int_equal(file_table_add(&bench.files, path, false, &bench.file, NULL), 0);
		bench.fake.result = end_of_file;
		bench_run(&bench);
		assert_int_equal(bench.worker->failure.error, 0);
		assert_counts(&bench, IO_READ, 10, 9 * BLOCK + 1000, 10);
		assert_int_equal(bench.worker->dir[IO_READ].short_ios, 1);
		bench_release(&bench);
		free(path);
		fixture_remove_folder(folder);
	}
}

static void count_calls(const struct bench *bench, enum io_dir dir, bool datasync, size_t *ret_nr)
{
	*ret_nr = 0;
	for (size_t i = 0; i < bench->fake.nr_calls; i++)
		*ret_nr += bench->fake.calls[i].dir == dir &&
			   bench->fake.calls[i].datasync == datasync;
}

static void test_syncs(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct job job = fixture_job();
		struct bench bench;
		size_t nr;

		job.fsync_every = 7;
		job.fdatasync_every = 5;
		bench_write_all(&bench, &job, engines[i]);
		assert_counts(&bench, IO_WRITE, 256, MIB, 256);
		count_calls(&bench, IO_SYNC, false, &nr);
		assert_int_equal(nr, 36); /* 256 / 7 */
		count_calls(&bench, IO_SYNC, true, &nr);
		assert_int_equal(nr, 44); /* 256 / 5 = 51, 7 of them with the fsync of 35, 70 .. */
		assert_int_equal(bench.worker->sync_ios, 80);
		assert_latency(&bench.worker->sync, 80);
		assert_int_equal(bench.fake.calls[5].dir, IO_SYNC);
		assert_int_equal(bench.fake.calls[8].dir, IO_SYNC);
		assert_int_equal(bench.fake.calls[8].len_bytes, 0);
		/* in the depth map, not in the totals */
		nr = 0;
		for (unsigned depth = 0; depth < RESULT_NR_DEPTHS; depth++)
			nr += bench.worker->depth_at_submit[depth];
		assert_int_equal(nr, 336);
		bench_release(&bench);
	}
}

/* randrw: after every fourth write, however many reads lie between. */
static void test_syncs_count_writes(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct job job = fixture_job();
		struct bench bench;
		size_t nr_writes = 0;

		job.rw = RW_READ | RW_WRITE | RW_RANDOM;
		job.fsync_every = 4;
		bench_run_job(&bench, &job, engines[i]);
		for (size_t nr = 0; nr < bench.fake.nr_calls; nr++) {
			const struct fake_call *call = &bench.fake.calls[nr];

			nr_writes += call->dir == IO_WRITE;
			if (call->dir == IO_SYNC) {
				assert_int_equal(bench.fake.calls[nr - 1].dir, IO_WRITE);
				assert_int_equal(nr_writes % 4, 0);
			}
		}
		assert_int_equal(bench.worker->sync_ios, nr_writes / 4);
		bench_release(&bench);
	}
}

static int64_t fail_syncs(struct fake *fake, const struct io_req *req, size_t nr)
{
	(void)fake;
	(void)nr;
	return req->dir == IO_SYNC ? -ENOSPC : all_of(req);
}

static void test_end_fsync(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct job job = fixture_job();
		struct bench bench;

		job.rw = RW_WRITE;
		job.end_fsync = true;
		bench_run_job(&bench, &job, engines[i]);
		assert_int_equal(bench.fake.nr_calls, 257);
		assert_int_equal(bench.fake.calls[256].dir, IO_SYNC);
		assert_int_equal(bench.worker->sync_ios, 0);
		bench_release(&bench);

		bench_init(&bench, &job, engines[i]);
		bench.fake.result = fail_syncs;
		bench_run(&bench);
		assert_int_equal(bench.worker->failure.error, ENOSPC);
		assert_int_equal(bench.worker->failure.dir, IO_SYNC);
		bench_release(&bench);
	}
}

/* thinktime starts with nothing in flight. */
static void test_thinktime_drains(void **state)
{
	struct job job = fixture_job();
	struct bench bench;

	(void)state;
	fixture_set_depth(&job, 16);
	job.thinktime_ns = 1000;
	job.thinktime_spin_ns = 500;
	job.thinktime_blocks = 10;
	job.thinktime_blocks_type = THINK_ISSUED;
	bench_run_job(&bench, &job, &fake_async);
	assert_counts(&bench, IO_READ, 256, MIB, 256);
	for (size_t nr = 0; nr < 256; nr++)
		assert_int_equal(bench.fake.calls[nr].in_flight, nr % 10 + 1);
	bench_release(&bench);
}

/* What is in flight has not been completed yet, and counts for the next time. */
static void test_thinktime_counts_completions(void **state)
{
	static const size_t rounds[] = { 11, 1, 10, 1, 10, 1, 10, 1, 10, 1, 8 };
	struct job job = fixture_job();
	struct bench bench;
	size_t call = 0;

	(void)state;
	fixture_set_depth(&job, 8);
	job.thinktime_ns = 1000;
	job.thinktime_blocks = 4;
	job.number_ios = 64;
	bench_run_job(&bench, &job, &fake_async);
	for (size_t i = 0; i < sizeof(rounds) / sizeof(rounds[0]); i++) {
		for (size_t nr = 0; nr < rounds[i]; nr++)
			assert_int_equal(bench.fake.calls[call++].in_flight, nr < 8 ? nr + 1 : 8);
	}
	assert_int_equal(call, 64);
	bench_release(&bench);
}

static void test_range_syncs(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct job job = fixture_job();
		struct bench bench;
		size_t nr;

		job.sync_range = (struct sync_range){ .flags = 2, .every = 4 };
		bench_write_all(&bench, &job, engines[i]);
		assert_counts(&bench, IO_WRITE, 256, MIB, 256);
		count_calls(&bench, IO_SYNC, false, &nr);
		assert_int_equal(nr, 64);
		assert_int_equal(bench.fake.calls[9].dir, IO_SYNC);
		assert_int_equal(bench.fake.calls[9].offset_bytes, 4 * BLOCK);
		assert_latency(&bench.worker->sync, 64);
		bench_release(&bench);
	}
}

/* A rate is a limit: the run cannot be shorter than the schedule. */
static void test_rate_is_a_limit(void **state)
{
	static const bool by_bytes[] = { false, true };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct job job = fixture_job();
		struct bench bench;
		uint64_t ns;

		if (by_bytes[i % 2])
			job.rate_bytes_per_sec[IO_READ] = 5000 * BLOCK;
		else
			job.rate_iops[IO_READ] = 5000;
		fixture_set_depth(&job, 4);
		bench_run_job(&bench, &job, engines[i / 2]);
		assert_counts(&bench, IO_READ, 256, MIB, 256);
		ns = bench.worker->shared.end_ticks - bench.worker->shared.epoch_ticks;
		assert_true(ns >= 255 * UINT64_C(200000));
		bench_release(&bench);
	}
}

/* Both directions have their rate; the one that is ahead waits. */
static void test_rates_of_a_mix(void **state)
{
	struct job job = fixture_job();
	struct bench bench;
	uint64_t nr_reads, nr_writes, ns;

	(void)state;
	job.rw = RW_READ | RW_WRITE;
	job.size.bytes = 100 * MIB;
	job.rate_iops[IO_READ] = 3000;
	job.rate_iops[IO_WRITE] = 1000;
	job.number_ios = 400;
	bench_run_job(&bench, &job, &fake_sync);
	nr_reads = bench.worker->dir[IO_READ].total_ios;
	nr_writes = bench.worker->dir[IO_WRITE].total_ios;
	assert_int_equal(nr_reads + nr_writes, 400);
	ns = bench.worker->shared.end_ticks - bench.worker->shared.epoch_ticks;
	assert_true(nr_reads - 1 <= ns * 3 / 1000000);
	assert_true(nr_writes - 1 <= ns / 1000000);
	bench_release(&bench);
}

static void test_ramp_is_not_counted(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct job job = fixture_job();
		struct bench bench;
		uint64_t nr;

		job.rw = RW_WRITE;
		job.fsync_every = 8;
		job.ramp_time_ns = 5000000;
		job.runtime_ns = 5000000;
		job.time_based = true;
		bench_run_job(&bench, &job, engines[i]);
		nr = bench.worker->dir[IO_WRITE].total_ios;
		assert_true(nr > 0);
		assert_true(bench.worker->at_epoch.ios[IO_WRITE] > 0);
		assert_counts(&bench, IO_WRITE, nr, nr * BLOCK, nr);
		assert_latency(&bench.worker->sync, bench.worker->sync_ios);
		assert_true(bench.worker->sync_ios <= nr / 8 + 1);
		assert_true(bench.worker->shared.end_ticks - bench.worker->shared.epoch_ticks >=
			    5000000);
		bench_release(&bench);
	}
}

/* The rate keeps the ramp below number_ios, which begins to count after it. */
static void test_number_ios_after_the_ramp(void **state)
{
	struct job job = fixture_job();
	struct bench bench;

	(void)state;
	job.ramp_time_ns = 20000000;
	job.rate_iops[IO_READ] = 2000;
	job.number_ios = 100;
	bench_run_job(&bench, &job, &fake_sync);
	assert_true(bench.fake.nr_calls > 100);
	assert_counts(&bench, IO_READ, 100, 100 * BLOCK, 100);
	bench_release(&bench);
}

static void test_end_within_the_ramp(void **state)
{
	struct job job = fixture_job();
	struct bench bench;

	(void)state;
	job.ramp_time_ns = UINT64_C(3600000000000);
	bench_run_job(&bench, &job, &fake_sync);
	assert_int_equal(bench.fake.nr_calls, 256);
	assert_true(bench.worker->has_ramp_only);
	assert_counts(&bench, IO_READ, 0, 0, 0);
	bench_release(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_short_transfers_go_on),
		cmocka_unit_test(test_failure_ends_the_job),
		cmocka_unit_test(test_first_failure_counts),
		cmocka_unit_test(test_interrupted_requests_are_repeated),
		cmocka_unit_test(test_short_at_the_end_of_the_file_is_complete),
		cmocka_unit_test(test_syncs),
		cmocka_unit_test(test_syncs_count_writes),
		cmocka_unit_test(test_end_fsync),
		cmocka_unit_test(test_thinktime_drains),
		cmocka_unit_test(test_thinktime_counts_completions),
		cmocka_unit_test(test_range_syncs),
		cmocka_unit_test(test_rate_is_a_limit),
		cmocka_unit_test(test_rates_of_a_mix),
		cmocka_unit_test(test_ramp_is_not_counted),
		cmocka_unit_test(test_number_ios_after_the_ramp),
		cmocka_unit_test(test_end_within_the_ramp),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
