/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_LOAD_WORKER_FIXTURE_H
#define REGIO_TESTS_UNIT_LOAD_WORKER_FIXTURE_H

/* One worker on a scripted engine, run in the thread of the test. */

#include <errno.h>

#include "fake_engine.h"
#include "fixture.h"
#include "load/gate.h"
#include "load/load.h"
#include "load/worker.h"
#include "test.h"

/* A worker on the fake engine with virtual files, run to its end in this thread. */
struct bench {
	struct fake fake;
	struct file_table files;
	struct region region;
	size_t file;
	struct clone_plan plan;
	struct clock clock;
	struct load_config load;
	struct gate gate;
	struct worker *worker;
};

static inline void bench_init(struct bench *bench, const struct job *job,
			      const struct engine_ops *engine)
{
	*bench = (struct bench){
		.clock = CLOCK_INIT,
		.region = { .len_bytes = job->size.bytes },
		.plan = {
			.job = job,
			.engine = engine,
			.iodepth = engine_is_async(engine) ? job->iodepth : 1,
			.dirs = plan_dirs(job),
			.nr_files = 1,
			.limit_bytes = job->size.bytes,
		},
	};
	bench->load = (struct load_config){ .clock = &bench->clock, .seed = 1 };
	fake_init(&bench->fake);
	assert_int_equal(file_table_add(&bench->files, "virtual", true, &bench->file, NULL), 0);
	assert_int_equal(gate_init(&bench->gate, NULL), 0);
	gate_set(&bench->gate, GATE_OPEN);
}

static inline void bench_run(struct bench *bench)
{
	const struct worker_config config = {
		.plan = &bench->plan,
		.files = &bench->files,
		.gate = &bench->gate,
		.load = &bench->load,
	};

	bench->plan.files = &bench->file;
	bench->plan.regions = &bench->region;
	bench->worker = worker_create(&config);
	assert_non_null(bench->worker);
	(void)worker_main(bench->worker);
	assert_int_equal(bench->fake.nr_opened, bench->fake.nr_closed);
	assert_int_equal(bench->fake.nr_queued, 0); /* everything was reaped */
}

/* With nothing set apart before it runs. */
static inline void bench_run_job(struct bench *bench, const struct job *job,
				 const struct engine_ops *engine)
{
	bench_init(bench, job, engine);
	bench_run(bench);
}

/* The same where nothing fails: all of the region is written, four at a time. */
static inline void bench_write_all(struct bench *bench, struct job *job,
				   const struct engine_ops *engine)
{
	job->rw = RW_WRITE;
	fixture_set_depth(job, 4);
	bench_run_job(bench, job, engine);
	assert_int_equal(bench->worker->failure.error, 0);
}

static inline void bench_release(struct bench *bench)
{
	worker_free(bench->worker);
	gate_release(&bench->gate);
	file_table_release(&bench->files);
	fake_release(&bench->fake);
}

static inline void assert_latency(const struct latency *latency, uint64_t n)
{
	assert_int_equal(latency->moments.n, n);
	if (n)
		assert_int_equal(hist_total(latency->hist), n);
}

static inline void assert_counts(const struct bench *bench, enum io_dir dir, uint64_t ios,
				 uint64_t bytes, uint64_t latencies)
{
	const struct dir_result *counts = &bench->worker->dir[dir];

	assert_int_equal(counts->total_ios, ios);
	assert_int_equal(counts->io_bytes, bytes);
	assert_latency(&counts->latency[LATENCY_CLAT], latencies);
	if (engine_is_async(bench->plan.engine)) {
		assert_latency(&counts->latency[LATENCY_SLAT], latencies);
		assert_latency(&counts->latency[LATENCY_LAT], latencies);
		/* slat + clat = lat, exactly */
		assert_int_equal(counts->latency[LATENCY_SLAT].moments.sum +
					 counts->latency[LATENCY_CLAT].moments.sum,
				 counts->latency[LATENCY_LAT].moments.sum);
	}
}

static const struct engine_ops *const engines[] = { &fake_sync, &fake_async };

static inline int64_t all_of(const struct io_req *req)
{
	return req->len_bytes;
}

#endif
