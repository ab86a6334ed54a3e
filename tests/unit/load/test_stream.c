/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_stream: amounts, loops and passes; the orders of simple streams. */
#include "load/stream.h"

#include <string.h>

#include "stream_fixture.h"
#include "test.h"

/* The numbers of these cases are those of fio 3.33. */
static void test_counts(void **state)
{
	static const struct {
		uint64_t size_kib, bs, io_size_kib, number_ios;
		unsigned loops;
		uint64_t ios;
	} cases[] = {
		{ 100, 8 * KIB, 0, 0, 1, 12 }, /* a partial last block is not issued */
		{ 1024, 4 * KIB, 0, 0, 1, 256 },
		{ 1024, 4 * KIB, 0, 0, 3, 768 },
		{ 1024, 4 * KIB, 0, 10, 1, 10 },
		{ 1024, 4 * KIB, 0, 10, 3, 30 },    /* number_ios x loops */
		{ 1024, 4 * KIB, 0, 1000, 1, 256 }, /* size comes first */
		{ 1024, 4 * KIB, 0, 1000, 2, 512 },
		{ 1024, 4 * KIB, 300, 0, 3, 225 },
		{ 1024, 4 * KIB, 301, 0, 1, 76 }, /* the last one goes over */
		{ 1024, 4 * KIB, 2500, 0, 1, 625 },
		{ 1024, 3 * KIB, 2500, 0, 1, 834 }, /* 341 a pass */
		{ 1024, 4 * KIB, 10240, 1000, 1, 1000 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (unsigned rw = RW_READ; rw <= (RW_READ | RW_RANDOM); rw += RW_RANDOM) {
			struct job job = fixture_job();
			struct fixture_tally tally;

			job.rw = rw;
			job.loops = cases[i].loops;
			job.number_ios = cases[i].number_ios;
			job.io_size.bytes = cases[i].io_size_kib * KIB;
			job.io_size.is_set = cases[i].io_size_kib > 0;
			fixture_set_bs(&job, cases[i].bs, cases[i].bs);
			tally = fixture_drain(&job, cases[i].size_kib * KIB);
			assert_int_equal(tally.ios[IO_READ], cases[i].ios);
			assert_int_equal(tally.bytes[IO_READ], cases[i].ios * cases[i].bs);
		}
	}
}

static void test_sequential_offsets(void **state)
{
	struct job job = fixture_job();
	const struct region region = { 10 * KIB, 12 * KIB };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream stream;
	struct io_req req = { .buf = NULL };

	(void)state;
	job.loops = 2;
	stream_init(&stream, &config);
	assert_true(stream.is_simple);
	for (unsigned i = 0; i < 6; i++) {
		assert_true(stream_next(&stream, &req));
		assert_int_equal(req.offset_bytes, 10 * KIB + i % 3 * BLOCK);
	}
	assert_false(stream_next(&stream, &req));
	assert_false(stream_next(&stream, &req));
	stream_release(&stream);
}

/* Each block once a pass, the same order in each loop with randrepeat, another without. */
static void check_random_loops(bool randrepeat)
{
	struct job job = fixture_job();
	const struct region region = { 0, 256 * BLOCK };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream stream;
	struct io_req req = { .buf = NULL };
	uint64_t first[256];
	unsigned nr_equal = 0;

	job.rw = RW_READ | RW_RANDOM;
	job.loops = 2;
	job.randrepeat = randrepeat;
	stream_init(&stream, &config);
	for (unsigned loop = 0; loop < 2; loop++) {
		bool seen[256] = { false };

		for (unsigned i = 0; i < 256; i++) {
			uint64_t block;

			assert_true(stream_next(&stream, &req));
			block = req.offset_bytes / (4 * KIB);
			assert_int_equal(req.offset_bytes % (4 * KIB), 0);
			assert_true(block < 256);
			assert_false(seen[block]);
			seen[block] = true;
			nr_equal += loop && first[i] == block;
			first[i] = block;
		}
	}
	assert_false(stream_next(&stream, &req));
	if (randrepeat)
		assert_int_equal(nr_equal, 256);
	else
		assert_true(nr_equal < 20);
	stream_release(&stream);
}

static void test_random_passes(void **state)
{
	(void)state;
	check_random_loops(true);
	check_random_loops(false);
}

static void test_norandommap_draws_independently(void **state)
{
	struct job job = fixture_job();
	const struct region region = { 4 * KIB, 1002 * KIB };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream stream;
	struct io_req req = { .buf = NULL };
	unsigned counts[250] = { 0 };
	unsigned nr_missed = 0;
	unsigned nr = 0;

	(void)state;
	job.rw = RW_WRITE | RW_RANDOM;
	job.norandommap = true;
	stream_init(&stream, &config);
	while (stream_next(&stream, &req)) {
		counts[(req.offset_bytes - 4 * KIB) / (4 * KIB)]++;
		nr++;
	}
	assert_int_equal(nr, 251); /* until 1002 KiB are reached, as fio */
	for (unsigned i = 0; i < 250; i++)
		nr_missed += counts[i] == 0;
	assert_in_range(nr_missed, 60, 125); /* 250 / e = 92 are expected */
	stream_release(&stream);
}

static void test_time_based_goes_on(void **state)
{
	struct job job = fixture_job();
	struct fixture_tally tally;

	(void)state;
	job.time_based = true;
	job.runtime_ns = 1;
	tally = fixture_drain_at(&job, 0, MIB, 1000);
	assert_int_equal(tally.ios[IO_READ], 1000);
	assert_int_equal(tally.nr_new_passes, 3);
	job.number_ios = 700; /* ends it all the same */
	assert_int_equal(fixture_drain(&job, MIB).ios[IO_READ], 700);
	job.number_ios = 0;
	job.runtime_ns = 0; /* without runtime it is ignored */
	assert_int_equal(fixture_drain(&job, MIB).ios[IO_READ], 256);
}

static void test_forget_ios(void **state)
{
	struct job job = fixture_job();
	const struct region region = { 0, 100 * MIB };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct io_req req = { .buf = NULL };

	(void)state;
	job.number_ios = 100;
	for (unsigned simple = 0; simple < 2; simple++) {
		struct stream stream;
		unsigned nr = 0;

		fixture_set_bs(&job, 4 * KIB, simple ? 4 * KIB : 8 * KIB);
		stream_init(&stream, &config);
		for (unsigned i = 0; i < 60; i++)
			assert_true(stream_next(&stream, &req));
		stream_forget_ios(&stream);
		while (stream_next(&stream, &req))
			nr++;
		assert_int_equal(nr, 100);
		stream_release(&stream);
	}
}

static void test_seed_decides(void **state)
{
	struct job job = fixture_job();
	const struct region region = { 0, MIB };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream streams[3];
	unsigned nr_equal = 0;

	(void)state;
	job.rw = RW_READ | RW_WRITE | RW_RANDOM;
	stream_init(&streams[0], &config);
	stream_init(&streams[1], &config);
	config.seed++;
	stream_init(&streams[2], &config);
	for (unsigned i = 0; i < 256; i++) {
		struct io_req reqs[3];

		memset(reqs, 0, sizeof(reqs));
		for (unsigned k = 0; k < 3; k++)
			assert_true(stream_next(&streams[k], &reqs[k]));
		assert_int_equal(reqs[0].offset_bytes, reqs[1].offset_bytes);
		assert_int_equal(reqs[0].dir, reqs[1].dir);
		nr_equal += reqs[0].offset_bytes == reqs[2].offset_bytes;
	}
	assert_true(nr_equal < 20);
	for (unsigned k = 0; k < 3; k++)
		stream_release(&streams[k]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_sequential_offsets),
		cmocka_unit_test(test_random_passes),
		cmocka_unit_test(test_norandommap_draws_independently),
		cmocka_unit_test(test_time_based_goes_on),
		cmocka_unit_test(test_forget_ios),
		cmocka_unit_test(test_seed_decides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
