/* SPDX-License-Identifier: GPL-2.0-or-later */
/* campaign: takes the trials of an A/B comparison in order. How one runs is left to its hooks. */
#include "bench/campaign.h"

#include <math.h>

#include "base/err.h"
#include "bench/order.h"
#include "model/result.h"

/* What to do after a trial; errors are negative. */
enum next {
	NEXT_TRIAL,
	NEXT_REPEAT,
	NEXT_END, /* campaign->end is set */
};

struct step {
	enum campaign_side side;
	enum trial_use use; /* if nothing goes wrong */
	uint64_t seed_nr;
};

const char *side_name(enum campaign_side side)
{
	return side == SIDE_A ? "A" : "B";
}

static bool is_interrupted(const struct campaign_config *config)
{
	return config->interrupted && atomic_load(config->interrupted);
}

static int campaign_end(struct campaign *campaign, enum campaign_end end)
{
	campaign->end = end;
	return NEXT_END;
}

static enum trial_use result_use(const struct step *step, const struct result *result)
{
	if (result->interrupted)
		return TRIAL_INTERRUPTED;
	return result_nr_failed(result) > 0 ? TRIAL_FAILED : step->use;
}

static int failure_count(struct campaign *campaign, enum campaign_side side)
{
	if (++campaign->nr_failures[side] < CAMPAIGN_MAX_FAILURES)
		return NEXT_REPEAT;
	campaign->failed_side = side;
	return campaign_end(campaign, CAMPAIGN_FAILURE);
}

static int step_value(const struct campaign_config *config, const struct step *step,
		      const struct result *result, double *ret_value, struct err *err)
{
	const struct campaign_hooks *hooks = &config->hooks;
	double value;
	int ret = hooks->value(hooks->arg, step->side, result, &value, err);

	if (ret < 0)
		return ret;
	if (!isfinite(value))
		return err_set(err, ERR_INPUT, "a run of %s has no usable value",
			       side_name(step->side));
	*ret_value = value;
	return NEXT_TRIAL;
}

/* ret_value is written for used trials only. */
static int step_try(const struct campaign_config *config, struct campaign *campaign,
		    const struct step *step, double *ret_value, struct err *err)
{
	const struct campaign_hooks *hooks = &config->hooks;
	CLEANUP(result) struct result result = { .label = NULL };
	enum trial_use use;
	int ret;

	if (is_interrupted(config))
		return campaign_end(campaign, CAMPAIGN_INTERRUPTED);
	ret = hooks->run_trial(hooks->arg, step->side, step->seed_nr, &result, err);
	if (ret == -ERR_INTERRUPTED)
		return campaign_end(campaign, CAMPAIGN_INTERRUPTED);
	if (ret < 0)
		return ret;
	use = result_use(step, &result);
	ret = hooks->sink(hooks->arg, step->side, use, &result, err);
	if (ret < 0)
		return ret;
	if (use == TRIAL_INTERRUPTED)
		return campaign_end(campaign, CAMPAIGN_INTERRUPTED);
	if (use == TRIAL_FAILED)
		return failure_count(campaign, step->side);
	return use == TRIAL_USED ? step_value(config, step, &result, ret_value, err) : NEXT_TRIAL;
}

/* Until a trial succeeds. */
static int step_run(const struct campaign_config *config, struct campaign *campaign,
		    const struct step *step, double *ret_value, struct err *err)
{
	int next;

	do {
		next = step_try(config, campaign, step, ret_value, err);
	} while (next == NEXT_REPEAT);
	return next;
}

static int warmups_run(const struct campaign_config *config, struct campaign *campaign,
		       struct err *err)
{
	double unused = 0;

	for (unsigned i = 0; i < config->nr_warmups * NR_SIDES; i++) {
		struct step step = { .side = (enum campaign_side)(i % NR_SIDES),
				     .use = TRIAL_WARMUP };
		int next = step_run(config, campaign, &step, &unused, err);

		if (next != NEXT_TRIAL)
			return next;
	}
	return NEXT_TRIAL;
}

static int pair_run(const struct campaign_config *config, struct campaign *campaign, bool a_first,
		    struct err *err)
{
	double values[NR_SIDES] = { 0 };
	struct step step = { .side = a_first ? SIDE_A : SIDE_B,
			     .use = TRIAL_USED,
			     .seed_nr = campaign->stop.nr_pairs + 1 };
	int next = step_run(config, campaign, &step, &values[step.side], err);

	if (next != NEXT_TRIAL)
		return next;
	step.side = a_first ? SIDE_B : SIDE_A;
	next = step_run(config, campaign, &step, &values[step.side], err);
	if (next != NEXT_TRIAL)
		return next;
	stop_add_pair(&campaign->stop, values[SIDE_A], values[SIDE_B], a_first, &campaign->look);
	if (config->hooks.look)
		config->hooks.look(config->hooks.arg, &campaign->look);
	return NEXT_TRIAL;
}

int campaign_run(const struct campaign_config *config, struct campaign *ret, struct err *err)
{
	struct order order;
	int next;

	*ret = (struct campaign){ .end = CAMPAIGN_BUDGET };
	next = stop_init(&ret->stop, &config->stop, err);
	if (next < 0)
		return next;
	order_init(&order, config->seed);
	next = warmups_run(config, ret, err);
	while (next == NEXT_TRIAL && !ret->look.is_last)
		next = pair_run(config, ret, order_next_a_first(&order), err);
	if (next < 0)
		return next;
	if (next == NEXT_TRIAL && ret->look.decision.finding != FINDING_UNDECIDED)
		ret->end = CAMPAIGN_DECIDED;
	return 0;
}
