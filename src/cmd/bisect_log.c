/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect_log: a bisection as a log that can be mailed, and such a log as a bisection. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/units.h"
#include "cmd/bisect.h"
#include "cmd/tuning.h"

#define SETTING_PREFIX "setting."

int bisect_check_direction(const char *text, const char **ret_direction, struct err *err)
{
	static const char *const names[] = { "lower", "higher", "any" };

	*ret_direction = NULL;
	for (size_t i = 0; text && i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(text, names[i]))
			*ret_direction = names[i];
	}
	if (text && !*ret_direction)
		return err_set(err, ERR_USAGE, "direction '%s' is not lower, higher or any", text);
	return 0;
}

static void add_settings(struct bisect *bisect)
{
	for (size_t i = 0; bisect->tuning && i < bisect->tuning->settings.nr; i++) {
		const struct candidate *setting = &bisect->tuning->settings.items[i];
		CLEANUP(free) char *key = xasprintf(SETTING_PREFIX "%zu", i);
		CLEANUP(free) char *value = xasprintf("%s %s", setting->id, setting->text);

		candidate_facts_add(&bisect->log.options, key, value);
	}
}

/* What each run was for. */
static void add_comments(struct bisect *bisect)
{
	for (size_t i = 0; i < bisect->moments.nr; i++) {
		struct trial_event *event = &bisect->log.events.items[i];

		if (event->kind == EVENT_RUN && !event->text)
			event->text = xasprintf(
				"%s, %s", bisect->quest->phase_name(bisect->moments.items[i].phase),
				bisect_candidate(bisect, event->position)->name);
	}
}

void bisect_fill_log(struct bisect *bisect)
{
	const struct bisect_config *config = bisect->config;
	const struct {
		const char *key;
		char *value;
	} options[] = {
		{ "command", xstrdup(bisect->command) },
		{ "candidates-of", xstrdup(bisect->ops->name) },
		{ "metric", xstrdup(bisect->metric ? bisect->metric : "") },
		{ "direction", xstrdup(config->direction ? config->direction : "") },
		{ "seed", xasprintf("%" PRIu64, bisect->session->seed) },
		{ "alpha", xasprintf("%g", config->alpha) },
		{ "min-effect", xasprintf("%g", config->min_effect) },
		{ "level", xasprintf("%g", config->level) },
		{ "repeat", xasprintf("%u", config->nr_repeats) },
		{ "max-runs", xasprintf("%u", config->max_runs) },
		{ "max-pairs", xasprintf("%u", config->max_end_pairs) },
		{ "confirm-pairs", xasprintf("%u", config->max_confirm_pairs) },
		{ "anchor-runs", xasprintf("%u", config->nr_anchor_runs) },
		{ "restarts", xasprintf("%u", config->max_restarts) },
	};

	candidate_facts_release(&bisect->log.options);
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		if (options[i].value[0])
			candidate_facts_add(&bisect->log.options, options[i].key, options[i].value);
		free(options[i].value);
	}
	add_settings(bisect);
	add_comments(bisect);
	VEC_FOREACH (&bisect->entered, entered)
		add_comments(*entered);
}

static int take_number(const struct trial_log *log, const char *key, unsigned *ret_value,
		       struct err *err)
{
	const char *text = trial_log_option(log, key);
	uint64_t value;

	if (!text)
		return 0;
	if (units_parse_u64(text, &value, NULL) < 0 || value > UINT32_MAX)
		return err_set(err, ERR_INPUT, "'%s' is no value of '%s'", text, key);
	*ret_value = (unsigned)value;
	return 0;
}

static int take_double(const struct trial_log *log, const char *key, double *ret_value,
		       struct err *err)
{
	const char *text = trial_log_option(log, key);

	if (text && units_parse_double(text, ret_value, NULL) < 0)
		return err_set(err, ERR_INPUT, "'%s' is no value of '%s'", text, key);
	return 0;
}

static int take_options(struct bisect *bisect, const struct trial_log *log, struct err *err)
{
	struct bisect_config *config = bisect->config;
	const char *seed = trial_log_option(log, "seed");
	const char *metric = trial_log_option(log, "metric");
	const char *source = trial_log_option(log, "candidates-of");
	const char *command = trial_log_option(log, "command");
	const struct {
		const char *key;
		unsigned *value;
	} numbers[] = {
		{ "repeat", &config->nr_repeats },
		{ "max-runs", &config->max_runs },
		{ "max-pairs", &config->max_end_pairs },
		{ "confirm-pairs", &config->max_confirm_pairs },
		{ "anchor-runs", &config->nr_anchor_runs },
		{ "restarts", &config->max_restarts },
	};
	int ret = take_double(log, "alpha", &config->alpha, err);

	if (ret == 0)
		ret = take_double(log, "min-effect", &config->min_effect, err);
	if (ret == 0)
		ret = take_double(log, "level", &config->level, err);
	for (size_t i = 0; ret == 0 && i < sizeof(numbers) / sizeof(*numbers); i++)
		ret = take_number(log, numbers[i].key, numbers[i].value, err);
	if (ret == 0 && seed && units_parse_u64(seed, &bisect->session->seed, NULL) < 0)
		ret = err_set(err, ERR_INPUT, "'%s' is no seed", seed);
	if (ret < 0)
		return ret;
	ret = bisect_check_direction(trial_log_option(log, "direction"), &config->direction, err);
	if (ret < 0)
		return ret;
	bisect->metric = xstrdup(metric ? metric : "value");
	bisect->command = xstrdup(command ? command : "");
	bisect->ops = bisect_find_source(source ? source : "list");
	return bisect->ops ? 0 : err_set(err, ERR_INPUT, "no candidates come from '%s'", source);
}

/* "setting.3 KEY BASE -> NEW" */
static int take_settings(struct bisect *bisect, const struct trial_log *log, struct err *err)
{
	VEC_FOREACH (&log->options, option) {
		const char *blank = strchr(option->value, ' ');
		CLEANUP(free) char *key = NULL;

		if (strncmp(option->key, SETTING_PREFIX, strlen(SETTING_PREFIX)) != 0)
			continue;
		if (!blank)
			return err_set(err, ERR_INPUT, "'%s' is no value of '%s'", option->value,
				       option->key);
		key = xstrndup(option->value, (size_t)(blank - option->value));
		candidate_list_add(&bisect->planned, key, key, blank + 1);
	}
	if (!bisect->planned.nr)
		return err_set(err, ERR_INPUT, "the log names no settings");
	return 0;
}

static int replay_events(struct bisect *bisect, const struct trial_log *log, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < log->events.nr; i++) {
		struct trial_event event = log->events.items[i];

		if (event.kind == EVENT_RUN || event.kind == EVENT_WARMUP)
			event.text = NULL;
		ret = bisect_feed(bisect, &event, err);
		if (ret < 0)
			(void)err_prefix(err, "event %zu of the log", bisect->first_event + i + 1);
	}
	return ret;
}

/* What came in with a merge, after all that was before. */
static int replay_entered(struct bisect *whole, struct trial_log *log, struct err *err)
{
	int ret = bisect_enter_again(whole, log, err);

	if (ret < 0)
		return err_prefix(err, "after event %zu of the log", bisect_nr_events(whole));
	return replay_events(bisect_working(whole), log, err);
}

int bisect_replay(struct bisect *bisect, struct trial_log *log, struct err *err)
{
	int ret = take_options(bisect, log, err);

	if (ret < 0)
		return ret;
	if (bisect->ops == &tuning_candidates) {
		ret = take_settings(bisect, log, err); /* sets of them come when they are due */
	} else {
		bisect->planned = log->candidates;
		log->candidates = (struct candidate_list)VEC_INIT; /* moved */
	}
	if (ret < 0)
		return ret;
	bisect_use_plan(bisect);
	ret = bisect->quest->begin(bisect, err);
	bisect->has_begun = ret == 0;
	if (ret == 0)
		ret = replay_events(bisect, log, err);
	for (size_t i = 0; ret == 0 && i < log->entered.nr; i++)
		ret = replay_entered(bisect, log->entered.items[i], err);
	return ret;
}
