/* SPDX-License-Identifier: GPL-2.0-or-later */
/* happen: the thread that lets paths fail and the like in the middle of a job. */
#include "target/happen.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "model/result.h"
#include "stack/stack.h"

struct happen {
	const struct stack *stack;
	const struct stack_built *built;
	struct stack_event *events;
	size_t nr_events;
	uint64_t start_ns;
	pthread_t thread;
	bool has_thread;
	sem_t begin; /* start_ns is set, or it is to stop */
	sem_t stop;
	/* Of the thread until it is joined. */
	struct happened {
		uint64_t at_ns;
		struct strbuf words;
	} * happened; /* nr_happened of nr_events */
	size_t nr_happened;
	int ret;
	struct err err;
};

/* False when it is to stop instead. */
static bool wait_until(struct happen *happen, uint64_t due_ns)
{
	const struct timespec until = {
		.tv_sec = (time_t)(due_ns / NS_PER_S),
		.tv_nsec = (long)(due_ns % NS_PER_S),
	};
	int ret;

	do
		ret = sem_clockwait(&happen->stop, CLOCK_MONOTONIC, &until);
	while (ret != 0 && errno == EINTR);
	return ret != 0;
}

static void *thread_main(void *arg)
{
	struct happen *happen = arg;

	while (sem_wait(&happen->begin) != 0)
		; /* EINTR */
	for (size_t i = 0; i < happen->nr_events && happen->ret == 0; i++) {
		const struct stack_event *event = &happen->events[i];
		struct happened *happened = &happen->happened[i];

		if (!wait_until(happen, happen->start_ns + event->at_ns))
			break;
		happened->at_ns = clock_now_ns() - happen->start_ns;
		happen->ret = stack_event_happen(happen->stack, happen->built, event,
						 &happened->words, &happen->err);
		happen->nr_happened++;
	}
	return NULL;
}

int happen_start(const struct stack *stack, const struct stack_built *built,
		 struct happen **ret_happen, struct err *err)
{
	CLEANUP(happen) struct happen *happen = NULL;
	struct stack_event *events = NULL;
	size_t nr = stack ? stack_list_events(stack, &events) : 0;
	sigset_t all, before;

	*ret_happen = NULL;
	if (nr == 0)
		return 0;
	happen = xcalloc(1, sizeof(*happen));
	*happen = (struct happen){ .stack = stack,
				   .built = built,
				   .events = events,
				   .nr_events = nr,
				   .happened = xcalloc(nr, sizeof(*happen->happened)) };
	(void)sem_init(&happen->begin, 0, 0); /* cannot fail with these */
	(void)sem_init(&happen->stop, 0, 0);
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before); /* the thread inherits it */
	errno = pthread_create(&happen->thread, NULL, thread_main, happen);
	happen->has_thread = errno == 0;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!happen->has_thread)
		return err_set_errno(err, "start the thread of events");
	*ret_happen = ptr_take(happen);
	return 0;
}

void happen_begin(struct happen *happen)
{
	if (!happen)
		return;
	happen->start_ns = clock_now_ns();
	(void)sem_post(&happen->begin);
}

void happen_stop(struct happen *happen)
{
	if (!happen || !happen->has_thread)
		return;
	(void)sem_post(&happen->stop); /* first: who begins only now shall see it */
	(void)sem_post(&happen->begin);
	(void)pthread_join(happen->thread, NULL);
	happen->has_thread = false;
}

int happen_report(struct happen *happen, struct result *result, struct err *err)
{
	const struct stack_event *missed;
	char at[UNITS_TEXT_LEN];

	if (!happen)
		return 0;
	if (happen->ret < 0) {
		if (err)
			*err = happen->err;
		return happen->ret;
	}
	for (size_t i = 0; i < happen->nr_happened; i++) {
		CLEANUP(free) char *key = xasprintf("stack.event.%zu", i + 1);
		CLEANUP(free)
		char *text = xasprintf("%.3f ms: %s", (double)happen->happened[i].at_ns / NS_PER_MS,
				       strbuf_str(&happen->happened[i].words));

		result_add_env(result, key, text);
	}
	missed = &happen->events[happen->nr_happened];
	if (happen->nr_happened < happen->nr_events)
		return err_set(err, ERR_INPUT,
			       "the jobs had ended before %s=%u@%s: let them run for longer",
			       missed->key, missed->number,
			       units_print_duration_ns(missed->at_ns, at, sizeof(at)));
	return 0;
}

void happen_free(struct happen *happen)
{
	if (!happen)
		return;
	happen_stop(happen);
	for (size_t i = 0; i < happen->nr_events; i++)
		strbuf_release(&happen->happened[i].words);
	(void)sem_destroy(&happen->begin);
	(void)sem_destroy(&happen->stop);
	free(happen->happened);
	free(happen->events);
	free(happen);
}
