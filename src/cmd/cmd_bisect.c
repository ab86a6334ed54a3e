/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect: which of many ordered changes made a benchmark worse, found through the noise. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "cmd/bisect.h"
#include "cmd/cmd.h"
#include "cmd/tuning.h"
#include "stack/stack.h"

static const struct arg_row bisect_rows[] = {
	{ .name = "git",
	  .type = ARG_STRING,
	  .offset = offsetof(struct bisect_config, git),
	  .value_name = "REPO",
	  .help = "search the commits GOOD..BAD of a repository" },
	{ .name = "kernels",
	  .type = ARG_STRING,
	  .offset = offsetof(struct bisect_config, kernels),
	  .value_name = "DIR|FILE",
	  .help = "search kernels: packages and images by version, or a list" },
	{ .name = "list",
	  .type = ARG_STRING,
	  .offset = offsetof(struct bisect_config, list),
	  .value_name = "FILE",
	  .help = "search the lines of a file, the good end first" },
	{ .name = "settings",
	  .type = ARG_STRING,
	  .offset = offsetof(struct bisect_config, settings_base),
	  .value_name = "BASE",
	  .help = "search the settings in which environment NEW differs from BASE" },
	{ .name = "build",
	  .type = ARG_STRING,
	  .offset = offsetof(struct bisect_config, build),
	  .value_name = "COMMAND",
	  .help = "builds a commit, in its tree" },
	{ .name = "boot",
	  .type = ARG_STRING,
	  .offset = offsetof(struct bisect_config, build),
	  .value_name = "COMMAND",
	  .help = "installs and boots the kernel $REGIO_CANDIDATE somewhere" },
	{ .name = "build-timeout",
	  .type = ARG_DURATION,
	  .offset = offsetof(struct bisect_config, build_timeout_ns),
	  .value_name = "TIME",
	  .help = "a build or boot that takes longer has failed" },
	{ .name = "run",
	  .type = ARG_STRING,
	  .offset = offsetof(struct bisect_config, trial.exec),
	  .value_name = "COMMAND",
	  .help = "the same as --exec: measures $REGIO_CANDIDATE" },
	{ .name = "set",
	  .type = ARG_STRING_LIST,
	  .offset = offsetof(struct bisect_config, settings),
	  .value_name = "K=V[,K=V]",
	  .help = "settings of all trials (may be repeated)" },
	{ .name = "metric",
	  .short_name = 'm',
	  .type = ARG_STRING,
	  .offset = offsetof(struct bisect_config, metric),
	  .value_name = "NAME",
	  .help = "what decides: iops, bw, clat_mean, clat_p99, write.lat_mean .." },
	{ .name = "direction",
	  .type = ARG_STRING,
	  .offset = offsetof(struct bisect_config, direction),
	  .value_name = "WAY",
	  .help = "the change looked for: lower, higher, any (default: what is worse)" },
	{ .name = "alpha",
	  .type = ARG_DOUBLE,
	  .offset = offsetof(struct bisect_config, alpha),
	  .value_name = "P",
	  .help = "chance of a false alarm at the ends: 0.05 (default) or 0.01" },
	{ .name = "min-effect",
	  .type = ARG_SHARE,
	  .offset = offsetof(struct bisect_config, min_effect),
	  .value_name = "X",
	  .help = "smallest difference of the ends that matters (default: any)" },
	{ .name = "level",
	  .type = ARG_SHARE,
	  .offset = offsetof(struct bisect_config, level),
	  .value_name = "P",
	  .help = "how probable the answer must be before it is confirmed (default 0.95)" },
	{ .name = "repeat",
	  .type = ARG_UNSIGNED,
	  .offset = offsetof(struct bisect_config, nr_repeats),
	  .value_name = "N",
	  .help = "runs of a candidate in a row (default 1; 3 if it takes a boot)" },
	{ .name = "max-runs",
	  .type = ARG_UNSIGNED,
	  .offset = offsetof(struct bisect_config, max_runs),
	  .value_name = "N",
	  .help = "budget of the search between the ends (default 300)" },
	{ .name = "max-pairs",
	  .type = ARG_UNSIGNED,
	  .offset = offsetof(struct bisect_config, max_end_pairs),
	  .value_name = "N",
	  .help = "budget of the comparison of the ends, 8 to 60 (default 30)" },
	{ .name = "confirm-pairs",
	  .type = ARG_UNSIGNED,
	  .offset = offsetof(struct bisect_config, max_confirm_pairs),
	  .value_name = "N",
	  .help = "budget of the confirmation, 5 to 60 (default 30); 0: none" },
	{ .name = "anchor-runs",
	  .type = ARG_UNSIGNED,
	  .offset = offsetof(struct bisect_config, nr_anchor_runs),
	  .value_name = "N",
	  .help = "look at the ends again after so many runs (default 25); 0: never" },
	{ .name = "restarts",
	  .type = ARG_UNSIGNED,
	  .offset = offsetof(struct bisect_config, max_restarts),
	  .value_name = "N",
	  .help = "begin anew where an answer is not confirmed, so many times (default 2)" },
	{ .name = "no-enter",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct bisect_config, no_enter),
	  .help = "leave it at a merge; its own commits are not searched" },
	{ .name = "cache",
	  .type = ARG_STRING,
	  .offset = offsetof(struct bisect_config, cache_dir),
	  .value_name = "DIR",
	  .help = "keep built trees there" },
	{ .name = "resume",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct bisect_config, resume),
	  .help = "go on with bisection [ID] of the store, or the newest one" },
	{ .name = "log",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct bisect_config, log),
	  .help = "print the log of bisection [ID] and stop" },
	{ .name = "replay",
	  .type = ARG_STRING,
	  .offset = offsetof(struct bisect_config, replay),
	  .value_name = "LOG",
	  .help = "what the search says of a log, without measuring" },
	{ .name = "visualise",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct bisect_config, visualise),
	  .help = "show how probable each candidate of bisection [ID] is, and stop" },
	{ .name = "format",
	  .type = ARG_STRING,
	  .offset = offsetof(struct bisect_config, format),
	  .value_name = "NAME",
	  .help = "text (default), csv, markdown or json" },
	{ .name = "json",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct bisect_config, json),
	  .help = "the same as --format=json" },
	TRIAL_OPTION_ROWS(struct bisect_config, trial),
	{ .name = "help",
	  .short_name = 'h',
	  .type = ARG_BOOL,
	  .offset = offsetof(struct bisect_config, is_help),
	  .help = "this text" },
};

static const struct args_spec bisect_spec = {
	.command = "regio bisect",
	.operands = "[GOOD..BAD | NEW] [--] JOB.fio.. | [ID]",
	.summary = "find the change that made a benchmark worse, through the noise",
	.rows = bisect_rows,
	.nr_rows = sizeof(bisect_rows) / sizeof(*bisect_rows),
	.flags = ARGS_KEEP_UNKNOWN,
};

const struct args_spec *bisect_args(void)
{
	return &bisect_spec;
}

/* In virtual time a run of a few ms has nothing to sample. */
static int choose_clock(struct bisect_config *config, struct err *err)
{
	int ret = vm_options_choose(config->trial.target, &config->trial.vm, &config->is_virtual,
				    err);

	if (config->is_virtual && !strcmp(config->trial.monitors, "default"))
		config->trial.monitors = "none";
	return ret;
}

int bisect_check_config(struct bisect_config *config, struct err *err)
{
	const char *const names[] = { "text", "csv", "markdown", "json" };
	const char *format = config->format ? config->format : "text";
	bool is_known = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		is_known |= !strcmp(names[i], format);
	if (!is_known)
		return err_set(err, ERR_USAGE, "--format: '%s' is not text, csv, markdown or json",
			       format);
	if (config->alpha != 0.05 && config->alpha != 0.01)
		return err_set(err, ERR_USAGE, "--alpha: %g is neither 0.05 nor 0.01",
			       config->alpha);
	if (config->resume + config->log + config->visualise + (config->replay != NULL) > 1)
		return err_set(err, ERR_USAGE,
			       "--resume, --log, --visualise and --replay exclude each other");
	if (config->resume && !config->trial.save)
		return err_set(err, ERR_USAGE, "--no-save: what is gone on with is in the store");
	if (bisect_check_direction(config->direction, &config->direction, err) < 0)
		return -ERR_USAGE;
	return choose_clock(config, err);
}

static void bisect_release(struct bisect *bisect)
{
	bisect_leave(bisect);
	session_close(bisect->session);
	candidate_setup_release(&bisect->setup);
	candidate_close(&bisect->source);
	search_free(bisect->search);
	trial_log_release(&bisect->log);
	vec_release(&bisect->moments);
	arg_list_release(&bisect->words);
	candidate_list_release(&bisect->planned);
	tuning_free(bisect->tuning);
	note_list_release(&bisect->notes);
	vec_release(&bisect->nr_failures);
	free(bisect->metric);
	free(bisect->command);
	free(bisect->why_stopped);
	free(bisect->store_path);
}

static int bisect_main(int argc, char *const *argv, struct err *err)
{
	const struct search_options usual = SEARCH_OPTIONS_INIT;
	struct bisect_config config = {
		.trial = TRIAL_OPTIONS_INIT,
		.alpha = usual.rule.alpha,
		.level = usual.level,
		.nr_repeats = (unsigned)usual.nr_repeats,
		.max_runs = (unsigned)usual.max_runs,
		.max_end_pairs = (unsigned)usual.max_end_pairs,
		.max_confirm_pairs = (unsigned)usual.max_confirm_pairs,
		.nr_anchor_runs = (unsigned)usual.nr_anchor_runs,
		.max_restarts = (unsigned)usual.max_restarts,
	};
	struct session session = { .store = NULL };
	struct bisect bisect = { .config = &config, .quest = &bisect_order, .session = &session };
	CLEANUP(free) char *place = stack_choose_place(); /* the same for all candidates */
	struct arg_list words = { .nr = 0 };
	int ret = args_parse(&bisect_spec, argc, argv, &config, &words, err);

	config.trial.stack_place = place;
	if (ret == 0 && config.is_help) {
		args_print_usage(&bisect_spec, stdout);
	} else if (ret == 0) {
		ret = bisect_check_config(&config, err);
		if (ret == 0 && config.replay)
			ret = bisect_replay_file(&bisect, &words, err);
		else if (ret == 0 && (config.resume || config.log || config.visualise))
			ret = bisect_take_up(&bisect, &words, argc, argv, err);
		else if (ret == 0)
			ret = bisect_start(&bisect, &words, argc, argv, err);
	}
	bisect_release(&bisect);
	arg_list_release(&words);
	args_release(&bisect_spec, &config);
	return ret;
}

const struct command cmd_bisect = {
	.name = "bisect",
	.summary = "find the change that made a benchmark worse, through the noise",
	.spec = &bisect_spec,
	.run = bisect_main,
};
