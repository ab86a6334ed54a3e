/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_stream_file: offsets and lengths of mixed streams. */
#include "load/stream.h"

#include <string.h>

#include "stream_fixture.h"
#include "test.h"

/* Positions of the first I/Os of rw=read:step, bs=1m, size=8m. */
static void assert_steps(int64_t step_mib, const uint64_t *want_mib, unsigned nr)
{
	struct job job = fixture_job();
	const struct region region = { 16 * MIB, 8 * MIB };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream stream;
	struct io_req req = { .buf = NULL };

	fixture_set_bs(&job, MIB, MIB);
	job.rw_step_bytes = step_mib * (int64_t)MIB;
	stream_init(&stream, &config);
	for (unsigned i = 0; i < nr; i++) {
		assert_true(stream_next(&stream, &req));
		assert_int_equal(req.offset_bytes, (16 + want_mib[i]) * MIB);
	}
	assert_false(stream_next(&stream, &req));
	stream_release(&stream);
}

static void test_steps(void **state)
{
	static const uint64_t holes[] = { 0, 2, 4, 6, 0, 2, 4, 6 };
	static const uint64_t backwards[] = { 6, 5, 4, 3, 2, 1, 0, 6 };
	static const uint64_t same[] = { 7, 7, 7, 7, 7, 7, 7, 7 };
	struct job job = fixture_job();

	(void)state;
	assert_steps(1, holes, 8); /* wraps until 8 MiB are read */
	assert_steps(-2, backwards, 8);
	assert_steps(-1, same, 8);
	/* the last step leaves room for half a block: the pass ends (fio's t0007) */
	fixture_set_bs(&job, MIB, MIB);
	job.rw_step_bytes = 512 * KIB;
	assert_int_equal(fixture_drain(&job, 128 * MIB).bytes[IO_READ], 87040 * KIB);
}

static void test_random_every(void **state)
{
	struct job job = fixture_job();
	const struct region region = { 0, MIB };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream stream;
	struct io_req req = { .buf = NULL };
	uint64_t end_bytes = 0;
	unsigned nr_jumps = 0;

	(void)state;
	job.rw = RW_READ | RW_RANDOM;
	job.rw_random_every = 8;
	stream_init(&stream, &config);
	for (unsigned i = 0; i < 256; i++) {
		assert_true(stream_next(&stream, &req));
		nr_jumps += i == 0 || req.offset_bytes != end_bytes;
		end_bytes = req.offset_bytes + req.len_bytes;
	}
	assert_false(stream_next(&stream, &req));
	assert_in_range(nr_jumps, 30, 45); /* 32, and one more where the end of the region is met */
	stream_release(&stream);
}

static void test_trimwrite(void **state)
{
	static const unsigned modes[] = { 0, RW_RANDOM };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct job job = fixture_job();
		const struct region region = { 0, MIB };
		struct stream_config config = fixture_config(&job, &region, 1);
		struct stream stream;
		struct io_req trim = { .buf = NULL }, write = { .buf = NULL };
		struct fixture_tally tally;

		job.rw = RW_TRIM | RW_WRITE | RW_TRIM_THEN_WRITE | modes[i];
		fixture_set_bs(&job, 4 * KIB, 16 * KIB);
		stream_init(&stream, &config);
		while (stream_next(&stream, &trim)) {
			assert_int_equal(trim.dir, IO_TRIM);
			assert_int_equal(stream_dir(&stream), IO_WRITE);
			assert_true(stream_next(&stream, &write));
			assert_int_equal(write.dir, IO_WRITE);
			assert_int_equal(write.offset_bytes, trim.offset_bytes);
			assert_int_equal(write.len_bytes, trim.len_bytes);
		}
		stream_release(&stream);
		fixture_set_bs(&job, 4 * KIB, 4 * KIB);
		tally = fixture_drain(&job, MIB);
		assert_int_equal(tally.bytes[IO_TRIM], MIB);
		assert_int_equal(tally.bytes[IO_WRITE], MIB);
		job.number_ios = 100; /* pairs */
		assert_int_equal(fixture_drain(&job, MIB).ios[IO_TRIM], 100);
		assert_int_equal(fixture_drain(&job, MIB).ios[IO_WRITE], 100);
	}
}

static void test_mix(void **state)
{
	static const unsigned percents[] = { 0, 20, 50, 100 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct job job = fixture_job();
		struct fixture_tally tally;

		job.rw = RW_READ | RW_WRITE | RW_RANDOM;
		job.rwmix_read_percent = percents[i];
		tally = fixture_drain(&job, 40 * MIB);
		assert_int_equal(tally.ios[IO_READ] + tally.ios[IO_WRITE], 10240);
		/* binomial: 5 standard deviations are at most 253 */
		assert_in_range(tally.ios[IO_READ] + 253, 10240 * percents[i] / 100,
				10240 * percents[i] / 100 + 506);
	}
}

/* randrw with one block size visits each block once, read or written. */
static void test_mix_shares_one_order(void **state)
{
	struct job job = fixture_job();
	const struct region region = { 0, 256 * BLOCK };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream stream;
	struct io_req req = { .buf = NULL };
	bool seen[256] = { false };

	(void)state;
	job.rw = RW_READ | RW_WRITE | RW_RANDOM;
	stream_init(&stream, &config);
	while (stream_next(&stream, &req)) {
		assert_false(seen[req.offset_bytes / (4 * KIB)]);
		seen[req.offset_bytes / (4 * KIB)] = true;
	}
	for (unsigned i = 0; i < 256; i++)
		assert_true(seen[i]);
	stream_release(&stream);
}

/* bs=4k,8k: each direction in blocks of its own, none twice. */
static void test_mix_of_block_sizes(void **state)
{
	struct job job = fixture_job();
	const struct region region = { 0, MIB };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream stream;
	struct io_req req = { .buf = NULL };
	bool seen[2][256] = { { false } };
	uint64_t bytes = 0;

	(void)state;
	job.rw = RW_READ | RW_WRITE | RW_RANDOM;
	job.bs_min_bytes[IO_WRITE] = job.bs_max_bytes[IO_WRITE] = 8 * KIB;
	stream_init(&stream, &config);
	while (stream_next(&stream, &req)) {
		uint64_t bs = req.dir == IO_READ ? 4 * KIB : 8 * KIB;

		assert_int_equal(req.len_bytes, bs);
		assert_int_equal(req.offset_bytes % bs, 0);
		assert_false(seen[req.dir][req.offset_bytes / bs]);
		seen[req.dir][req.offset_bytes / bs] = true;
		bytes += bs;
	}
	assert_in_range(bytes, MIB, MIB + 4 * KIB);
	stream_release(&stream);
}

static void test_block_ranges(void **state)
{
	struct job job = fixture_job();
	const struct region region = { 0, 4 * MIB };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream stream;
	struct io_req req = { .buf = NULL };
	unsigned counts[5] = { 0 };
	bool seen[1024] = { false };
	uint64_t bytes = 0;

	(void)state;
	/* norandommap: lengths alone, uniform in multiples of the smallest */
	job.rw = RW_READ | RW_RANDOM;
	job.norandommap = true;
	job.io_size.bytes = 400 * MIB;
	job.io_size.is_set = true;
	fixture_set_bs(&job, 4 * KIB, 16 * KIB);
	config = fixture_config(&job, &region, 1);
	stream_init(&stream, &config);
	while (stream_next(&stream, &req)) {
		assert_int_equal(req.len_bytes % BLOCK, 0);
		assert_true(req.offset_bytes + req.len_bytes <= 4 * MIB);
		counts[req.len_bytes / (4 * KIB)]++;
	}
	for (unsigned i = 1; i <= 4; i++)
		assert_in_range(counts[i], 9700, 10800); /* of 40960 */
	stream_release(&stream);

	/* with a map: every block once */
	job.norandommap = false;
	job.io_size.is_set = false;
	config = fixture_config(&job, &region, 1);
	stream_init(&stream, &config);
	while (stream_next(&stream, &req)) {
		assert_true(req.len_bytes > 0);
		for (uint64_t at = 0; at < req.len_bytes; at += BLOCK) {
			uint64_t block = (req.offset_bytes + at) / (4 * KIB);

			assert_true(block < 1024);
			assert_false(seen[block]);
			seen[block] = true;
		}
		bytes += req.len_bytes;
	}
	assert_int_equal(bytes, 4 * MIB);
	stream_release(&stream);
	assert_int_equal(stream_map_bytes(&job, 4 * MIB), 17 * 8);
	job.norandommap = true;
	assert_int_equal(stream_map_bytes(&job, 4 * MIB), 0);
}

/* 3k-10k: 3, 6 and 9 k at 30 % each, 10 k takes the rest. */
static void test_block_range_overhang(void **state)
{
	struct job job = fixture_job();
	const struct region region = { 0, 1000 * MIB };
	struct stream_config config;
	struct stream stream;
	struct io_req req = { .buf = NULL };
	unsigned counts[11] = { 0 };

	(void)state;
	fixture_set_bs(&job, 3 * KIB, 10 * KIB);
	job.number_ios = 10000;
	config = fixture_config(&job, &region, 1);
	stream_init(&stream, &config);
	while (stream_next(&stream, &req))
		counts[req.len_bytes / KIB]++;
	assert_in_range(counts[3], 2750, 3250);
	assert_in_range(counts[6], 2750, 3250);
	assert_in_range(counts[9], 2750, 3250);
	assert_in_range(counts[10], 850, 1150);
	assert_int_equal(counts[3] + counts[6] + counts[9] + counts[10], 10000);
	stream_release(&stream);
}

static void test_several_files(void **state)
{
	struct job job = fixture_job();
	/* 1 MiB over 5 files: 209715 bytes hold 51 blocks of 4 KiB */
	struct region regions[5];
	struct stream_config config;
	struct stream stream;
	struct io_req req = { .buf = NULL };
	unsigned counts[5] = { 0 };
	unsigned nr = 0;

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		regions[i] = (struct region){ 0, MIB / 5 + (i < MIB % 5) };
	config = fixture_config(&job, regions, 5);
	stream_init(&stream, &config);
	assert_false(stream.is_simple);
	while (stream_next(&stream, &req)) {
		assert_int_equal(req.file, nr % 5); /* in turn */
		assert_int_equal(req.offset_bytes, nr / 5 * BLOCK);
		counts[req.file]++;
		nr++;
	}
	assert_int_equal(nr, 255);
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(counts[i], 51);
	stream_release(&stream);
}

/* A short file is left out for the rest of the pass. */
static void test_files_of_unequal_size(void **state)
{
	struct job job = fixture_job();
	const struct region regions[] = { { 0, 8 * KIB }, { 0, 40 * KIB } };
	struct stream_config config = fixture_config(&job, regions, 2);
	struct stream stream;
	struct io_req req = { .buf = NULL };
	unsigned counts[2] = { 0 };

	(void)state;
	stream_init(&stream, &config);
	while (stream_next(&stream, &req))
		counts[req.file]++;
	assert_int_equal(counts[0], 2);
	assert_int_equal(counts[1], 10);
	stream_release(&stream);
}

/* A direction whose block does not fit at all ends the stream instead of spinning. */
static void test_no_room(void **state)
{
	struct job job = fixture_job();
	const struct region region = { 0, 4 * KIB };
	struct stream_config config;
	struct stream stream;
	struct io_req req = { .buf = NULL };

	(void)state;
	job.rw = RW_READ | RW_WRITE;
	job.rwmix_read_percent = 0;
	job.bs_min_bytes[IO_WRITE] = job.bs_max_bytes[IO_WRITE] = 8 * KIB;
	job.io_size.bytes = MIB;
	job.io_size.is_set = true;
	config = fixture_config(&job, &region, 1);
	stream_init(&stream, &config);
	assert_false(stream_next(&stream, &req));
	stream_release(&stream);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_random_every),
		cmocka_unit_test(test_trimwrite),
		cmocka_unit_test(test_mix),
		cmocka_unit_test(test_mix_shares_one_order),
		cmocka_unit_test(test_mix_of_block_sizes),
		cmocka_unit_test(test_block_ranges),
		cmocka_unit_test(test_block_range_overhang),
		cmocka_unit_test(test_several_files),
		cmocka_unit_test(test_files_of_unequal_size),
		cmocka_unit_test(test_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
