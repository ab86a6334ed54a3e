/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_clock: conversions, agreement with CLOCK_MONOTONIC, order between threads. Every check
 * brackets what it measures, so a busy machine cannot fail it. */
#include "base/clock.h"

#include "base/units.h"
#include "test.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

static void test_monotonic(void **state)
{
	struct clock clock;

	(void)state;
	clock_init(&clock, CLOCK_PREFER_MONOTONIC);
	assert_int_equal(clock.source, CLOCK_SOURCE_MONOTONIC);
	assert_string_equal(clock_name(&clock), "monotonic");
	assert_true(clock_ticks_to_ns(&clock, 12345) == 12345);
	assert_true(clock_ticks_to_ns(&clock, UINT64_MAX) == UINT64_MAX);
	assert_true(clock_ns_to_ticks(&clock, NS_PER_DAY) == NS_PER_DAY);
}

static void test_static_initialiser(void **state)
{
	struct clock fresh = CLOCK_INIT;
	struct clock clock;

	(void)state;
	clock_init(&clock, CLOCK_PREFER_MONOTONIC);
	assert_memory_equal(&fresh, &clock, sizeof(clock));
}

/* A made-up 2.5 GHz TSC: 0.4 ns a tick. */
static void test_conversion(void **state)
{
	const struct clock clock = { .source = CLOCK_SOURCE_TSC,
				     .shift = 40,
				     .mult = (uint64_t)(0.4 * (double)(UINT64_C(1) << 40)),
				     .ticks_per_sec = UINT64_C(2500000000) };
	uint64_t day_ticks = 86400 * clock.ticks_per_sec;
	uint64_t ns;

	(void)state;
	assert_string_equal(clock_name(&clock), "tsc");
#if defined(__x86_64__)
	assert_true(clock_ticks_to_ns(&clock, 0) == 0);
	ns = clock_ticks_to_ns(&clock, 2500);
	assert_true(ns == 1000 || ns == 999); /* mult is rounded down */
	/* A year of ticks: no overflow, and the rounding of mult stays below 1e-11. */
	ns = clock_ticks_to_ns(&clock, 365 * day_ticks);
	assert_true(ns <= 365 * NS_PER_DAY && 365 * NS_PER_DAY - ns < 365 * NS_PER_DAY / 100000000);
#else
	(void)ns;
#endif
	assert_true(clock_ns_to_ticks(&clock, 1000) == 2500);
	assert_true(clock_ns_to_ticks(&clock, 365 * NS_PER_DAY) == 365 * day_ticks);
}

static void test_agrees_with_monotonic(void **state)
{
	struct clock clock;
	uint64_t outer_start, inner_start, inner_ns, outer_ns, tick_ns, first, last;

	(void)state;
	clock_init(&clock, CLOCK_PREFER_FAST);
	print_message("# clock: %s, %llu ticks a second\n", clock_name(&clock),
		      (unsigned long long)clock.ticks_per_sec);

	outer_start = clock_now_ns();
	first = clock_ticks(&clock);
	inner_start = clock_now_ns();
	(void)clock_sleep_until_ns(inner_start + NS_PER_S / 10);
	inner_ns = clock_now_ns() - inner_start;
	last = clock_ticks(&clock);
	outer_ns = clock_now_ns() - outer_start;

	/* 1e-3 is far more than calibration and frequency steering (5e-4) can differ. */
	tick_ns = clock_ticks_to_ns(&clock, last - first);
	assert_true(tick_ns + tick_ns / 1000 + 100 >= inner_ns);
	assert_true(tick_ns <= outer_ns + outer_ns / 1000 + 100);
}

static void test_ticks_never_go_back(void **state)
{
	struct clock clock;
	uint64_t last;

	(void)state;
	clock_init(&clock, CLOCK_PREFER_FAST);
	last = clock_ticks(&clock);
	for (int i = 0; i < 1000000; i++) {
		uint64_t now = clock_ticks(&clock);

		assert_true(now >= last);
		last = now;
	}
}

struct handover {
	const struct clock *clock;
	uint64_t ticks;
};

static void *read_clock(void *argument)
{
	struct handover *handover = argument;

	handover->ticks = clock_ticks(handover->clock);
	return NULL;
}

/* A thread, maybe on another CPU, that starts after us and ends before us reads times between. */
static void test_order_between_threads(void **state)
{
	struct clock clock;

	(void)state;
	clock_init(&clock, CLOCK_PREFER_FAST);
	for (int i = 0; i < 200; i++) {
		struct handover handover = { .clock = &clock };
		uint64_t before = clock_ticks(&clock);
		pthread_t thread;

		assert_int_equal(pthread_create(&thread, NULL, read_clock, &handover), 0);
		assert_int_equal(pthread_join(thread, NULL), 0);
		assert_true(handover.ticks >= before);
		assert_true(clock_ticks(&clock) >= handover.ticks);
	}
}

static void test_init_keeps_affinity(void **state)
{
	cpu_set_t before, after;
	struct clock clock;

	(void)state;
	assert_int_equal(pthread_getaffinity_np(pthread_self(), sizeof(before), &before), 0);
	clock_init(&clock, CLOCK_PREFER_FAST);
	assert_int_equal(pthread_getaffinity_np(pthread_self(), sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
}

static void test_sleep_until(void **state)
{
	uint64_t deadline_ns = clock_now_ns() + 5000000;

	(void)state;
	assert_int_equal(clock_sleep_until_ns(deadline_ns), 0);
	assert_true(clock_now_ns() >= deadline_ns);
	assert_int_equal(clock_sleep_until_ns(0), 0); /* already over */
}

static void test_print_utc(void **state)
{
	char buf[CLOCK_TEXT_LEN];

	(void)state;
	assert_string_equal(clock_print_utc(0, buf, sizeof(buf)), "1970-01-01T00:00:00Z");
	assert_string_equal(clock_print_utc(1717158896 * NS_PER_S + 999999999, buf, sizeof(buf)),
			    "2024-05-31T12:34:56Z");
	assert_true(clock_wall_ns() > 1700000000 * NS_PER_S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_monotonic),
		cmocka_unit_test(test_static_initialiser),
		cmocka_unit_test(test_conversion),
		cmocka_unit_test(test_agrees_with_monotonic),
		cmocka_unit_test(test_ticks_never_go_back),
		cmocka_unit_test(test_order_between_threads),
		cmocka_unit_test(test_init_keeps_affinity),
		cmocka_unit_test(test_sleep_until),
		cmocka_unit_test(test_print_utc),
	};

	return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
