/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sampler: the thread takes the rounds between, the caller the ends; signals stay away from it. */
#include "monitor/sampler.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "model/given.h"
#include "model/result.h"
#include "monitor/monitor.h"
#include "monitor/monitor_set.h"
#include "test.h"

#define MS UINT64_C(1000000)

/* A monitor that notes who asked it. Only nr_rounds is read while the thread runs. */
struct spy {
	atomic_uint nr_rounds;
	pthread_t threads[3]; /* of the first, a middle and the last round */
	bool is_end[3];
	sigset_t mask; /* of the sampling thread */
};

static struct spy spy;

static int spy_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	(void)context;
	(void)err;
	*ret_state = &spy;
	return 0;
}

static void spy_sample(void *state, const struct monitor_tick *tick)
{
	struct spy *it = state;
	unsigned place = tick->nr == 1 ? 0 : tick->is_end ? 2 : 1;

	it->threads[place] = pthread_self();
	it->is_end[place] = tick->is_end;
	if (place == 1)
		(void)pthread_sigmask(SIG_SETMASK, NULL, &it->mask);
	atomic_fetch_add(&it->nr_rounds, 1);
}

static void spy_report(void *state, struct result *result)
{
	(void)state;
	(void)given_append(&result->monitored, "spy", 1, 0);
}

static void spy_close(void *state)
{
	(void)state;
}

static const struct monitor_ops spy_ops = {
	.name = "spy",
	.summary = "",
	.every = 1,
	.open = spy_open,
	.sample = spy_sample,
	.report = spy_report,
	.close = spy_close,
};

static const struct monitor_choice spy_choice = { .items = { &spy_ops }, .nr = 1 };

static struct monitor_set *open_set(void)
{
	const struct monitor_set_config config = { .choice = &spy_choice };

	memset(&spy, 0, sizeof(spy));
	return monitor_set_open(&config);
}

static void await_rounds(unsigned nr)
{
	while (atomic_load(&spy.nr_rounds) < nr)
		(void)nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

static double value_of(const struct result *result, const char *name)
{
	const struct given_metric *metric = given_find(&result->monitored, name);

	if (!metric)
		fail_msg("no metric '%s'", name);
	return metric ? metric->value : 0;
}

static void test_rounds_of_caller_and_thread(void **state)
{
	struct monitor_set *set = open_set();
	const struct monitor_sampler_config config = { .set = set, .interval_ns = 5 * MS };
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	struct monitor_sampler *sampler = NULL;
	unsigned nr;

	(void)state;
	assert_int_equal(monitor_sampler_start(&config, &sampler, NULL), 0);
	assert_true(atomic_load(&spy.nr_rounds) >= 1); /* at once */
	await_rounds(4);
	monitor_sampler_stop(sampler);
	nr = atomic_load(&spy.nr_rounds);
	assert_true(pthread_equal(spy.threads[0], pthread_self()));
	assert_false(pthread_equal(spy.threads[1], pthread_self()));
	assert_true(pthread_equal(spy.threads[2], pthread_self()));
	assert_true(spy.is_end[0] && !spy.is_end[1] && spy.is_end[2]);
	assert_int_equal(sigismember(&spy.mask, SIGINT), 1);
	assert_int_equal(sigismember(&spy.mask, SIGTERM), 1);

	monitor_set_report(set, &result);
	monitor_sampler_report(sampler, &result);
	assert_true(value_of(&result, "spy") == 1);
	assert_true(value_of(&result, "monitor.samples") == nr);
	assert_true(value_of(&result, "monitor.cpu_ms") > 0);
	assert_true(value_of(&result, "monitor.cpu%") > 0);
	assert_true(value_of(&result, "monitor.late_samples") >= 0);
	assert_true(value_of(&result, "monitor.window_ms") >= 0);
	monitor_sampler_free(sampler);
	monitor_set_close(set);
}

static void test_stop_does_not_wait_for_the_interval(void **state)
{
	struct monitor_set *set = open_set();
	const struct monitor_sampler_config config = { .set = set, .interval_ns = 3600000 * MS };
	struct monitor_sampler *sampler = NULL;

	(void)state;
	assert_int_equal(monitor_sampler_start(&config, &sampler, NULL), 0);
	monitor_sampler_stop(sampler);
	assert_int_equal(atomic_load(&spy.nr_rounds), 2);
	monitor_sampler_free(sampler);
	monitor_set_close(set);
}

static void test_delay(void **state)
{
	struct monitor_set *set = open_set();
	struct monitor_sampler_config config = {
		.set = set,
		.interval_ns = 5 * MS,
		.delay_ns = 10 * MS,
	};
	struct monitor_sampler *sampler = NULL;

	(void)state;
	assert_int_equal(monitor_sampler_start(&config, &sampler, NULL), 0);
	await_rounds(2);
	monitor_sampler_stop(sampler);
	assert_false(pthread_equal(spy.threads[0], pthread_self())); /* the first one, too */
	monitor_sampler_free(sampler);
	monitor_set_close(set);
}

/* A run that ends within its ramp was not watched. */
static void test_stop_within_the_delay(void **state)
{
	struct monitor_set *set = open_set();
	const struct monitor_sampler_config config = { .set = set, .delay_ns = 3600000 * MS };
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	struct monitor_sampler *sampler = NULL;

	(void)state;
	assert_int_equal(monitor_sampler_start(&config, &sampler, NULL), 0);
	monitor_sampler_stop(sampler);
	assert_int_equal(atomic_load(&spy.nr_rounds), 0);
	monitor_set_report(set, &result);
	monitor_sampler_report(sampler, &result);
	assert_int_equal(result.monitored.nr, 0);
	monitor_sampler_free(sampler);
	monitor_set_close(set);
}

/* All real monitors in the thread: under ThreadSanitizer this is the proof that they may be. */
static void test_real_monitors_in_the_thread(void **state)
{
	struct monitor_choice choice;
	const struct monitor_set_config set_config = { .choice = &choice };
	struct monitor_sampler_config config = { .interval_ns = 2 * MS };
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	struct monitor_sampler *sampler = NULL;
	struct monitor_set *set;

	(void)state;
	assert_int_equal(monitor_choose("all", &choice, NULL), 0);
	choice.items[choice.nr++] = &spy_ops;
	memset(&spy, 0, sizeof(spy));
	set = monitor_set_open(&set_config);
	config.set = set;
	assert_int_equal(monitor_sampler_start(&config, &sampler, NULL), 0);
	await_rounds(20);
	monitor_sampler_stop(sampler);
	monitor_set_report(set, &result);
	assert_true(value_of(&result, "spy") == 1);
	assert_true(value_of(&result, "time.elapsed_time") > 0);
	monitor_sampler_free(sampler);
	monitor_set_close(set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rounds_of_caller_and_thread),
		cmocka_unit_test(test_stop_does_not_wait_for_the_interval),
		cmocka_unit_test(test_delay),
		cmocka_unit_test(test_stop_within_the_delay),
		cmocka_unit_test(test_real_monitors_in_the_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
