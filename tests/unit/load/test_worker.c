/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_worker: what one worker issues and counts, on scripted engines. */
#include "load/worker.h"

#include <sched.h>

#include "worker_fixture.h"

static void test_plain(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct job job = fixture_job();
		struct bench bench;

		fixture_set_depth(&job, 8);
		bench_run_job(&bench, &job, engines[i]);
		assert_int_equal(bench.worker->failure.error, 0);
		assert_counts(&bench, IO_READ, 256, MIB, 256);
		for (size_t nr = 0; nr < 256; nr++)
			assert_int_equal(bench.fake.calls[nr].offset_bytes, nr * BLOCK);
		if (i == 0) {
			assert_int_equal(bench.worker->depth_at_submit[0], 256);
			assert_int_equal(bench.worker->per_submit[1], 256);
			assert_int_equal(bench.worker->per_complete[1], 256);
		} else {
			/* 1, 2-3, 4-7, then 8 in flight */
			assert_int_equal(bench.worker->depth_at_submit[0], 1);
			assert_int_equal(bench.worker->depth_at_submit[1], 2);
			assert_int_equal(bench.worker->depth_at_submit[2], 4);
			assert_int_equal(bench.worker->depth_at_submit[3], 249);
			assert_int_equal(bench.worker->per_submit[1], 256);
			assert_int_equal(bench.fake.max_in_flight, 8);
			assert_int_equal(bench.fake.max_batch, 1);
			assert_int_equal(bench.fake.max_reaped, 1);
		}
		bench_release(&bench);
	}
}

static void test_batches(void **state)
{
	struct job job = fixture_job();
	struct bench bench;

	(void)state;
	fixture_set_depth(&job, 32);
	job.iodepth_batch = 8;
	job.iodepth_batch_complete_min = 4;
	job.iodepth_batch_complete_max = 16;
	job.iodepth_low = 12;
	bench_run_job(&bench, &job, &fake_async);
	assert_counts(&bench, IO_READ, 256, MIB, 256);
	assert_int_equal(bench.fake.max_in_flight, 32);
	assert_int_equal(bench.fake.max_batch, 8);
	assert_int_equal(bench.fake.max_reaped, 4);
	/* 256 = 32 + 11 * 20 + 4: once full, 20 are reaped by fours, then 8, 8 and 4 submitted;
	 * the last four come in one call, and the end reaps what is left one by one */
	assert_int_equal(bench.worker->per_submit[2], 4 + 11 * 2);
	assert_int_equal(bench.worker->per_submit[1], 11 + 1);
	assert_int_equal(bench.fake.nr_submits, 38);
	bench_release(&bench);
}

static void test_polling(void **state)
{
	struct job job = fixture_job();
	struct bench bench;

	(void)state;
	fixture_set_depth(&job, 4);
	job.iodepth_batch_complete_min = 0;
	bench_run_job(&bench, &job, &fake_async);
	assert_counts(&bench, IO_READ, 256, MIB, 256);
	assert_true(bench.worker->per_complete[0] > 0); /* polls that found nothing */
	assert_int_equal(bench.fake.max_in_flight, 4);
	bench_release(&bench);
}

/* No room every other time, else one request at a time. */
static int take_little(struct fake *fake, size_t nr_reqs, size_t nr)
{
	(void)fake;
	(void)nr_reqs;
	return nr % 2 == 0 ? -EAGAIN : nr % 5 == 0 ? -EINTR : 1;
}

static void test_submit_takes_little(void **state)
{
	struct job job = fixture_job();
	struct bench bench;

	(void)state;
	fixture_set_depth(&job, 16);
	job.iodepth_batch = 8;
	bench_init(&bench, &job, &fake_async);
	bench.fake.take = take_little;
	bench_run(&bench);
	assert_int_equal(bench.worker->failure.error, 0);
	assert_counts(&bench, IO_READ, 256, MIB, 256);
	for (size_t nr = 0; nr < 256; nr++)
		assert_int_equal(bench.fake.calls[nr].offset_bytes, nr * BLOCK); /* in order */
	bench_release(&bench);
}

static int refuse(struct fake *fake, size_t nr_reqs, size_t nr)
{
	(void)fake;
	return nr < 3 ? (int)nr_reqs : -EBADF;
}

static void test_engine_that_cannot_go_on(void **state)
{
	struct job job = fixture_job();
	struct bench bench;

	(void)state;
	fixture_set_depth(&job, 8);
	bench_init(&bench, &job, &fake_async);
	bench.fake.take = refuse;
	bench_run(&bench);
	assert_int_equal(bench.worker->failure.error, EBADF);
	assert_counts(&bench, IO_READ, 3, 3 * BLOCK, 3);
	bench_release(&bench);
}

static int64_t stop_at_hundred(struct fake *fake, const struct io_req *req, size_t nr);

static struct worker *worker_to_stop;

static int64_t stop_at_hundred(struct fake *fake, const struct io_req *req, size_t nr)
{
	(void)fake;
	if (nr == 99)
		worker_stop(worker_to_stop);
	return all_of(req);
}

static void test_stop(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct job job = fixture_job();
		struct bench bench;
		struct worker_config config;

		fixture_set_depth(&job, 8);
		bench_init(&bench, &job, engines[i]);
		bench.fake.result = stop_at_hundred;
		bench.plan.files = &bench.file;
		bench.plan.regions = &bench.region;
		config = (struct worker_config){ .plan = &bench.plan,
						 .files = &bench.files,
						 .gate = &bench.gate,
						 .load = &bench.load };
		worker_to_stop = bench.worker = worker_create(&config);
		(void)worker_main(bench.worker);
		assert_int_equal(bench.worker->failure.error, 0);
		assert_int_equal(bench.fake.nr_queued, 0);
		assert_counts(&bench, IO_READ, 100, 100 * BLOCK, 100);
		bench_release(&bench);
	}
}

static int64_t count_cpus(struct fake *fake, const struct io_req *req, size_t nr)
{
	cpu_set_t set;

	(void)fake;
	(void)nr;
	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	assert_int_equal(CPU_COUNT(&set), 1);
	return all_of(req);
}

static void test_cpus_allowed(void **state)
{
	struct job job = fixture_job();
	struct bench bench;
	cpu_set_t before;
	unsigned cpu = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	while (!CPU_ISSET(cpu, &before))
		cpu++;
	job.cpus_allowed.nr = 1;
	job.cpus_allowed.bits[cpu / 64] = UINT64_C(1) << (cpu % 64);
	job.number_ios = 3;
	bench_init(&bench, &job, &fake_sync);
	bench.fake.result = count_cpus;
	bench_run(&bench);
	assert_int_equal(sched_setaffinity(0, sizeof(before), &before), 0);
	assert_int_equal(bench.fake.nr_calls, 3);
	bench_release(&bench);
}

static void test_cancelled(void **state)
{
	struct job job = fixture_job();
	struct bench bench;

	(void)state;
	bench_init(&bench, &job, &fake_sync);
	gate_set(&bench.gate, GATE_CANCELLED);
	bench_run(&bench);
	assert_int_equal(bench.fake.nr_calls, 0);
	assert_true(atomic_load(&bench.worker->shared.has_left));
	bench_release(&bench);
}

static void test_buffers_of_slots(void **state)
{
	struct job job = fixture_job();
	struct bench bench;
	uintptr_t first = UINTPTR_MAX;

	(void)state;
	fixture_set_depth(&job, 4);
	fixture_set_bs(&job, 512, 6000);
	bench_run_job(&bench, &job, &fake_async);
	for (size_t i = 0; i < bench.fake.nr_calls; i++) {
		if ((uintptr_t)bench.fake.calls[i].buf < first)
			first = (uintptr_t)bench.fake.calls[i].buf;
	}
	assert_int_equal(first % 4096, 0);
	for (size_t i = 0; i < bench.fake.nr_calls; i++)
		assert_int_equal((uintptr_t)bench.fake.calls[i].buf,
				 first + bench.fake.calls[i].slot * (8 * KIB));
	bench_release(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_batches),
		cmocka_unit_test(test_polling),
		cmocka_unit_test(test_submit_takes_little),
		cmocka_unit_test(test_engine_that_cannot_go_on),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_cpus_allowed),
		cmocka_unit_test(test_cancelled),
		cmocka_unit_test(test_buffers_of_slots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
