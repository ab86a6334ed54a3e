/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sampler: the thread that takes snapshots while workers run, and what it costs. */
#include "monitor/sampler.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/units.h"
#include "monitor/monitor_set.h"
#include "monitor/report.h"

#define STACK_BYTES (256U << 10)
/* A sample that is later than this share of the interval counts as late. */
#define LATE_DIVISOR 10

struct monitor_sampler {
	struct monitor_set *set;
	uint64_t interval_ns;
	uint64_t due_ns;
	bool has_begun; /* the first round was taken */
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t wake;
	bool must_stop; /* under the mutex */
	bool has_thread;
	/* What it cost. Of the thread until it is joined. */
	uint64_t begun_ns, ended_ns;
	uint64_t cpu_ns;
	uint64_t nr_late;
	uint64_t latest_ns;
};

/* Until then or until it is to stop, which it returns. */
static bool wait_until(struct monitor_sampler *sampler, uint64_t due_ns)
{
	const struct timespec until = {
		.tv_sec = (time_t)(due_ns / NS_PER_S),
		.tv_nsec = (long)(due_ns % NS_PER_S),
	};
	bool must_stop;
	int ret = 0;

	(void)pthread_mutex_lock(&sampler->mutex);
	while (!sampler->must_stop && ret != ETIMEDOUT)
		ret = pthread_cond_timedwait(&sampler->wake, &sampler->mutex, &until);
	must_stop = sampler->must_stop;
	(void)pthread_mutex_unlock(&sampler->mutex);
	return must_stop;
}

static void begin(struct monitor_sampler *sampler)
{
	monitor_set_sample(sampler->set, MONITOR_FIRST);
	sampler->has_begun = true;
	sampler->begun_ns = clock_now_ns();
	sampler->due_ns = sampler->begun_ns + sampler->interval_ns / 2;
}

/* One due round. What was slept through altogether is left out. */
static void round_take(struct monitor_sampler *sampler)
{
	uint64_t late_ns = clock_now_ns() - sampler->due_ns;

	if (late_ns > sampler->interval_ns / LATE_DIVISOR)
		sampler->nr_late++;
	if (late_ns > sampler->latest_ns)
		sampler->latest_ns = late_ns;
	monitor_set_sample(sampler->set, MONITOR_BETWEEN);
	late_ns = clock_now_ns() - sampler->due_ns;
	sampler->due_ns += (late_ns / sampler->interval_ns + 1) * sampler->interval_ns;
}

static uint64_t thread_cpu_ns(void)
{
	struct timespec used;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used); /* cannot fail on Linux */
	return (uint64_t)used.tv_sec * NS_PER_S + (uint64_t)used.tv_nsec;
}

static void *thread_main(void *arg)
{
	struct monitor_sampler *sampler = arg;

	while (!wait_until(sampler, sampler->due_ns)) {
		if (sampler->has_begun)
			round_take(sampler);
		else
			begin(sampler);
	}
	sampler->cpu_ns = thread_cpu_ns();
	return NULL;
}

static int start_thread(struct monitor_sampler *sampler)
{
	pthread_attr_t attributes;
	sigset_t all, before;
	int error;

	(void)pthread_attr_init(&attributes);
	(void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before); /* the thread inherits it */
	error = pthread_create(&sampler->thread, &attributes, thread_main, sampler);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	(void)pthread_attr_destroy(&attributes);
	return error;
}

static void init_lock(struct monitor_sampler *sampler)
{
	pthread_condattr_t attributes;

	(void)pthread_mutex_init(&sampler->mutex, NULL);
	(void)pthread_condattr_init(&attributes);
	(void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&sampler->wake, &attributes);
	(void)pthread_condattr_destroy(&attributes);
}

int monitor_sampler_start(const struct monitor_sampler_config *config,
			  struct monitor_sampler **ret_sampler, struct err *err)
{
	struct monitor_sampler *sampler = xcalloc(1, sizeof(*sampler));

	sampler->set = config->set;
	sampler->interval_ns = config->interval_ns ? config->interval_ns : MONITOR_INTERVAL_NS;
	init_lock(sampler);
	if (config->delay_ns)
		sampler->due_ns = clock_now_ns() + config->delay_ns;
	else
		begin(sampler);
	errno = start_thread(sampler);
	if (errno) {
		int ret = err_set_errno(err, "start the sampling thread");

		monitor_sampler_free(sampler);
		return ret;
	}
	sampler->has_thread = true;
	*ret_sampler = sampler;
	return 0;
}

void monitor_sampler_stop(struct monitor_sampler *sampler)
{
	if (!sampler->has_thread)
		return;
	(void)pthread_mutex_lock(&sampler->mutex);
	sampler->must_stop = true;
	(void)pthread_cond_signal(&sampler->wake);
	(void)pthread_mutex_unlock(&sampler->mutex);
	(void)pthread_join(sampler->thread, NULL);
	sampler->has_thread = false;
	sampler->ended_ns = clock_now_ns();
	if (sampler->has_begun)
		monitor_set_sample(sampler->set, MONITOR_LAST);
}

void monitor_sampler_report(const struct monitor_sampler *sampler, struct result *result)
{
	uint64_t window_ns = sampler->ended_ns - sampler->begun_ns;

	if (!sampler->has_begun || window_ns == 0)
		return;
	monitor_report(result, (double)sampler->cpu_ns / NS_PER_MS, "monitor.cpu_ms");
	monitor_report(result, 100.0 * (double)sampler->cpu_ns / (double)window_ns,
		       "monitor.cpu%%");
	monitor_report(result, (double)sampler->nr_late, "monitor.late_samples");
	monitor_report(result, (double)sampler->latest_ns / NS_PER_MS, "monitor.latest_ms");
}

void monitor_sampler_free(struct monitor_sampler *sampler)
{
	if (!sampler)
		return;
	monitor_sampler_stop(sampler);
	(void)pthread_cond_destroy(&sampler->wake);
	(void)pthread_mutex_destroy(&sampler->mutex);
	free(sampler);
}
