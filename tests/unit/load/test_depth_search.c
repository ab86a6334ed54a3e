/* SPDX-License-Identifier: GPL-2.0-or-later */
/* depth_search: which depths are tried, what ends a window, and what I/Os of another depth say. */
#include "load/depth_search.h"

#include "base/clock.h"
#include "base/rng.h"
#include "fixture.h"
#include "test.h"

#define MS UINT64_C(1000000)
#define TARGET_NS (10 * MS)
#define STEP_NS (MS / 4)

/* A device whose latency grows with the depth. */
struct device {
	struct depth_search search;
	struct clock clock;
	uint64_t now_ns;
	uint64_t per_depth_ns;
	unsigned late_percent; /* of its I/Os, whatever the depth */
	struct rng rng;
};

static void device_init(struct device *device, struct job *job, unsigned max_depth)
{
	*device = (struct device){ .now_ns = 1 };
	device->clock = CLOCK_INIT;
	rng_init(&device->rng, 7);
	job->latency_target_ns = TARGET_NS;
	job->latency_window_ns = 100 * MS;
	if (!(job->latency_percentile > 0))
		job->latency_percentile = 100;
	depth_search_init(&device->search, job, max_depth, &device->clock);
	depth_search_begin(&device->search, clock_ns_to_ticks(&device->clock, device->now_ns));
}

static enum depth_step device_complete(struct device *device)
{
	uint64_t lat_ns = device->search.depth * device->per_depth_ns;

	if (rng_below(&device->rng, 100) < device->late_percent)
		lat_ns = 10 * TARGET_NS;
	device->now_ns += STEP_NS;
	return depth_search_add(&device->search, clock_ns_to_ticks(&device->clock, device->now_ns),
				clock_ns_to_ticks(&device->clock, device->now_ns), lat_ns);
}

/* The last step of a search that ends, within a minute. */
static enum depth_step device_search(struct device *device)
{
	enum depth_step step = DEPTH_KEPT;

	while (device->now_ns < 60000 * MS && step != DEPTH_DONE && step != DEPTH_FAILED)
		step = device_complete(device);
	return step;
}

static void test_finds_every_depth(void **state)
{
	(void)state;
	for (unsigned depth = 1; depth <= 40; depth++) {
		struct job job = fixture_job();
		struct device device;

		device_init(&device, &job, 32);
		device.per_depth_ns = TARGET_NS / depth;
		assert_int_equal(device_search(&device), DEPTH_DONE);
		assert_int_equal(device.search.depth, depth < 32 ? depth : 32);
	}
}

/* 1, 2, 4, 8, 16 and one more of 16: nothing is found out in less, and nothing takes more. */
static void test_number_of_windows(void **state)
{
	struct job job = fixture_job();
	struct device device;

	(void)state;
	device_init(&device, &job, 16);
	device.per_depth_ns = 1;
	assert_int_equal(device_search(&device), DEPTH_DONE);
	assert_in_range(device.now_ns, 600 * MS, 610 * MS);
}

static void test_share_of_late_ones(void **state)
{
	struct job job = fixture_job();
	struct device device;

	(void)state;
	job.latency_percentile = 90;
	device_init(&device, &job, 16);
	device.per_depth_ns = TARGET_NS / 5;
	device.late_percent = 3;
	assert_int_equal(device_search(&device), DEPTH_DONE);
	assert_int_equal(device.search.depth, 5);

	device_init(&device, &job, 16);
	device.per_depth_ns = 1;
	device.late_percent = 20; /* even alone: goes on, for the runtime ends it */
	assert_int_equal(device_search(&device), DEPTH_KEPT);
	assert_int_equal(device.search.depth, 1);
}

static void test_alone_and_late(void **state)
{
	struct job job = fixture_job();
	struct device device;

	(void)state;
	device_init(&device, &job, 16);
	device.per_depth_ns = TARGET_NS + 1;
	assert_int_equal(device_complete(&device), DEPTH_FAILED);
}

/* What was begun at a larger depth is late at a smaller one and says nothing about it. */
static void test_old_ios(void **state)
{
	struct job job = fixture_job();
	struct device device;
	uint64_t before_ticks;

	(void)state;
	device_init(&device, &job, 8);
	device.per_depth_ns = TARGET_NS / 4;
	while (device.search.depth < 8)
		(void)device_complete(&device);
	before_ticks = clock_ns_to_ticks(&device.clock, device.now_ns);
	assert_int_equal(device_complete(&device), DEPTH_CHANGED);
	assert_int_equal(device.search.depth, 6);
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(depth_search_add(&device.search, before_ticks,
						  clock_ns_to_ticks(&device.clock, device.now_ns),
						  2 * TARGET_NS),
				 DEPTH_KEPT);
	assert_int_equal(device_search(&device), DEPTH_DONE);
	assert_int_equal(device.search.depth, 4);
}

/* latency_run: a device that changes is followed, down and up. */
static void test_goes_on(void **state)
{
	struct job job = fixture_job();
	struct device device;

	(void)state;
	job.latency_run = true;
	device_init(&device, &job, 32);
	device.per_depth_ns = TARGET_NS / 20;
	while (device.now_ns < 1500 * MS)
		assert_int_not_equal(device_complete(&device), DEPTH_DONE);
	assert_int_equal(device.search.depth, 20);
	device.per_depth_ns = TARGET_NS / 3;
	while (device.now_ns < 3000 * MS)
		(void)device_complete(&device);
	assert_int_equal(device.search.depth, 3);
	device.per_depth_ns = 1;
	while (device.now_ns < 6000 * MS)
		(void)device_complete(&device);
	assert_int_equal(device.search.depth, 32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finds_every_depth),
		cmocka_unit_test(test_number_of_windows),
		cmocka_unit_test(test_share_of_late_ones),
		cmocka_unit_test(test_alone_and_late),
		cmocka_unit_test(test_old_ios),
		cmocka_unit_test(test_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
