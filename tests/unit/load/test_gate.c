/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_gate: workers wait until they are let through, and leave. */
#include "load/gate.h"

#include <poll.h>
#include <stdatomic.h>

#include "test.h"

#define NR_THREADS 20

struct shared {
	struct gate gate;
	atomic_uint nr_through, nr_home;
};

static void *thread_main(void *arg)
{
	struct shared *shared = arg;

	if (gate_pass(&shared->gate))
		atomic_fetch_add(&shared->nr_through, 1);
	else
		atomic_fetch_add(&shared->nr_home, 1);
	gate_leave(&shared->gate);
	return NULL;
}

static void run(enum gate_state to, unsigned nr_through, unsigned nr_home)
{
	struct shared shared = { .nr_through = 0 };
	pthread_t threads[NR_THREADS];

	assert_int_equal(gate_init(&shared.gate, NULL), 0);
	for (unsigned i = 0; i < NR_THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, thread_main, &shared), 0);
	gate_await(&shared.gate, NR_THREADS);
	assert_int_equal(atomic_load(&shared.nr_through), 0);
	assert_int_equal(atomic_load(&shared.nr_home), 0);
	gate_set(&shared.gate, to);
	gate_wait_leave(&shared.gate, 60000000000ULL);
	assert_true(atomic_load(&shared.nr_through) + atomic_load(&shared.nr_home) > 0);
	for (unsigned i = 0; i < NR_THREADS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	assert_int_equal(atomic_load(&shared.nr_through), nr_through);
	assert_int_equal(atomic_load(&shared.nr_home), nr_home);
	gate_release(&shared.gate);
	gate_release(&shared.gate); /* once more does no harm */
}

static void test_open(void **state)
{
	(void)state;
	run(GATE_OPEN, NR_THREADS, 0);
}

static void test_cancel(void **state)
{
	(void)state;
	run(GATE_CANCELLED, 0, NR_THREADS);
}

static void test_wait_ends_with_the_time(void **state)
{
	struct gate gate;

	(void)state;
	assert_int_equal(gate_init(&gate, NULL), 0);
	gate_wait_leave(&gate, 1000); /* nobody leaves */
	gate_leave(&gate);
	gate_leave(&gate);
	gate_wait_leave(&gate, 60000000000ULL); /* takes both */
	{
		struct pollfd poll_fd = { .fd = gate.event_fd, .events = POLLIN };

		assert_int_equal(poll(&poll_fd, 1, 0), 0);
	}
	gate_release(&gate);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_cancel),
		cmocka_unit_test(test_wait_ends_with_the_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
