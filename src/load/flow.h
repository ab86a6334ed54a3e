/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_FLOW_H
#define REGIO_LOAD_FLOW_H

/*
 * flow=: clones whose jobs have one flow_id issue I/Os in the proportion of their weights: who is
 * ahead of its share waits. A clone counts from when it runs until it has ended, so that at any
 * time at least one of them is not ahead.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct job_set;

/* What the clones of one flow_id share. */
struct flow {
	unsigned id;
	_Atomic uint64_t weight; /* of those that run */
	_Atomic uint64_t issued; /* by them */
};

struct flow_table {
	struct flow *items;
	size_t nr;
};

void flow_table_init(struct flow_table *table, const struct job_set *jobs);
void flow_table_release(struct flow_table *table);
/* NULL if there is none of that id. */
struct flow *flow_find(const struct flow_table *table, unsigned id);

void flow_join(struct flow *flow, unsigned weight);
void flow_leave(struct flow *flow, unsigned weight, uint64_t issued);
void flow_issued(struct flow *flow);
/* True if one of that weight, having issued so many, has to wait for the others. */
bool flow_is_ahead(struct flow *flow, unsigned weight, uint64_t issued);

#endif
