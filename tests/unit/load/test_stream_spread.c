/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Streams whose blocks are not equally likely, aligned or large: distributions, splits, zones. */
#include <math.h>
#include <string.h>

#include "load/spread.h"
#include "load/stream.h"
#include "stream_fixture.h"
#include "test.h"

#define NR 1000
#define NR_DRAWS 200000

static void draw(const struct distribution *distribution, double ret_share[NR])
{
	struct spread spread;
	struct rng rng;

	rng_init(&rng, 5);
	memset(ret_share, 0, NR * sizeof(ret_share[0]));
	spread_init(&spread, distribution, IO_READ, NR, 4 * KIB, &rng);
	for (unsigned i = 0; i < NR_DRAWS; i++) {
		uint64_t block = spread_draw(&spread, &rng);

		assert_true(block < NR);
		ret_share[block] += 1.0 / NR_DRAWS;
	}
}

/* 6 standard deviations of a binomial share. */
static void check_share(double share, double expected)
{
	assert_true(fabs(share - expected) < 6 * sqrt(expected / NR_DRAWS) + 1e-4);
}

static void test_zipf(void **state)
{
	static const double thetas[] = { 0.5, 0.99, 1.2, 3 };
	double share[NR];

	(void)state;
	for (size_t i = 0; i < sizeof(thetas) / sizeof(thetas[0]); i++) {
		const struct distribution zipf = { .kind = DISTRIBUTION_ZIPF,
						   .parameter = thetas[i],
						   .has_center = true };
		double sum = 0;

		for (unsigned rank = 1; rank <= NR; rank++)
			sum += pow(rank, -thetas[i]);
		draw(&zipf, share);
		for (unsigned rank = 1; rank <= NR; rank++)
			check_share(share[rank - 1], pow(rank, -thetas[i]) / sum);
	}
}

/* Without a centre the likely blocks are somewhere, but they are as likely. */
static void test_zipf_scattered(void **state)
{
	const struct distribution zipf = { .kind = DISTRIBUTION_ZIPF, .parameter = 1.2 };
	double share[NR];
	double sum = 0;
	double largest = 0;

	(void)state;
	for (unsigned rank = 1; rank <= NR; rank++)
		sum += pow(rank, -1.2);
	draw(&zipf, share);
	for (unsigned i = 0; i < NR; i++)
		largest = fmax(largest, share[i]);
	check_share(largest, 1 / sum);
}

/* h of the accesses go to 1 - h .. : the share below x of the range is x^(1/power). */
static void test_pareto(void **state)
{
	const struct distribution pareto = { .kind = DISTRIBUTION_PARETO,
					     .parameter = 0.2,
					     .has_center = true };
	double share[NR];
	double low = 0;

	(void)state;
	draw(&pareto, share);
	for (unsigned i = 0; i < NR / 5; i++)
		low += share[i];
	assert_true(fabs(low - 0.8) < 0.01);
}

static void test_normal(void **state)
{
	const struct distribution normal = {
		.kind = DISTRIBUTION_NORMAL, .parameter = 10, .center = 0.25, .has_center = true
	};
	double share[NR];
	double inside = 0;

	(void)state;
	draw(&normal, share);
	for (unsigned i = 150; i < 350; i++)
		inside += share[i];
	assert_true(fabs(inside - 0.6827) < 0.01); /* one standard deviation to both sides */
}

static void test_zoned(void **state)
{
	static const struct access_zone by_share[] = {
		{ .access_percent = 60, .size_percent = 10 },
		{ .access_percent = 30, .size_percent = 20 },
		{ .access_percent = 10, .size_percent = 70 },
	};
	static const struct access_zone by_bytes[] = {
		{ .access_percent = 60, .size_bytes = 400 * KIB },
		{ .access_percent = 30, .size_bytes = 800 * KIB },
		{ .access_percent = 10, .size_bytes = 100 * MIB },
	};
	struct distribution zoned = { .kind = DISTRIBUTION_ZONED };
	double share[NR];

	(void)state;
	for (unsigned round = 0; round < 2; round++) {
		double sums[3] = { 0 };

		zoned.zones[IO_READ].items = round ? by_bytes : by_share;
		zoned.zones[IO_READ].nr = 3;
		zoned.kind = round ? DISTRIBUTION_ZONED_BYTES : DISTRIBUTION_ZONED;
		draw(&zoned, share);
		for (unsigned i = 0; i < NR; i++)
			sums[i < 100 ? 0 : i < 300 ? 1 : 2] += share[i];
		check_share(sums[0], 0.6);
		check_share(sums[1], 0.3);
		check_share(sums[2], 0.1);
	}
}

/* Offsets as fio 3.33 gives them for the same options. */
static void test_strided(void **state)
{
	static const unsigned expected_kib[] = { 0,   8,   16,	24,  0,	  8,   16,  24,
						 64,  72,  80,	88,  64,  72,  80,  88,
						 128, 136, 144, 152, 128, 136, 144, 152,
						 192, 200, 208, 216, 192, 200, 208, 216 };
	struct job job = fixture_job();
	const struct region region = { 0, 256 * KIB };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream stream;
	struct io_req req = { .buf = NULL };

	(void)state;
	job.zonemode = ZONEMODE_STRIDED;
	job.zone_size_bytes = 64 * KIB;
	job.zone_range_bytes = 32 * KIB;
	job.zone_skip_bytes = 32 * KIB;
	fixture_set_bs(&job, 8 * KIB, 8 * KIB);
	stream_init(&stream, &config);
	for (size_t i = 0; i < sizeof(expected_kib) / sizeof(expected_kib[0]); i++) {
		assert_true(stream_next(&stream, &req));
		assert_int_equal(req.offset_bytes, expected_kib[i] * KIB);
	}
	assert_false(stream_next(&stream, &req));
	stream_release(&stream);
}

/* Random blocks of a zone: each once, then the next zone. */
static void test_strided_random(void **state)
{
	struct job job = fixture_job();
	const struct region region = { MIB, MIB };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream stream;
	struct io_req req = { .buf = NULL };
	bool seen[256] = { false };

	(void)state;
	job.rw = RW_READ | RW_RANDOM;
	job.zonemode = ZONEMODE_STRIDED;
	job.zone_size_bytes = job.zone_range_bytes = 64 * KIB;
	stream_init(&stream, &config);
	for (unsigned i = 0; i < 256; i++) {
		size_t block;

		assert_true(stream_next(&stream, &req));
		block = (size_t)((req.offset_bytes - MIB) / BLOCK);
		assert_int_equal(block / 16, i / 16);
		assert_false(seen[block]);
		seen[block] = true;
	}
	assert_false(stream_next(&stream, &req));
	stream_release(&stream);
}

static void test_splits(void **state)
{
	static const struct bs_share shares[] = { { 4 * KIB, 20 },
						  { 16 * KIB, 30 },
						  { 64 * KIB, 50 } };
	struct job job = fixture_job();
	const struct region region = { 0, 4096 * MIB };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream stream;
	struct io_req req = { .buf = NULL };
	unsigned counts[3] = { 0 };

	(void)state;
	job.bs_split[IO_READ] = (struct bs_split){ shares, 3 };
	fixture_set_bs(&job, 4 * KIB, 64 * KIB);
	stream_init(&stream, &config);
	for (unsigned i = 0; i < 20000; i++) {
		assert_true(stream_next(&stream, &req));
		assert_true(req.len_bytes == 4 * KIB || req.len_bytes == 16 * KIB ||
			    req.len_bytes == 64 * KIB);
		counts[req.len_bytes == 4 * KIB ? 0 : req.len_bytes == 16 * KIB ? 1 : 2]++;
	}
	assert_in_range(counts[0], 3700, 4300);
	assert_in_range(counts[1], 5600, 6400);
	assert_in_range(counts[2], 9600, 10400);
	stream_release(&stream);
}

/* With a map the sizes of a split cover the region once. */
static void test_split_covers(void **state)
{
	static const struct bs_share shares[] = { { 4 * KIB, 50 }, { 16 * KIB, 50 } };
	struct job job = fixture_job();
	const struct region region = { 0, 16 * MIB };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream stream;
	struct io_req req = { .buf = NULL };
	static bool seen[4096];

	(void)state;
	job.rw = RW_WRITE | RW_RANDOM;
	job.bs_split[IO_WRITE] = (struct bs_split){ shares, 2 };
	fixture_set_bs(&job, 4 * KIB, 16 * KIB);
	stream_init(&stream, &config);
	while (stream_next(&stream, &req)) {
		for (uint64_t at = 0; at < req.len_bytes; at += BLOCK) {
			bool *block = &seen[(req.offset_bytes + at) / BLOCK];

			assert_false(*block);
			*block = true;
		}
	}
	for (size_t i = 0; i < 4096; i++)
		assert_true(seen[i]);
	stream_release(&stream);
}

static void test_blockalign(void **state)
{
	struct job job = fixture_job();
	const struct region region = { 0, 64 * KIB };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream stream;
	struct io_req req = { .buf = NULL };
	bool is_odd = false;

	(void)state;
	job.rw = RW_READ | RW_RANDOM;
	job.norandommap = true;
	job.ba_bytes[IO_READ] = 512;
	stream_init(&stream, &config);
	while (stream_next(&stream, &req)) {
		assert_int_equal(req.offset_bytes % 512, 0);
		assert_true(req.offset_bytes + req.len_bytes <= 64 * KIB);
		is_odd |= req.offset_bytes % BLOCK != 0;
	}
	assert_true(is_odd);
	stream_release(&stream);
}

static void test_percentage_random(void **state)
{
	struct job job = fixture_job();
	const struct region region = { 0, 256 * MIB };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream stream;
	struct io_req req = { .buf = NULL };
	uint64_t end_bytes = 0;
	unsigned nr_sequential = 0;

	(void)state;
	job.rw = RW_READ | RW_RANDOM;
	job.random_percent[IO_READ] = 30;
	stream_init(&stream, &config);
	for (unsigned i = 0; i < 10000; i++) {
		assert_true(stream_next(&stream, &req));
		nr_sequential += req.offset_bytes == end_bytes;
		end_bytes = req.offset_bytes + req.len_bytes;
	}
	assert_in_range(nr_sequential, 6800, 7200);
	stream_release(&stream);
}

static void test_identical(void **state)
{
	struct job job = fixture_job();
	const struct region region = { 0, 256 * MIB };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream stream;
	struct io_req req = { .buf = NULL };
	uint64_t offset_bytes = 0;

	(void)state;
	job.rw = RW_READ | RW_RANDOM;
	job.rw_random_every = 4;
	job.rw_sequencer = SEQUENCER_IDENTICAL;
	stream_init(&stream, &config);
	for (unsigned i = 0; i < 400; i++) {
		assert_true(stream_next(&stream, &req));
		if (i % 4)
			assert_int_equal(req.offset_bytes, offset_bytes);
		offset_bytes = req.offset_bytes;
	}
	stream_release(&stream);
}

/* lfsr visits every block once, norandommap or not. */
static void test_lfsr(void **state)
{
	struct job job = fixture_job();
	const struct region region = { 0, MIB };
	struct stream_config config = fixture_config(&job, &region, 1);
	struct stream stream;
	struct io_req req = { .buf = NULL };
	bool seen[256] = { false };

	(void)state;
	job.rw = RW_READ | RW_RANDOM;
	job.norandommap = true;
	job.random_generator = RANDOM_LFSR;
	stream_init(&stream, &config);
	while (stream_next(&stream, &req)) {
		assert_false(seen[req.offset_bytes / BLOCK]);
		seen[req.offset_bytes / BLOCK] = true;
	}
	stream_release(&stream);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_zipf),
		cmocka_unit_test(test_zipf_scattered),
		cmocka_unit_test(test_pareto),
		cmocka_unit_test(test_normal),
		cmocka_unit_test(test_zoned),
		cmocka_unit_test(test_strided),
		cmocka_unit_test(test_strided_random),
		cmocka_unit_test(test_splits),
		cmocka_unit_test(test_split_covers),
		cmocka_unit_test(test_blockalign),
		cmocka_unit_test(test_percentage_random),
		cmocka_unit_test(test_identical),
		cmocka_unit_test(test_lfsr),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
