/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_LOAD_STREAM_FIXTURE_H
#define REGIO_TESTS_UNIT_LOAD_STREAM_FIXTURE_H

/* Takes streams to their end and counts what they gave. */

#include "fixture.h"
#include "load/stream.h"
#include "test.h"

/* What a stream gave from its start to its end. */
struct fixture_tally {
	uint64_t ios[IO_NR_DATA_DIRS];
	uint64_t bytes[IO_NR_DATA_DIRS];
	unsigned nr_new_passes;
};

static inline void fixture_count_pass(void *arg)
{
	struct fixture_tally *tally = arg;

	tally->nr_new_passes++;
}

static inline struct stream_config fixture_config(const struct job *job,
						  const struct region *regions, size_t nr_files)
{
	struct stream_config config = {
		.job = job, .regions = regions, .nr_files = nr_files, .seed = 42
	};

	for (size_t i = 0; i < nr_files; i++)
		config.limit_bytes += regions[i].len_bytes;
	if (job->io_size.is_set) {
		config.limit_bytes = job->io_size.bytes;
		config.is_limit_wrapping = true;
	}
	return config;
}

/* One file of size_bytes from offset start_bytes on, taken to the end (at most max I/Os). */
static inline struct fixture_tally fixture_drain_at(const struct job *job, uint64_t start_bytes,
						    uint64_t size_bytes, uint64_t max)
{
	const struct region region = { start_bytes, size_bytes };
	struct stream_config config = fixture_config(job, &region, 1);
	struct fixture_tally tally = { .nr_new_passes = 0 };
	struct io_req req = { .buf = NULL };
	struct stream stream;

	config.new_pass = fixture_count_pass;
	config.arg = &tally;
	stream_init(&stream, &config);
	while (max-- > 0 && stream_next(&stream, &req)) {
		assert_true(req.offset_bytes >= start_bytes);
		assert_true(req.offset_bytes + req.len_bytes <= start_bytes + size_bytes);
		tally.ios[req.dir]++;
		tally.bytes[req.dir] += req.len_bytes;
	}
	stream_release(&stream);
	return tally;
}

static inline struct fixture_tally fixture_drain(const struct job *job, uint64_t size_bytes)
{
	return fixture_drain_at(job, 0, size_bytes, UINT64_MAX);
}

#endif
