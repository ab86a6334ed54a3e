/* SPDX-License-Identifier: GPL-2.0-or-later */
/* flow: the counters that clones with one flow_id share. Waiting is the worker's. */
#include "load/flow.h"

#include <stdlib.h>

#include "base/arena.h"
#include "model/job.h"

void flow_table_init(struct flow_table *table, const struct job_set *jobs)
{
	*table = (struct flow_table){ .items = xcalloc(jobs->nr + 1, sizeof(*table->items)) };
	for (size_t i = 0; i < jobs->nr; i++) {
		const struct job *job = &jobs->jobs[i];

		if (job->flow_weight && !flow_find(table, job->flow_id))
			table->items[table->nr++].id = job->flow_id;
	}
}

void flow_table_release(struct flow_table *table)
{
	free(table->items);
	*table = (struct flow_table){ .nr = 0 };
}

struct flow *flow_find(const struct flow_table *table, unsigned id)
{
	for (size_t i = 0; i < table->nr; i++) {
		if (table->items[i].id == id)
			return &table->items[i];
	}
	return NULL;
}

void flow_join(struct flow *flow, unsigned weight)
{
	(void)atomic_fetch_add(&flow->weight, weight);
}

void flow_leave(struct flow *flow, unsigned weight, uint64_t issued)
{
	(void)atomic_fetch_sub(&flow->weight, weight);
	(void)atomic_fetch_sub(&flow->issued, issued);
}

void flow_issued(struct flow *flow)
{
	(void)atomic_fetch_add(&flow->issued, 1);
}

bool flow_is_ahead(struct flow *flow, unsigned weight, uint64_t issued)
{
	uint64_t all_weight = atomic_load_explicit(&flow->weight, memory_order_relaxed);
	uint64_t all_issued = atomic_load_explicit(&flow->issued, memory_order_relaxed);

	return (unsigned __int128)issued * all_weight > (unsigned __int128)all_issued * weight;
}
