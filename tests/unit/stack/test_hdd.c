/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A disk as arithmetic: the curve meets the three times of the data sheet, and the head is where
 * the sector comes round. */
#include "stack/hdd.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "test.h"

/* At 150 MiB/s and 7200 rpm a track holds 1.25 MiB. */
#define TRACK_BYTES UINT64_C(1310720)
#define REVOLUTION_NS UINT64_C(8333333)
#define NR_TRACKS UINT64_C(4000)
#define SIZE_BYTES (NR_TRACKS * TRACK_BYTES)

static struct hdd usual_hdd(void)
{
	struct hdd_shape shape = HDD_SHAPE_DEFAULT;
	struct hdd hdd;

	shape.size_bytes = SIZE_BYTES;
	assert_int_equal(hdd_init(&shape, &hdd, NULL), 0);
	return hdd;
}

static void assert_near(double value, double expected, double relative)
{
	if (fabs(value - expected) > relative * expected)
		fail_msg("%g is not %g within %g", value, expected, relative);
}

static void the_curve_meets_the_data_sheet(void **state)
{
	const struct hdd hdd = usual_hdd();
	double weighted_ns = 0;
	double weight = 0;
	uint64_t last_ns = 0;

	(void)state;
	assert_int_equal(hdd_seek_ns(&hdd, 0), 0);
	assert_int_equal(hdd_seek_ns(&hdd, TRACK_BYTES - 1), 0);
	assert_int_equal(hdd_seek_ns(&hdd, TRACK_BYTES), 1000000);
	assert_near((double)hdd_seek_ns(&hdd, SIZE_BYTES), 17e6, 0.001);
	/* between two places anywhere: a distance of x tracks comes 2 (n - x) times */
	for (uint64_t tracks = 1; tracks < NR_TRACKS; tracks++) {
		uint64_t seek_ns = hdd_seek_ns(&hdd, tracks * TRACK_BYTES);
		double share = (double)(NR_TRACKS - tracks);

		assert_true(seek_ns > last_ns);
		last_ns = seek_ns;
		weighted_ns += share * (double)seek_ns;
		weight += share;
	}
	assert_near(weighted_ns / weight, 8.5e6, 0.002);
}

static void what_is_ahead_streams(void **state)
{
	struct hdd hdd = usual_hdd();
	const uint64_t transfer_ns = UINT64_C(1000000000) * 65536 / (UINT64_C(150) << 20);

	(void)state;
	for (uint64_t i = 0; i < 100; i++) /* across tracks, too */
		assert_int_equal(hdd_serve_ns(&hdd, i * 12345678, i * 65536, 65536), transfer_ns);
	assert_int_equal(hdd.head_bytes, 100 * 65536);
	/* the gap passes under the head */
	assert_int_equal(hdd_reach_ns(&hdd, 5, 101 * 65536), transfer_ns);
}

static void one_step_back_waits_for_the_sector(void **state)
{
	struct hdd hdd = usual_hdd();

	(void)state;
	hdd.head_bytes = 65536;
	/* at time 0 the start of a track is under the head: nothing to wait for */
	assert_int_equal(hdd_reach_ns(&hdd, 0, 0), 0);
	/* a moment later it has just gone */
	assert_int_equal(hdd_reach_ns(&hdd, 1, 0), REVOLUTION_NS - 1);
}

/* Wherever the head comes from and whenever: there, the sector is under it. */
static void rotation_ends_at_the_sector(void **state)
{
	struct hdd hdd = usual_hdd();

	(void)state;
	for (uint64_t i = 1; i < 2000; i++) {
		uint64_t from = i * UINT64_C(2654435761) % SIZE_BYTES / 512 * 512;
		uint64_t now_ns = i * UINT64_C(40503000017);
		uint64_t seek_ns;
		uint64_t reach_ns;
		double angle;

		hdd.head_bytes = (i * UINT64_C(97) << 20) % SIZE_BYTES;
		if (from >= hdd.head_bytes && from - hdd.head_bytes < TRACK_BYTES)
			continue;
		reach_ns = hdd_reach_ns(&hdd, now_ns, from);
		seek_ns = hdd_seek_ns(&hdd, from > hdd.head_bytes ? from - hdd.head_bytes
								  : hdd.head_bytes - from);
		assert_in_range(reach_ns, seek_ns, seek_ns + REVOLUTION_NS - 1);
		angle = (double)(from % TRACK_BYTES) / (double)TRACK_BYTES * (double)REVOLUTION_NS;
		assert_int_equal((now_ns + reach_ns) % REVOLUTION_NS, (uint64_t)angle);
	}
}

static void the_next_one_is_chosen(void **state)
{
	struct hdd hdd = usual_hdd();
	struct hdd_wait waits[] = {
		{ .from_bytes = 2000 * TRACK_BYTES },
		{ .from_bytes = 65536 },
		{ .from_bytes = 3000 * TRACK_BYTES },
	};

	(void)state;
	assert_int_equal(hdd_choose(&hdd, 0, waits, 3, false), 0);
	assert_int_equal(hdd_choose(&hdd, 0, waits, 3, true), 1);
	/* nobody waits for ever */
	waits[0].nr_passed = HDD_PATIENCE;
	assert_int_equal(hdd_choose(&hdd, 0, waits, 3, true), 0);
	assert_int_equal(hdd_choose(&hdd, 0, waits, 1, true), 0);
}

static void assert_refused(const struct hdd_shape *shape, const char *message)
{
	struct err err = { .code = 0 };
	struct hdd hdd;

	assert_int_equal(hdd_init(shape, &hdd, &err), -ERR_USAGE);
	if (!strstr(err.msg, message))
		fail_msg("'%s' does not say '%s'", err.msg, message);
}

static void what_is_no_disk(void **state)
{
	struct hdd_shape shape = HDD_SHAPE_DEFAULT;
	struct hdd hdd;

	(void)state;
	assert_refused(&shape, "no size");
	shape.size_bytes = SIZE_BYTES;
	shape.average_seek_us = 6333;
	assert_refused(&shape, "average_seek_us '6333' is not 6334 to 9533");
	shape.average_seek_us = 9534;
	assert_refused(&shape, "average_seek_us '9534' is not 6334 to 9533");
	shape.average_seek_us = 9533;
	assert_int_equal(hdd_init(&shape, &hdd, NULL), 0);
	shape.rpm = 0;
	assert_refused(&shape, "rpm '0'");
	shape.rpm = 7200;
	shape.rate_bytes_per_sec = 0;
	assert_refused(&shape, "no rate");
}

/* No seeks at all, and one that is smaller than a track, are disks too. */
static void extremes(void **state)
{
	struct hdd_shape shape = { .size_bytes = 1 << 20, .rate_bytes_per_sec = 1, .rpm = 100000 };
	struct hdd hdd;

	(void)state;
	assert_int_equal(hdd_init(&shape, &hdd, NULL), 0);
	assert_int_equal(hdd_seek_ns(&hdd, 1 << 20), 0);
	shape.rate_bytes_per_sec = UINT64_C(1) << 40;
	assert_int_equal(hdd_init(&shape, &hdd, NULL), 0);
	hdd.head_bytes = 4096;
	assert_true(hdd_reach_ns(&hdd, UINT64_MAX / 2, 0) <= hdd.revolution_ns);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_curve_meets_the_data_sheet),
		cmocka_unit_test(what_is_ahead_streams),
		cmocka_unit_test(one_step_back_waits_for_the_sector),
		cmocka_unit_test(rotation_ends_at_the_sector),
		cmocka_unit_test(the_next_one_is_chosen),
		cmocka_unit_test(what_is_no_disk),
		cmocka_unit_test(extremes),
	};

	return cmocka_run_group_tests_name("hdd", tests, NULL, NULL);
}
