/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ab: the same job under settings A and B, in coin-flip pairs, until the statistics decide. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "analysis/virtual_rule.h"
#include "cmd/ab.h"
#include "cmd/ab_virtual.h"
#include "cmd/cmd.h"
#include "cmd/git_bisect.h"
#include "cmd/terminal.h"
#include "cmd/workload.h"
#include "output/doc.h"
#include "output/output.h"
#include "stack/stack.h"
#include "store/store.h"

static const struct arg_row ab_rows[] = {
	{ .name = "a",
	  .type = ARG_STRING_LIST,
	  .offset = offsetof(struct ab_config, settings[SIDE_A]),
	  .value_name = "K=V[,K=V]",
	  .help = "settings of side A, the baseline (may be repeated)" },
	{ .name = "b",
	  .type = ARG_STRING_LIST,
	  .offset = offsetof(struct ab_config, settings[SIDE_B]),
	  .value_name = "K=V[,K=V]",
	  .help = "settings of side B (may be repeated)" },
	{ .name = "min-effect",
	  .type = ARG_SHARE,
	  .offset = offsetof(struct ab_config, min_effect),
	  .value_name = "X",
	  .help = "smallest difference that matters (default 5%; 0.3% in virtual time)" },
	{ .name = "alpha",
	  .type = ARG_DOUBLE,
	  .offset = offsetof(struct ab_config, alpha),
	  .value_name = "P",
	  .help = "chance of a false alarm: 0.05 (default) or 0.01" },
	{ .name = "max-pairs",
	  .type = ARG_UNSIGNED,
	  .offset = offsetof(struct ab_config, max_pairs),
	  .value_name = "N",
	  .help = "budget, 5 to 60 (default 30)" },
	{ .name = "seeds",
	  .type = ARG_UNSIGNED,
	  .offset = offsetof(struct ab_config, trial.vm.nr_seeds),
	  .value_name = "N",
	  .help = "guests of each side in virtual time, 2 to 100 (default 5)" },
	{ .name = "metric",
	  .short_name = 'm',
	  .type = ARG_STRING,
	  .offset = offsetof(struct ab_config, metric),
	  .value_name = "NAME",
	  .help = "what decides: iops, bw, clat_mean, clat_p99, write.lat_mean .." },
	BETTER_OPTION_ROW(struct ab_config, better),
	{ .name = "all-metrics",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct ab_config, all_metrics),
	  .help = "show every metric in the table" },
	{ .name = "json",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct ab_config, json),
	  .help = "one JSON document on stdout" },
	{ .name = "git-bisect",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct ab_config, git_bisect),
	  .help = GIT_BISECT_HELP },
	TRIAL_OPTION_ROWS(struct ab_config, trial),
	{ .name = "help",
	  .short_name = 'h',
	  .type = ARG_BOOL,
	  .offset = offsetof(struct ab_config, is_help),
	  .help = "this text" },
};

static const struct args_spec ab_spec = {
	.command = "regio ab",
	.operands = "JOB.fio.. [--JOB-OPTION[=VALUE]..]",
	.summary = "measure a job under settings A and B until the statistics decide",
	.rows = ab_rows,
	.nr_rows = sizeof(ab_rows) / sizeof(*ab_rows),
	.flags = ARGS_KEEP_UNKNOWN,
};

static int ab_measure(struct ab *ab, struct err *err)
{
	const struct campaign_config config = {
		.stop = {
			.rule = ab_rule(ab, ab->config->metric),
			.max_pairs = ab->config->max_pairs,
		},
		.nr_warmups = 1,
		.seed = ab->session.seed,
		.interrupted = ab->session.stop,
		.hooks = ab_hooks(ab),
	};

	ab->start_ns = clock_now_ns();
	return campaign_run(&config, &ab->campaign, err);
}

static int ab_write(const struct ab *ab, struct err *err)
{
	const struct output_style style = terminal_style();
	struct doc *doc;
	int ret;

	if (ab->config->json) {
		CLEANUP(free) char *text = ab_report_json(ab);

		printf("%s\n", text);
		return 0;
	}
	doc = ab_report(ab);
	ret = output_find("text")->doc(doc, &style, stdout, err);
	doc_free(doc);
	return ret;
}

static int ab_finish(struct ab *ab, struct err *err)
{
	int ret = 0;

	if (ab->campaign.end == CAMPAIGN_FAILURE)
		return err_set(err, ERR_SYSTEM, "side %s failed %u times; no comparison: %s",
			       side_name(ab->campaign.failed_side),
			       ab->campaign.nr_failures[ab->campaign.failed_side],
			       ab->last_failure ? ab->last_failure : "see the store");
	ab_add_notes(ab);
	if (ab->session.store) {
		CLEANUP(free) char *document = ab_report_json(ab);

		ret = store_end_experiment(ab->session.store, ab->session.experiment,
					   ab_verdict_name(ab), document, err);
	}
	if (ret == 0 && ab->metric)
		ret = ab_write(ab, err);
	if (ret == 0 && ab->campaign.end == CAMPAIGN_INTERRUPTED)
		return err_set(err, ERR_INTERRUPTED, "interrupted after %zu pairs",
			       ab->campaign.look.nr_pairs);
	return ret < 0 ? ret : ab_exit_status(ab);
}

/* Those of the machine are taken from the results, as they were read back. */
static void ab_add_job_setting(struct side *facts, const struct setting *setting)
{
	CLEANUP(free) char *key = NULL;

	if (strcmp(setting->namespace, "job") != 0)
		return;
	key = xasprintf("job.%s", setting->key);
	side_add_setting(facts, key, setting->value);
}

static int ab_parse_side(struct ab *ab, enum campaign_side side, const struct arg_list *words,
			 struct err *err)
{
	const struct arg_list *texts = &ab->config->settings[side];
	struct ab_side *it = &ab->sides[side];

	for (size_t i = 0; i < texts->nr; i++) {
		int ret = setting_list_parse(&it->settings, texts->items[i], err);

		if (ret < 0)
			return err_prefix(err, "--%s", side == SIDE_A ? "a" : "b");
	}
	it->facts.label = xstrdup(side_name(side));
	for (size_t i = 0; i < it->settings.nr; i++)
		ab_add_job_setting(&it->facts, &it->settings.items[i]);
	workload_machine_settings(&it->settings, &it->machine_settings);
	return workload_parse(words, &it->settings, &ab->config->trial, &it->work, err);
}

/* Found out before the first trial, not after it. */
static int ab_check_metric(const struct ab *ab, struct err *err)
{
	const char *metric = ab->config->metric;

	if (!metric || !ab->sides[SIDE_A].work.jobs.nr || metric_is_of_jobs(metric))
		return 0;
	return err_set(err, ERR_USAGE,
		       "--metric: unknown metric '%s'; jobs have iops, bw, ios, clat_mean, lat_p99 "
		       "and others",
		       metric);
}

static int ab_start(struct ab *ab, const struct arg_list *words, int argc, char *const *argv,
		    struct err *err)
{
	struct stop stop;
	const struct stop_config rule = {
		.rule = ab_rule(ab, ab->config->metric),
		.max_pairs = ab->config->max_pairs,
	};
	int ret;

	if (ab->config->alpha != 0.05 && ab->config->alpha != 0.01)
		return err_set(err, ERR_USAGE, "--alpha: %g is neither 0.05 nor 0.01",
			       ab->config->alpha);
	/* refuses bad options before anything runs */
	ret = better_option_parse(ab->config->better, &ab->better, err);
	if (ret == 0 && !ab->config->is_virtual)
		ret = stop_init(&stop, &rule, err);
	for (int side = SIDE_A; ret == 0 && side < NR_SIDES; side++)
		ret = ab_parse_side(ab, (enum campaign_side)side, words, err);
	if (ret == 0 && !ab->config->is_virtual)
		ret = ab_check_metric(ab, err);
	if (ret < 0)
		return ret;
	(void)workload_warn(&ab->sides[SIDE_A].work.jobs, true);
	ab->command = workload_command("ab", argc, argv);
	ret = session_open(&ab->session, &ab->config->trial, "ab", ab->command, err);
	if (ret < 0)
		return ret;
	if (!ab->config->trial.seed) {
		char *seeded = xasprintf("%s --seed=%llu", ab->command,
					 (unsigned long long)ab->session.seed);

		free(ab->command);
		ab->command = seeded;
	}
	ret = ab->config->is_virtual ? ab_virtual_measure(ab, err) : ab_measure(ab, err);
	if (ret < 0)
		return ret;
	progress_clear(&ab->session.progress);
	note_tally_tell(&ab->tally, (const char *[]){ "A", "B" }, &ab->notes);
	return ab->config->is_virtual ? ab_virtual_finish(ab, err) : ab_finish(ab, err);
}

static void ab_release(struct ab *ab)
{
	session_close(&ab->session);
	for (int side = SIDE_A; side < NR_SIDES; side++) {
		struct ab_side *it = &ab->sides[side];

		for (size_t i = 0; i < it->nr_runs; i++)
			metric_list_release(&it->runs[i]);
		free(it->runs);
		workload_release(&it->work);
		setting_list_release(&it->machine_settings);
		setting_list_release(&it->settings);
		env_watch_release(&it->watch);
		side_release(&it->facts);
	}
	env_names_release(&ab->names);
	note_list_release(&ab->notes);
	note_tally_release(&ab->tally);
	free(ab->last_failure);
	free(ab->command);
	free(ab->metric);
}

#define MIN_EFFECT_DEFAULT (-1.0)

/* What depends on the clock of the trials. */
static int ab_set_defaults(struct ab_config *config, struct err *err)
{
	int ret = ab_virtual_choose(config, err);

	if (ret < 0)
		return ret;
	if (config->min_effect == MIN_EFFECT_DEFAULT)
		config->min_effect = config->is_virtual ? VIRTUAL_MIN_EFFECT : 0.05;
	if (!config->is_virtual)
		return 0;
	config->max_pairs = config->trial.vm.nr_seeds;
	/* a run of a few ms has nothing to sample */
	if (!strcmp(config->trial.monitors, "default"))
		config->trial.monitors = "none";
	return ab_virtual_check(config, err);
}

static int ab_run(int argc, char *const *argv, struct err *err)
{
	struct ab_config config = {
		.trial = TRIAL_OPTIONS_INIT,
		.min_effect = MIN_EFFECT_DEFAULT,
		.alpha = 0.05,
		.max_pairs = 30,
	};
	struct ab ab = { .config = &config };
	CLEANUP(free) char *place = stack_choose_place(); /* the same for both sides */
	struct arg_list words = { .nr = 0 };
	int ret = args_parse(&ab_spec, argc, argv, &config, &words, err);

	config.trial.stack_place = place;
	if (ret == 0 && config.is_help)
		workload_print_help(&ab_spec, &words, stdout);
	else if (ret == 0)
		ret = ab_set_defaults(&config, err);
	else
		config.git_bisect = git_bisect_is_asked(argc, argv);
	if (ret == 0 && !config.is_help)
		ret = ab_start(&ab, &words, argc, argv, err);
	if (config.git_bisect)
		ret = git_bisect_status(ret, ret != -ERR_USAGE && ret != -ERR_UNSAFE);
	ab_release(&ab);
	arg_list_release(&words);
	args_release(&ab_spec, &config);
	return ret;
}

const struct command cmd_ab = {
	.name = "ab",
	.summary = "measure a job under settings A and B until the statistics decide",
	.spec = &ab_spec,
	.run = ab_run,
};
