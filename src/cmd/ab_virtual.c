/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ab_virtual: boots the guests of an A/B comparison in virtual time. */
#include "cmd/ab_virtual.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/virtual_rule.h"
#include "base/arena.h"
#include "base/err.h"
#include "cmd/ab.h"
#include "cmd/self_test.h"
#include "model/result.h"

#define MAX_SEEDS 100

int ab_virtual_choose(struct ab_config *config, struct err *err)
{
	return vm_options_choose(config->trial.target, &config->trial.vm, &config->is_virtual, err);
}

int ab_virtual_check(const struct ab_config *config, struct err *err)
{
	unsigned nr_seeds = config->trial.vm.nr_seeds;

	if (nr_seeds < VIRTUAL_MIN_SEEDS || nr_seeds > MAX_SEEDS)
		return err_set(err, ERR_USAGE, "--seeds: %u is not %d to %d", nr_seeds,
			       VIRTUAL_MIN_SEEDS, MAX_SEEDS);
	return 0;
}

/* One guest: measured, stored, its numbers kept if they count. */
static int run_guest(struct ab *ab, enum campaign_side side, uint64_t seed, bool is_used,
		     struct result *ret_result, struct err *err)
{
	const struct campaign_hooks hooks = ab_hooks(ab);
	double value;
	int ret;

	if (ab->session.stop && *ab->session.stop)
		return err_set(err, ERR_INTERRUPTED, "interrupted");
	ret = hooks.run_trial(hooks.arg, side, seed, ret_result, err);
	if (ret < 0)
		return err_prefix(err, "side %s, seed %llu", side_name(side),
				  (unsigned long long)seed);
	if (result_nr_failed(ret_result))
		return err_set(err, ERR_SYSTEM, "side %s, seed %llu: a job failed: %s",
			       side_name(side), (unsigned long long)seed,
			       strerror(result_error(ret_result)));
	ret = hooks.sink(hooks.arg, side, is_used ? TRIAL_USED : TRIAL_WARMUP, ret_result, err);
	if (ret == 0 && is_used)
		ret = hooks.value(hooks.arg, side, ret_result, &value, err);
	return ret;
}

/* The first guest of A once more. Its first run counts. */
static int self_test(struct ab *ab, struct err *err)
{
	CLEANUP(result) struct result first = { .nr_jobs = 0 };
	CLEANUP(result) struct result again = { .nr_jobs = 0 };
	CLEANUP(free) char *said = NULL;
	CLEANUP(free) char *said_again = NULL;
	int ret = run_guest(ab, SIDE_A, 1, true, &first, err);

	if (ret == 0)
		ret = run_guest(ab, SIDE_A, 1, false, &again, err);
	if (ret < 0)
		return ret;
	said = self_test_words(&first);
	said_again = self_test_words(&again);
	return self_test_compare(said, said_again, err);
}

int ab_virtual_measure(struct ab *ab, struct err *err)
{
	int ret = self_test(ab, err);

	for (uint64_t seed = 1; ret == 0 && seed <= ab->config->trial.vm.nr_seeds; seed++) {
		for (int side = SIDE_A; ret == 0 && side < NR_SIDES; side++) {
			CLEANUP(result) struct result result = { .nr_jobs = 0 };

			if (seed > 1 || side == SIDE_B)
				ret = run_guest(ab, (enum campaign_side)side, seed, true, &result,
						err);
		}
		ab->nr_pairs_done = seed;
	}
	return ret;
}
