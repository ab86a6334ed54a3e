/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_log_ring: nothing is lost or changes places, whoever is the slower one. */
#include "load/log_ring.h"

#include <pthread.h>
#include <time.h>

#include "test.h"

#define NR_ENTRIES 200000

static void *produce(void *arg)
{
	struct log_ring *ring = arg;

	for (uint64_t i = 0; i < NR_ENTRIES; i++)
		(void)log_ring_add(ring,
				   &(struct log_entry){ .done_ticks = i, .offset_bytes = i * 3 });
	return NULL;
}

static uint64_t take(struct log_ring *ring, uint64_t expected)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

	for (; tail != head; tail++, expected++) {
		assert_true(ring->entries[tail & ring->mask].done_ticks == expected);
		assert_true(ring->entries[tail & ring->mask].offset_bytes == expected * 3);
	}
	atomic_store_explicit(&ring->tail, tail, memory_order_release);
	return expected;
}

static void run_threads(uint64_t nr_entries, bool is_slow, uint64_t *ret_waits)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };
	struct log_ring *ring = log_ring_create(nr_entries);
	pthread_t thread;
	uint64_t nr = 0;

	assert_non_null(ring);
	assert_int_equal(pthread_create(&thread, NULL, produce, ring), 0);
	while (nr < NR_ENTRIES) {
		if (is_slow)
			(void)nanosleep(&pause, NULL);
		nr = take(ring, nr);
	}
	(void)pthread_join(thread, NULL);
	assert_int_equal(nr, NR_ENTRIES);
	*ret_waits = ring->nr_waits;
	log_ring_free(ring);
}

static void test_small_ring_makes_wait(void **state)
{
	uint64_t nr_waits;

	(void)state;
	run_threads(4096, true, &nr_waits);
	assert_true(nr_waits > 0);
}

static void test_large_ring_never_waits(void **state)
{
	uint64_t nr_waits;

	(void)state;
	run_threads(NR_ENTRIES, true, &nr_waits);
	assert_int_equal(nr_waits, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_ring_makes_wait),
		cmocka_unit_test(test_large_ring_never_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
