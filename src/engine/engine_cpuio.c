/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpuio: burns a share of a CPU and does no I/O; each request is one round of work and rest. */
#include "engine/engine_table.h"

#include <errno.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/rng.h"
#include "engine/engine.h"

#define NR_SORTED 4096 /* some ten microseconds between two looks at the clock */

struct cpuio_state {
	uint64_t busy_ns, idle_ns; /* of one round */
	uint64_t *numbers;	   /* to sort; NULL: just spin */
	struct rng rng;
};

static int cpuio_open(const struct engine_config *config, void **ret_state, struct err *err)
{
	const struct engine_options *options = &config->options;
	struct cpuio_state *state;

	if (options->cpuload == 0)
		return err_set(err, ERR_INPUT, "cpuio: cpuload is needed");
	state = xcalloc(1, sizeof(*state));
	state->busy_ns = options->cpuchunks_ns;
	state->idle_ns = options->cpuchunks_ns * (100 - options->cpuload) / options->cpuload;
	if (options->cpumode == ENGINE_CPU_QSORT)
		state->numbers = xcalloc(NR_SORTED, sizeof(*state->numbers));
	rng_init(&state->rng, 1);
	*ret_state = state;
	return 0;
}

static void cpuio_close(void *arg)
{
	struct cpuio_state *state = arg;

	free(state->numbers);
	free(state);
}

static int number_compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a;
	const uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void cpuio_work(struct cpuio_state *state)
{
	if (!state->numbers)
		return;
	for (size_t i = 0; i < NR_SORTED; i++)
		state->numbers[i] = rng_next(&state->rng);
	qsort(state->numbers, NR_SORTED, sizeof(*state->numbers), number_compare);
}

/* Counted as a round without bytes. */
static int cpuio_submit(void *arg, struct io_req *const *reqs, size_t nr)
{
	struct cpuio_state *state = arg;
	uint64_t end_ns = clock_now_ns() + state->busy_ns;

	(void)nr;
	if (reqs[0]->dir != IO_SYNC) {
		while (clock_now_ns() < end_ns)
			cpuio_work(state);
		if (state->idle_ns)
			(void)clock_sleep_until_ns(end_ns + state->idle_ns);
	}
	reqs[0]->len_bytes = 0;
	reqs[0]->result = 0;
	return 1;
}

const struct engine_ops engine_cpuio = {
	.name = "cpuio",
	.summary = "burn cpuload per cent of a CPU, no I/O",
	.flags = ENGINE_SYNC | ENGINE_NO_DATA | ENGINE_NO_FILES | ENGINE_NO_IO,
	.open = cpuio_open,
	.submit = cpuio_submit,
	.close = cpuio_close,
};
