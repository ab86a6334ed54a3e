/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search_rate: CPU time of a step of a noisy bisection, by number of candidates.
 * usage: search_rate [CANDIDATES..]
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/search.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/units.h"

struct rate {
	uint64_t total_ns;
	uint64_t slowest_ns;
	uint64_t nr_steps;
};

static uint64_t cpu_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/* So much noise that all of the budget is used, and every fourth position broken. */
static int run(uint64_t nr_candidates, struct rate *rate, struct err *err)
{
	struct search_options options = SEARCH_OPTIONS_INIT;
	CLEANUP(search) struct search *search = NULL;
	struct search_step step;
	struct rng rng;
	int ret;

	options.last = (size_t)nr_candidates;
	options.level = 0.9999999;
	options.max_end_pairs = 60;
	ret = search_new(&options, &search, err);
	if (ret < 0)
		return ret;
	rng_init(&rng, 1);
	for (search_next(search, &step); ret == 0 && step.phase != SEARCH_DONE;) {
		double level = step.position * 3 < nr_candidates ? 1.0 : 0.9;
		double value = level * (1.0 + 0.3 * (rng_double(&rng) - 0.5));
		bool is_broken = step.phase == SEARCH_QUERY && step.position % 4 == 1;
		uint64_t start_ns = cpu_now_ns(), spent_ns;

		if (is_broken)
			search_untestable(search, step.position);
		else
			ret = search_add(search, step.position, value, err);
		search_next(search, &step);
		spent_ns = cpu_now_ns() - start_ns;
		rate->total_ns += spent_ns;
		rate->slowest_ns = spent_ns > rate->slowest_ns ? spent_ns : rate->slowest_ns;
		rate->nr_steps++;
	}
	return ret;
}

static int print(const char *text, struct err *err)
{
	struct rate rate = { .nr_steps = 0 };
	uint64_t nr_candidates;
	int ret;

	if (units_parse_u64(text, &nr_candidates, NULL) != 0)
		return err_set(err, ERR_USAGE, "'%s' is not a number", text);
	ret = run(nr_candidates, &rate, err);
	if (ret == 0)
		printf("%10" PRIu64 " candidates: %4" PRIu64
		       " steps, mean %8.3f ms, slowest %8.3f ms\n",
		       nr_candidates, rate.nr_steps,
		       (double)rate.total_ns / 1e6 / (double)rate.nr_steps,
		       (double)rate.slowest_ns / 1e6);
	return ret;
}

int main(int argc, char **argv)
{
	struct err err = { .code = 0 };
	int ret = 0;

	if (argc < 2)
		ret = print("10000", &err);
	for (int i = 1; i < argc && ret == 0; i++)
		ret = print(argv[i], &err);
	if (ret < 0)
		fprintf(stderr, "search_rate: %s\n", err.msg);
	return ret < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
