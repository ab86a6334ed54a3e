/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TARGET_HAPPEN_H
#define REGIO_TARGET_HAPPEN_H

/*
 * What happens to a stack while jobs run on it (stack_list_events()): a thread that sleeps until
 * it is time. Each event, when it was and what it was, is a fact of the result.
 */

#include "base/cleanup.h"

struct err;
struct happen;
struct result;
struct stack;
struct stack_built;

/* *ret_happen is NULL where nothing is to happen. Times count from happen_begin() on. */
int happen_start(const struct stack *stack, const struct stack_built *built,
		 struct happen **ret_happen, struct err *err);

/* The jobs begin now. Once; allocates nothing. */
void happen_begin(struct happen *happen);

/* The jobs have ended: so does the thread. */
void happen_stop(struct happen *happen);

/* After happen_stop. An event that was refused, or that the jobs did not live to see, is an error:
 * they have shown nothing of it. */
int happen_report(struct happen *happen, struct result *result, struct err *err);
void happen_free(struct happen *happen);
CLEANUP_DEFINE_PTR(happen, struct happen, happen_free)

#endif
