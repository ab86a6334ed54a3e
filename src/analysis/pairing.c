/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pairing: the sequential rule for whoever measures one run at a time. */
#include "analysis/pairing.h"

#include <assert.h>

static void coin_throw(struct pairing *pairing)
{
	pairing->is_a_first = rng_below(&pairing->coin, 2) == 0;
}

int pairing_init(struct pairing *pairing, const struct pairing_config *config, struct err *err)
{
	struct stop_config stop_config = {
		.rule = config->rule,
		.max_pairs = config->max_pairs,
	};
	int ret;

	*pairing = (struct pairing){ .min_pairs = config->min_pairs };
	ret = stop_init(&pairing->stop, &stop_config, err);
	if (ret < 0)
		return ret;
	rng_init(&pairing->coin, config->seed);
	coin_throw(pairing);
	return 0;
}

bool pairing_wants_a(const struct pairing *pairing)
{
	return pairing->is_a_first != pairing->is_half;
}

void pairing_add(struct pairing *pairing, double value)
{
	assert(!pairing_is_over(pairing));
	if (!pairing->is_half) {
		pairing->half = value;
		pairing->is_half = true;
		return;
	}
	if (pairing->is_a_first)
		stop_add_pair(&pairing->stop, pairing->half, value, true, &pairing->look);
	else
		stop_add_pair(&pairing->stop, value, pairing->half, false, &pairing->look);
	pairing->is_half = false;
	coin_throw(pairing);
}

enum finding pairing_finding(const struct pairing *pairing)
{
	if (pairing->look.nr_pairs < pairing->min_pairs)
		return FINDING_UNDECIDED;
	return pairing->look.decision.finding;
}

bool pairing_has_effect(const struct pairing *pairing)
{
	enum finding finding = pairing_finding(pairing);

	return finding == FINDING_LOWER || finding == FINDING_HIGHER;
}

bool pairing_is_over(const struct pairing *pairing)
{
	return pairing->look.nr_pairs == pairing->stop.config.max_pairs ||
	       pairing_finding(pairing) != FINDING_UNDECIDED;
}

double pairing_shift(const struct pairing *pairing)
{
	const struct decision *decision = &pairing->look.decision;

	return pairing->look.nr_pairs > 0 ? effect_forward(decision->scale, decision->effect) : 0.0;
}

size_t pairing_nr_runs(const struct pairing *pairing)
{
	return 2 * pairing->look.nr_pairs + pairing->is_half;
}
