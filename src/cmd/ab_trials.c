/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ab_trials: what a campaign asks of ab: runs trials, keeps their numbers, says how it goes. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/units.h"
#include "base/vec.h"
#include "cmd/ab.h"
#include "cmd/report_text.h"
#include "model/result.h"

static int ab_run_trial(void *arg, enum campaign_side side, uint64_t seed_nr,
			struct result *ret_result, struct err *err)
{
	struct ab *ab = arg;
	const struct ab_side *it = &ab->sides[side];

	if (seed_nr)
		(void)snprintf(ab->session.progress.prefix, sizeof(ab->session.progress.prefix),
			       "pair %zu of at most %u%s | %s: ", ab->nr_pairs_done + 1,
			       ab->config->max_pairs, ab->state, side_name(side));
	else
		(void)snprintf(ab->session.progress.prefix, sizeof(ab->session.progress.prefix),
			       "warm-up | %s: ", side_name(side));
	return session_trial(&ab->session,
			     &(struct session_trial){
				     .workload = &it->work,
				     .settings = &it->settings,
				     .machine_settings = &it->machine_settings,
				     .label = side_name(side),
				     .seed_nr = seed_nr,
			     },
			     ret_result, err);
}

/* Says at once what somebody changes meanwhile: the user may want to stop. */
static void ab_watch(struct ab *ab, enum campaign_side side, enum trial_use use,
		     const struct result *result)
{
	struct ab_side *it = &ab->sides[side];
	struct result view;

	if (use != TRIAL_WARMUP && use != TRIAL_USED)
		return;
	env_names_apply(&ab->names, result, &view);
	if (env_watch_add(&it->watch, &view))
		progress_clear(&ab->session.progress);
	VEC_FOREACH (&it->watch.changes, change) {
		log_warning("%s changed between two runs of %s: %s, now %s", change->key,
			    side_name(side), change->before ? change->before : "absent",
			    change->after ? change->after : "absent");
		if (use == TRIAL_USED)
			note_add(&ab->notes, NOTE_ENV_CHANGED,
				 "%s was %s before pair %zu and %s from it on, seen with %s",
				 change->key, change->before ? change->before : "absent",
				 it->nr_runs + 1, change->after ? change->after : "absent",
				 side_name(side));
	}
	if (use == TRIAL_USED)
		side_add_facts(&it->facts, &view);
}

static int ab_sink(void *arg, enum campaign_side side, enum trial_use use,
		   const struct result *result, struct err *err)
{
	struct ab *ab = arg;

	ab_watch(ab, side, use, result);
	if (use == TRIAL_FAILED) {
		free(ab->last_failure);
		ab->last_failure = report_failure(result);
	}
	/* what the runs said about themselves belongs to the comparison, once */
	if (use != TRIAL_WARMUP)
		note_tally_add(&ab->tally, side, &result->notes);
	if (!ab->metric && result_nr_failed(result) == 0 && !result->interrupted) {
		const struct metric_choice choice = {
			.text = ab->config->metric,
			.how = "--metric=NAME and --better=higher or --better=lower",
			.is_way_known = ab->better != POLARITY_NONE,
		};
		int ret = metric_resolve(result, &choice, &ab->metric, err);

		if (ret < 0)
			return ret;
	}
	return session_store(&ab->session, side_name(side), use == TRIAL_USED, result, err);
}

static int ab_value(void *arg, enum campaign_side side, const struct result *result,
		    double *ret_value, struct err *err)
{
	struct ab *ab = arg;
	struct ab_side *it = &ab->sides[side];
	struct metric_list metrics = { .nr = 0 };

	result_metrics(result, &metrics);
	if (metric_find(&metrics, ab->metric, ret_value) < 0) {
		metric_list_release(&metrics);
		return err_set(err, ERR_INPUT, "a run of %s has no metric '%s': %s",
			       side_name(side), ab->metric,
			       "too few I/Os for a percentile, or nothing done in that direction");
	}
	it->runs = xreallocarray(it->runs, it->nr_runs + 1, sizeof(*it->runs));
	it->runs[it->nr_runs++] = metrics;
	return 0;
}

/* Time until the verdict if the effect is as it looks, from the pairs so far. */
static uint64_t ab_remaining_ns(const struct ab *ab, const struct stop_look *look)
{
	size_t needed = look->nr_pairs_needed;

	if (needed > ab->config->max_pairs)
		needed = ab->config->max_pairs;
	if (needed <= look->nr_pairs)
		return 0;
	return (clock_now_ns() - ab->start_ns) / look->nr_pairs * (needed - look->nr_pairs);
}

static void ab_look(void *arg, const struct stop_look *look)
{
	struct ab *ab = arg;
	const struct decision *decision = &look->decision;
	const uint64_t second_ns = 1000000000;
	const uint64_t left_ns = ab_remaining_ns(ab, look) / second_ns * second_ns;
	char left[UNITS_TEXT_LEN];

	ab->nr_pairs_done = look->nr_pairs;
	if (decision->is_tested && decision->scale == SCALE_RATIO)
		(void)snprintf(ab->state, sizeof(ab->state),
			       ", B against A %+.1f %% [%+.1f, %+.1f]%s%s%s",
			       100 * (decision->effect - 1), 100 * (decision->interval.lo - 1),
			       100 * (decision->interval.hi - 1), left_ns ? ", about " : "",
			       left_ns ? units_print_duration_ns(left_ns, left, sizeof(left)) : "",
			       left_ns ? " left" : "");
	progress_say(&ab->session.progress, "pair %zu of at most %u done%s", look->nr_pairs,
		     ab->config->max_pairs, ab->state);
}

struct campaign_hooks ab_hooks(struct ab *ab)
{
	return (struct campaign_hooks){
		.run_trial = ab_run_trial,
		.value = ab_value,
		.sink = ab_sink,
		.look = ab_look,
		.arg = ab,
	};
}
