/* SPDX-License-Identifier: GPL-2.0-or-later */
/* gate: the meeting points of main thread and workers before and after the measurement. */
#include "load/gate.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"

int gate_init(struct gate *gate, struct err *err)
{
	*gate = (struct gate){ .state = GATE_CLOSED, .event_fd = -1 };
	gate->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (gate->event_fd < 0)
		return err_set_errno(err, "create an eventfd");
	(void)pthread_mutex_init(&gate->mutex, NULL); /* cannot fail with default attributes */
	(void)pthread_cond_init(&gate->ready, NULL);
	(void)pthread_cond_init(&gate->opened, NULL);
	return 0;
}

void gate_release(struct gate *gate)
{
	if (gate->event_fd < 0)
		return;
	(void)close(gate->event_fd);
	(void)pthread_mutex_destroy(&gate->mutex);
	(void)pthread_cond_destroy(&gate->ready);
	(void)pthread_cond_destroy(&gate->opened);
	gate->event_fd = -1;
}

bool gate_pass(struct gate *gate)
{
	enum gate_state state;

	(void)pthread_mutex_lock(&gate->mutex);
	gate->nr_ready++;
	(void)pthread_cond_signal(&gate->ready);
	while (gate->state == GATE_CLOSED)
		(void)pthread_cond_wait(&gate->opened, &gate->mutex);
	state = gate->state;
	(void)pthread_mutex_unlock(&gate->mutex);
	return state == GATE_OPEN;
}

void gate_leave(struct gate *gate)
{
	uint64_t one = 1;

	(void)!write(gate->event_fd, &one, sizeof(one)); /* full means that it is readable */
}

void gate_await(struct gate *gate, size_t nr)
{
	(void)pthread_mutex_lock(&gate->mutex);
	while (gate->nr_ready < nr)
		(void)pthread_cond_wait(&gate->ready, &gate->mutex);
	(void)pthread_mutex_unlock(&gate->mutex);
}

void gate_set(struct gate *gate, enum gate_state state)
{
	(void)pthread_mutex_lock(&gate->mutex);
	gate->state = state;
	(void)pthread_cond_broadcast(&gate->opened);
	(void)pthread_mutex_unlock(&gate->mutex);
}

void gate_wait_leave(struct gate *gate, unsigned long long timeout_ns)
{
	struct timespec timeout = { .tv_sec = (time_t)(timeout_ns / 1000000000),
				    .tv_nsec = (long)(timeout_ns % 1000000000) };
	struct pollfd poll_fd = { .fd = gate->event_fd, .events = POLLIN };
	uint64_t nr;

	if (ppoll(&poll_fd, 1, &timeout, NULL) > 0)
		(void)!read(gate->event_fd, &nr, sizeof(nr)); /* only to make it quiet again */
}
