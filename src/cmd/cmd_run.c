/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run: measures a job set as fio would, prints and stores the result. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/args.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/log.h"
#include "caveat/caveat.h"
#include "cmd/cmd.h"
#include "cmd/fio_mode.h"
#include "cmd/import_summary.h"
#include "cmd/report_text.h"
#include "cmd/run_live.h"
#include "cmd/run_output.h"
#include "cmd/trial_options.h"
#include "cmd/workload.h"
#include "load/load.h"
#include "model/job.h"
#include "model/metric.h"
#include "model/result.h"
#include "model/setting.h"
#include "output/output.h"
#include "stats/drift.h"

struct run_config {
	struct trial_options trial;
	struct arg_list settings;
	const char *label;
	struct run_output_options output;
	struct run_live_options live;
	unsigned nr_repeats;
	bool json;
	bool parse_only;
	bool show_command;
	bool warnings_are_fatal;
	const char *option_help, *engine_help; /* answered before the words are parsed */
	bool is_fio;			       /* called by that name: as silent as fio */
	bool is_help;
};

static const struct arg_row run_rows[] = {
	{ .name = "set",
	  .type = ARG_STRING_LIST,
	  .offset = offsetof(struct run_config, settings),
	  .value_name = "K=V",
	  .help = "change one thing for the run (may be repeated)" },
	{ .name = "repeat",
	  .type = ARG_UNSIGNED,
	  .offset = offsetof(struct run_config, nr_repeats),
	  .value_name = "N",
	  .help = "measure N times" },
	{ .name = "label",
	  .type = ARG_STRING,
	  .offset = offsetof(struct run_config, label),
	  .value_name = "NAME",
	  .help = "name of the sample in the store" },
	RUN_OUTPUT_ROWS(struct run_config, output),
	{ .name = "json",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct run_config, json),
	  .help = "one JSON document of the results on stdout, as import prints it" },
	{ .name = "showcmd",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct run_config, show_command),
	  .help = "print the jobs as a command line of fio and stop" },
	{ .name = "warnings-fatal",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct run_config, warnings_are_fatal),
	  .help = "what is only warned about is an error" },
	{ .name = "cmdhelp",
	  .type = ARG_STRING,
	  .offset = offsetof(struct run_config, option_help),
	  .value_name = "OPTION",
	  .help = "what a job option is; all: every one" },
	{ .name = "enghelp",
	  .type = ARG_STRING,
	  .offset = offsetof(struct run_config, engine_help),
	  .value_name = "ENGINE",
	  .help = "options of an engine; without one the engines" },
	RUN_LIVE_ROWS(struct run_config, live),
	{ .name = "parse-only",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct run_config, parse_only),
	  .help = "check the job files and stop" },
	TRIAL_OPTION_ROWS(struct run_config, trial),
	{ .name = FIO_MODE_OPTION,
	  .type = ARG_BOOL,
	  .offset = offsetof(struct run_config, is_fio) },
	{ .name = "help",
	  .short_name = 'h',
	  .type = ARG_BOOL,
	  .offset = offsetof(struct run_config, is_help),
	  .help = "this text" },
};

static const struct args_spec run_spec = {
	.command = "regio run",
	.operands = "JOB.fio.. [--JOB-OPTION[=VALUE]..]",
	.summary =
		"run fio job files (or --name=.. --rw=.. as for fio) and print what was measured",
	.rows = run_rows,
	.nr_rows = sizeof(run_rows) / sizeof(*run_rows),
	.flags = ARGS_KEEP_UNKNOWN,
};

/* One run: what was asked for, ready to be measured. */
struct run {
	const struct run_config *config;
	struct setting_list settings;	      /* all, as given */
	struct setting_list machine_settings; /* without job.* */
	struct workload work;
	struct run_output output;
	struct run_live live;
	unsigned nr_in_json; /* results printed with --json */
	struct session session;
	char *metric;	/* of the order of repeated runs; known after the first */
	double *values; /* one per run */
	size_t nr_values;
};

/* Opens the document with the first result. */
static int run_add_json(struct run *run, const struct result *result, struct err *err)
{
	CLEANUP(free) char *text = import_result_json(result);
	int ret = run_output_begin(&run->output, err);

	if (run->nr_in_json++ == 0)
		fprintf(run->output.to,
			"{\n\"schema\": \"regio.import\",\n\"version\": %d,\n\"stored\": %u,\n"
			"\"results\": [\n",
			IMPORT_JSON_VERSION, run->config->trial.save ? run->config->nr_repeats : 0);
	else
		fputs(",\n", run->output.to);
	fputs(text, run->output.to);
	return ret;
}

/* Tells the doubts too: they are not part of every format. Not those about numbers that only the
 * output itself shows, and nothing twice: that a job has failed is told at the end. */
static int run_write_result(struct run *run, const struct result *result, struct err *err)
{
	int ret = run->work.jobs.nr ? run_output_header(&run->output, &run->work.jobs, err) : 0;

	if (ret == 0)
		ret = run->config->json ? run_add_json(run, result, err)
					: run_output_result(&run->output, result, err);

	if (run->config->is_fio || run_output_has_told(&run->output))
		return ret;
	for (size_t i = 0; i < result->notes.nr; i++) {
		const struct note *note = &result->notes.items[i];

		if (!note_kind(note->id)->is_of_output && note->id != NOTE_JOB_ERROR)
			log_warning("%s; %s", note->text, note_kind(note->id)->advice);
	}
	return ret;
}

/* fio's status is the number of failed jobs, of which 8 bits arrive. */
static int failed_status(const struct run *run, size_t nr_failed)
{
	return run->config->trial.fio_strict ? (int)(nr_failed & 0xff) : -ERR_SYSTEM;
}

/* The exit status of a run: 0 only when every job ended without error. */
static int run_judge(const struct run *run, const struct result *result, struct err *err)
{
	size_t nr_failed = result_nr_failed(result);
	CLEANUP(free) char *failure = report_failure(result);
	const struct note *incomplete = note_list_find(&result->notes, NOTE_LOG_INCOMPLETE);

	if (failure) {
		(void)err_set(err, ERR_SYSTEM, "%s", failure);
		if (nr_failed > 1)
			(void)err_prefix(err, "%zu jobs failed, first", nr_failed);
		return failed_status(run, nr_failed);
	}
	if (run->work.jobs.include_error)
		return err_set(err, ERR_INPUT, "%s", run->work.jobs.include_error);
	if (incomplete)
		return err_set(err, ERR_SYSTEM, "%s", incomplete->text);
	if (result->interrupted)
		return err_set(err, ERR_INTERRUPTED, "interrupted; the result is partial");
	return 0;
}

/*
 * Stores first: a reader that closes the pipe must not cost the result. A result that cannot be
 * stored is printed all the same, and the failure told after it.
 */
static int run_keep(struct run *run, const struct result *result, struct err *err)
{
	const char *label = run->config->label ? run->config->label : "run";
	struct err store_err = { .code = 0 };
	int stored = session_store(&run->session, label, true, result, &store_err);
	int ret = run_write_result(run, result, err);

	if (ret == 0 && stored < 0) {
		*err = store_err;
		return stored;
	}
	return ret;
}

/* With the last of several runs it is told whether they depend on their order. */
static void run_add_to_order(struct run *run, struct result *result)
{
	const struct metric_choice any = { .is_way_known = true }; /* a drift is one either way */
	struct metric_list metrics = { .nr = 0 };
	double value;

	if (run->config->nr_repeats <= DRIFT_MIN_VALUES)
		return;
	if (!run->metric && metric_resolve(result, &any, &run->metric, NULL) < 0)
		return;
	result_metrics(result, &metrics);
	if (metric_find(&metrics, run->metric, &value) == 0) {
		run->values = xreallocarray(run->values, run->nr_values + 1, sizeof(*run->values));
		run->values[run->nr_values++] = value;
	}
	metric_list_release(&metrics);
	if (run->nr_values == run->config->nr_repeats)
		caveat_check_series(run->metric, run->values, run->nr_values, &result->notes);
}

static int run_once(struct run *run, unsigned nr, struct err *err)
{
	struct result result = { .nr_jobs = 0 };
	const struct session_trial work = {
		.workload = &run->work,
		.settings = &run->settings,
		.machine_settings = &run->machine_settings,
		.label = run->config->label,
		.seed_nr = nr,
	};
	int ret = session_trial(&run->session, &work, &result, err);

	if (ret < 0)
		return ret;
	run_add_to_order(run, &result);
	run_live_clear(&run->live);
	ret = run_keep(run, &result, err);
	if (ret == 0)
		ret = run_judge(run, &result, err);
	result_release(&result);
	return ret;
}

static int run_measure(struct run *run, int argc, char *const *argv, struct err *err)
{
	CLEANUP(free) char *command = workload_command("run", argc, argv);
	int ret = session_open(&run->session, &run->config->trial, "run", command, err);

	if (ret == 0)
		ret = run_output_open(&run->output, err);
	run->output.is_stream = run->config->nr_repeats > 1;
	if (ret == 0)
		ret = run_live_open(&run->live, &run->config->live, &run->output, err);
	run->session.live = &run->live.hooks;
	run->live.jobs = &run->work.jobs;
	for (unsigned nr = 0; ret == 0 && nr < run->config->nr_repeats; nr++)
		ret = run_once(run, nr, err);
	ret = run_live_close(&run->live, ret, err);
	if (run->nr_in_json)
		fputs("\n]\n}\n", run->output.to);
	if (run->config->json && run->output.to == stdout)
		ret = output_finish(stdout, err) < 0 && ret == 0 ? -ERR_SYSTEM : ret;
	ret = run_output_close(&run->output, ret, err);
	session_close(&run->session);
	return ret;
}

/* All that can be refused before something is touched. */
static int run_check(struct run *run, struct err *err)
{
	int ret = load_check_jobs(&run->work.jobs, err);

	if (ret == 0)
		ret = run_live_check(&run->config->live, err);
	if (ret == 0)
		ret = run_output_open(&run->output, err);
	return run_output_close(&run->output, ret, err);
}

static int run_choose_output(struct run *run, struct err *err)
{
	const struct run_output_options *options = &run->config->output;
	int ret;

	if (run->config->json && (options->formats || options->minimal || options->append_terse))
		return err_set(err, ERR_USAGE, "--json and --output-format: one of them");
	ret = run_output_choose(&run->output, options, err);
	if (run->config->json)
		run->output.nr = 0;
	return ret;
}

static int run_start(struct run *run, const struct arg_list *words, int argc, char *const *argv,
		     struct err *err)
{
	size_t nr_warnings;
	int ret = 0;

	if (run->config->parse_only && words->nr == 0)
		return 0; /* asked to learn which options there are */
	if (run->config->nr_repeats == 0)
		return err_set(err, ERR_USAGE, "--repeat: 0 runs measure nothing");
	for (size_t i = 0; i < run->config->settings.nr && ret == 0; i++)
		ret = setting_list_parse(&run->settings, run->config->settings.items[i], err);
	if (ret == 0)
		ret = run_choose_output(run, err);
	if (ret == 0)
		ret = workload_parse(words, &run->settings, &run->config->trial, &run->work, err);
	if (ret == 0 && run->config->show_command) {
		fio_mode_show(&run->work.jobs);
		return 0;
	}
	if (ret == 0) {
		nr_warnings = workload_warn(&run->work.jobs, !run->config->is_fio);
		if (run->config->warnings_are_fatal && nr_warnings > 0)
			return err_set(err, ERR_INPUT,
				       "%zu warnings, and --warnings-fatal is given", nr_warnings);
		workload_machine_settings(&run->settings, &run->machine_settings);
		ret = run->config->parse_only ? run_check(run, err)
					      : run_measure(run, argc, argv, err);
	}
	return ret;
}

static int run_run(int argc, char *const *argv, struct err *err)
{
	struct run_config config = {
		.trial = TRIAL_OPTIONS_INIT,
		.output = RUN_OUTPUT_OPTIONS_INIT,
		.nr_repeats = 1,
	};
	struct run run = { .config = &config };
	struct arg_list given = { .nr = 0 };
	struct arg_list words = { .nr = 0 };
	int ret = 0;

	if (fio_mode_answer(argc, argv, &ret, err))
		return ret;
	ret = fio_mode_filter(argc, argv, &given, err);
	if (ret == 0)
		ret = args_parse(&run_spec, (int)given.nr, (char *const *)given.items, &config,
				 &words, err);
	config.live.is_lenient = config.trial.fio_strict;
	if (ret == 0 && config.is_help)
		workload_print_help(&run_spec, &words, stdout);
	else if (ret == 0)
		ret = run_start(&run, &words, argc, argv, err);
	free(run.metric);
	free(run.values);
	workload_release(&run.work);
	setting_list_release(&run.machine_settings);
	setting_list_release(&run.settings);
	arg_list_release(&words);
	arg_list_release(&given);
	args_release(&run_spec, &config);
	return ret;
}

const struct command cmd_run = {
	.name = "run",
	.summary = "run fio job files and print what was measured",
	.spec = &run_spec,
	.run = run_run,
};
