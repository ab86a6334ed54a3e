/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_ANALYSIS_SEARCH_WORLD_H
#define REGIO_TESTS_UNIT_ANALYSIS_SEARCH_WORLD_H

/* Histories to search in, and searches that run in them. */

#include <math.h>
#include <stdlib.h>

#include "analysis/search.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/vec.h"
#include "test.h"

/* A made-up history: fast up to first_bad - 1. */
struct world {
	size_t first_bad;
	double good;
	double bad;
	double noise;	      /* share */
	const size_t *broken; /* found to be untestable when they are due; ends with SIZE_MAX */
	struct rng rng;
};

struct event {
	size_t position;
	double value; /* NAN: untestable */
};
struct event_list VEC_BODY(struct event);

static inline bool is_broken(const struct world *world, size_t position)
{
	for (const size_t *broken = world->broken; broken && *broken != SIZE_MAX; broken++) {
		if (*broken == position)
			return true;
	}
	return false;
}

static inline struct event world_measure(struct world *world, size_t position)
{
	double level = position < world->first_bad ? world->good : world->bad;
	double value = level * (1.0 + world->noise * (2.0 * rng_double(&world->rng) - 1.0));

	return (struct event){ position, is_broken(world, position) ? NAN : value };
}

static inline void tell(struct search *search, const struct event *event)
{
	struct err err = { .code = 0 };

	if (isnan(event->value))
		search_untestable(search, event->position);
	else if (search_add(search, event->position, event->value, &err) < 0)
		fail_msg("%s", err.msg);
}

/* Runs it to its end; `log` may be NULL. */
static inline struct search_answer run(struct search *search, struct world *world,
				       struct event_list *log)
{
	struct search_answer answer;
	struct search_step step;

	for (search_next(search, &step); step.phase != SEARCH_DONE; search_next(search, &step)) {
		struct event event = world_measure(world, step.position);

		assert_true(step.nr_runs > 0);
		tell(search, &event);
		if (log)
			vec_push(log, event);
	}
	search_answer(search, &answer);
	return answer;
}

static inline struct search *start(struct search_options options)
{
	struct search *search = NULL;
	struct err err = { .code = 0 };

	if (search_new(&options, &search, &err) < 0)
		fail_msg("%s", err.msg);
	return search;
}

static inline struct world world_of(size_t first_bad)
{
	struct world world = { .first_bad = first_bad, .good = 1000, .bad = 900, .noise = 0.05 };

	rng_init(&world.rng, first_bad);
	return world;
}

static inline struct search_options options_of(size_t last)
{
	struct search_options options = SEARCH_OPTIONS_INIT;

	options.last = last;
	options.seed = 7;
	return options;
}

#endif
