/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verify_pool: a ring of copied blocks between one worker and the threads that check them. */
#include "load/verify_pool.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "load/verify.h"
#include "model/job.h"

#define PLACES_PER_THREAD 4
#define STACK_BYTES 131072

struct pool_place {
	struct verify_io io;
	uint32_t got_bytes;
	unsigned char *data;
};

struct verify_pool {
	struct verify *verify;
	pthread_mutex_t lock;
	pthread_cond_t has_work; /* or is to end */
	pthread_cond_t has_room; /* or is done */
	struct pool_place *places;
	size_t *free; /* stack of places */
	size_t nr_free;
	size_t *waiting; /* ring of places to be checked */
	size_t nr_places, first_waiting, nr_waiting;
	bool is_ending;
	pthread_t *threads;
	size_t nr_threads;
	unsigned char *data;
};

/* The next place to be checked; false when there will be none. With the lock held. */
static bool take_waiting(struct verify_pool *pool, size_t *ret_place)
{
	while (pool->nr_waiting == 0 && !pool->is_ending)
		(void)pthread_cond_wait(&pool->has_work, &pool->lock);
	if (pool->nr_waiting == 0)
		return false;
	*ret_place = pool->waiting[pool->first_waiting];
	pool->first_waiting = (pool->first_waiting + 1) % pool->nr_places;
	pool->nr_waiting--;
	return true;
}

static void *thread_main(void *arg)
{
	struct verify_pool *pool = arg;
	size_t place;

	(void)pthread_mutex_lock(&pool->lock);
	while (take_waiting(pool, &place)) {
		const struct pool_place *taken = &pool->places[place];

		(void)pthread_mutex_unlock(&pool->lock);
		(void)verify_check(pool->verify, &taken->io, taken->data, taken->got_bytes);
		(void)pthread_mutex_lock(&pool->lock);
		pool->free[pool->nr_free++] = place;
		(void)pthread_cond_signal(&pool->has_room);
	}
	(void)pthread_mutex_unlock(&pool->lock);
	return NULL;
}

static void set_affinity(pthread_attr_t *attributes, const struct cpu_list *cpus)
{
	cpu_set_t set;

	if (cpus->nr == 0)
		return;
	CPU_ZERO(&set);
	for (unsigned cpu = 0; cpu < JOB_MAX_CPUS && cpu < CPU_SETSIZE; cpu++) {
		if (cpus->bits[cpu / 64] >> (cpu % 64) & 1)
			CPU_SET(cpu, &set);
	}
	(void)pthread_attr_setaffinity_np(attributes, sizeof(set), &set);
}

static int start_threads(struct verify_pool *pool, struct err *err)
{
	const struct job *job = pool->verify->job;
	pthread_attr_t attributes;

	(void)pthread_attr_init(&attributes);
	(void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
	set_affinity(&attributes, &job->verify_async_cpus);
	errno = 0;
	while (pool->nr_threads < job->verify_async && errno == 0) {
		errno = pthread_create(&pool->threads[pool->nr_threads], &attributes, thread_main,
				       pool);
		pool->nr_threads += errno == 0;
	}
	(void)pthread_attr_destroy(&attributes);
	return errno ? err_set_errno(err, "start a thread of verify_async") : 0;
}

struct verify_pool *verify_pool_create(struct verify *verify, uint32_t max_bytes, struct err *err)
{
	struct verify_pool *pool = xcalloc(1, sizeof(*pool));

	pool->verify = verify;
	(void)pthread_mutex_init(&pool->lock, NULL);
	(void)pthread_cond_init(&pool->has_work, NULL);
	(void)pthread_cond_init(&pool->has_room, NULL);
	pool->nr_places = PLACES_PER_THREAD * (size_t)verify->job->verify_async;
	pool->places = xcalloc(pool->nr_places, sizeof(*pool->places));
	pool->free = xcalloc(pool->nr_places, sizeof(*pool->free));
	pool->waiting = xcalloc(pool->nr_places, sizeof(*pool->waiting));
	pool->threads = xcalloc(verify->job->verify_async, sizeof(*pool->threads));
	pool->data = xcalloc(pool->nr_places, max_bytes);
	for (size_t i = 0; i < pool->nr_places; i++) {
		pool->places[i].data = pool->data + i * max_bytes;
		pool->free[pool->nr_free++] = i;
	}
	if (start_threads(pool, err) < 0) {
		verify_pool_free(pool);
		return NULL;
	}
	return pool;
}

void verify_pool_free(struct verify_pool *pool)
{
	if (!pool)
		return;
	(void)pthread_mutex_lock(&pool->lock);
	pool->is_ending = true;
	(void)pthread_cond_broadcast(&pool->has_work);
	(void)pthread_mutex_unlock(&pool->lock);
	for (size_t i = 0; i < pool->nr_threads; i++)
		(void)pthread_join(pool->threads[i], NULL);
	(void)pthread_cond_destroy(&pool->has_room);
	(void)pthread_cond_destroy(&pool->has_work);
	(void)pthread_mutex_destroy(&pool->lock);
	free(pool->places);
	free(pool->free);
	free(pool->waiting);
	free(pool->threads);
	free(pool->data);
	free(pool);
}

void verify_pool_put(struct verify_pool *pool, const struct verify_io *io, const void *buf,
		     uint32_t got_bytes)
{
	struct pool_place *place;
	size_t index;

	(void)pthread_mutex_lock(&pool->lock);
	while (pool->nr_free == 0)
		(void)pthread_cond_wait(&pool->has_room, &pool->lock);
	index = pool->free[--pool->nr_free];
	(void)pthread_mutex_unlock(&pool->lock);

	place = &pool->places[index];
	place->io = *io;
	place->got_bytes = got_bytes;
	memcpy(place->data, buf, got_bytes);

	(void)pthread_mutex_lock(&pool->lock);
	pool->waiting[(pool->first_waiting + pool->nr_waiting++) % pool->nr_places] = index;
	(void)pthread_cond_signal(&pool->has_work);
	(void)pthread_mutex_unlock(&pool->lock);
}

void verify_pool_wait(struct verify_pool *pool)
{
	(void)pthread_mutex_lock(&pool->lock);
	while (pool->nr_free < pool->nr_places)
		(void)pthread_cond_wait(&pool->has_room, &pool->lock);
	(void)pthread_mutex_unlock(&pool->lock);
}
