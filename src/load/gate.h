/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_GATE_H
#define REGIO_LOAD_GATE_H

/*
 * The gate lets all workers of a phase start at once, and tells the main thread when one has
 * ended. Nothing else is shared between threads.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct err;

enum gate_state { GATE_CLOSED, GATE_OPEN, GATE_CANCELLED };

struct gate {
	pthread_mutex_t mutex;
	pthread_cond_t ready;  /* main waits */
	pthread_cond_t opened; /* workers wait */
	size_t nr_ready;
	enum gate_state state;
	int event_fd; /* readable when a worker has ended */
};

int gate_init(struct gate *gate, struct err *err);
void gate_release(struct gate *gate);

/* Worker: reports ready and waits. False if the phase was cancelled. */
bool gate_pass(struct gate *gate);
/* Worker: has ended. */
void gate_leave(struct gate *gate);

/* Main thread: waits until nr workers are ready. */
void gate_await(struct gate *gate, size_t nr);
/* Main thread: lets them go, or sends them home. */
void gate_set(struct gate *gate, enum gate_state state);
/* Main thread: waits until a worker has ended, a signal came or the time is over. */
void gate_wait_leave(struct gate *gate, unsigned long long timeout_ns);

#endif
