/* SPDX-License-Identifier: GPL-2.0-or-later */
/* doctor: is this machine quiet enough to measure on, and how small a change can it show? */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/doctor.h"
#include "cmd/interrupt.h"
#include "cmd/terminal.h"
#include "model/metric.h"
#include "model/result.h"
#include "output/doc.h"
#include "output/output.h"

#define MIN_TIME_NS (5 * NS_PER_S)
#define MIN_RUN_NS (NS_PER_S / 10)
#define MAX_WATCH_NS (3 * NS_PER_S)
#define WATCH_DIVISOR 10 /* of the time */
/* Files are laid out first, and the machine is asked about its environment before each run. */
#define SHARE_FOR_RUNS 0.9
#define BETWEEN_RUNS_NS (NS_PER_S / 6)

static const struct arg_row doctor_rows[] = {
	{ .name = "time",
	  .type = ARG_DURATION,
	  .offset = offsetof(struct doctor_config, time_ns),
	  .value_name = "T",
	  .help = "how long it may take, at least 5s (default 30s)" },
	{ .name = "pairs",
	  .type = ARG_UNSIGNED,
	  .offset = offsetof(struct doctor_config, nr_pairs),
	  .value_name = "N",
	  .help = "pairs of equal runs to measure the noise with, 5 to 60 (default 10)" },
	{ .name = "min-effect",
	  .type = ARG_SHARE,
	  .offset = offsetof(struct doctor_config, min_effect),
	  .value_name = "X",
	  .help = "smallest difference that matters (default 5%)" },
	{ .name = "metric",
	  .short_name = 'm',
	  .type = ARG_STRING,
	  .offset = offsetof(struct doctor_config, metric),
	  .value_name = "NAME",
	  .help = "whose noise: iops, bw, clat_mean, clat_p99, write.lat_mean .." },
	{ .name = "json",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct doctor_config, json),
	  .help = "one JSON document on stdout" },
	{ .name = "section",
	  .type = ARG_STRING_LIST,
	  .offset = offsetof(struct doctor_config, trial.sections),
	  .value_name = "NAME",
	  .help = "run only the job sections of that name (may be repeated)" },
	{ .name = "allow-destructive",
	  .type = ARG_STRING_LIST,
	  .offset = offsetof(struct doctor_config, trial.allow_destructive),
	  .value_name = "DEVICE",
	  .help = "write to DEVICE although it carries data or is in use" },
	{ .name = "readonly",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct doctor_config, trial.readonly),
	  .help = "refuse jobs that write or trim" },
	{ .name = "seed",
	  .type = ARG_U64,
	  .offset = offsetof(struct doctor_config, trial.seed),
	  .value_name = "N",
	  .help = "seed of everything random" },
	{ .name = "progress",
	  .type = ARG_STRING,
	  .offset = offsetof(struct doctor_config, trial.progress_mode),
	  .value_name = "WHEN",
	  .help = "progress line on stderr: auto, always, never" },
	{ .name = "help",
	  .short_name = 'h',
	  .type = ARG_BOOL,
	  .offset = offsetof(struct doctor_config, is_help),
	  .help = "this text" },
};

static const struct args_spec doctor_spec = {
	.command = "regio doctor",
	.operands = "[DEVICE | FOLDER | JOB.fio.. [--JOB-OPTION[=VALUE]..]]",
	.summary =
		"is this machine quiet enough to measure on, and how small a change can it show?",
	.rows = doctor_rows,
	.nr_rows = sizeof(doctor_rows) / sizeof(*doctor_rows),
	.flags = ARGS_KEEP_UNKNOWN,
};

/* ---- measuring ---- */

static int doctor_trial(struct doctor *doctor, const struct session_trial *how,
			struct result *ret_result, struct err *err)
{
	struct session_trial work = *how;

	work.workload = &doctor->work;
	work.settings = &doctor->settings;
	work.machine_settings = &doctor->settings;
	return session_trial(&doctor->session, &work, ret_result, err);
}

static int doctor_run_trial(void *arg, enum campaign_side side, uint64_t seed_nr,
			    struct result *ret_result, struct err *err)
{
	struct doctor *doctor = arg;
	struct progress *progress = &doctor->session.progress;
	const struct session_trial how = { .label = side_name(side), .seed_nr = seed_nr };

	if (seed_nr)
		(void)snprintf(progress->prefix, sizeof(progress->prefix),
			       "pair %llu of %u: ", (unsigned long long)seed_nr,
			       doctor->config->nr_pairs);
	else
		(void)snprintf(progress->prefix, sizeof(progress->prefix), "warm-up: ");
	return doctor_trial(doctor, &how, ret_result, err);
}

static int doctor_sink(void *arg, enum campaign_side side, enum trial_use use,
		       const struct result *result, struct err *err)
{
	struct doctor *doctor = arg;

	if (use == TRIAL_USED || use == TRIAL_FAILED)
		note_tally_add(&doctor->tally, side, &result->notes);
	if (doctor->metric || use == TRIAL_FAILED || use == TRIAL_INTERRUPTED)
		return 0;
	return metric_resolve(result, &(struct metric_choice){ .text = doctor->config->metric },
			      &doctor->metric, err);
}

static int doctor_value(void *arg, enum campaign_side side, const struct result *result,
			double *ret_value, struct err *err)
{
	const struct doctor *doctor = arg;
	CLEANUP(metric_list) struct metric_list metrics = { .nr = 0 };

	(void)side;
	result_metrics(result, &metrics);
	if (metric_find(&metrics, doctor->metric, ret_value) < 0)
		return err_set(err, ERR_INPUT, "a run has no metric '%s': %s", doctor->metric,
			       "too few I/Os for a percentile, or nothing done in that direction");
	return 0;
}

static int doctor_campaign(struct doctor *doctor, struct err *err)
{
	const struct campaign_config config = {
		.stop = {
			.rule = { .alpha = 0.05 },
			.max_pairs = doctor->config->nr_pairs,
			.is_fixed = true,
		},
		.nr_warmups = 1,
		.seed = doctor->session.seed,
		.interrupted = doctor->session.stop,
		.hooks = {
			.run_trial = doctor_run_trial,
			.value = doctor_value,
			.sink = doctor_sink,
			.arg = doctor,
		},
	};

	const uint64_t begin_ns = clock_now_ns();
	int ret = campaign_run(&config, &doctor->campaign, err);
	size_t nr_trials = NR_SIDES * (doctor->campaign.look.nr_pairs + 1);

	doctor->trial_ns = (clock_now_ns() - begin_ns) / nr_trials;
	return ret;
}

/* The machine without us. */
static int doctor_watch(struct doctor *doctor, uint64_t watch_ns, struct err *err)
{
	const struct session_trial how = { .watch_ns = watch_ns };
	CLEANUP(result) struct result result = { .label = NULL };
	int ret;

	progress_say(&doctor->session.progress, "watching the machine while nothing is measured");
	ret = doctor_trial(doctor, &how, &result, err);
	if (ret == 0)
		note_list_append(&doctor->idle, &result.notes);
	return ret;
}

/* ---- the plan ---- */

static unsigned nr_phases(const struct job_set *jobs)
{
	unsigned nr = 1;

	for (size_t i = 0; i < jobs->nr; i++) {
		if (jobs->jobs[i].phase >= nr)
			nr = jobs->jobs[i].phase + 1;
	}
	return nr;
}

/* Jobs that would take longer than there is time for take as long as there is. */
static void shorten_jobs(struct doctor *doctor, uint64_t for_runs_ns)
{
	uint64_t trial_ns = for_runs_ns / 2 / (doctor->config->nr_pairs + 1);
	uint64_t phase_ns = MIN_RUN_NS;

	if (trial_ns > BETWEEN_RUNS_NS)
		phase_ns = (trial_ns - BETWEEN_RUNS_NS) / nr_phases(&doctor->work.jobs);
	if (phase_ns < MIN_RUN_NS)
		phase_ns = MIN_RUN_NS;
	doctor->run_ns = phase_ns * nr_phases(&doctor->work.jobs);
	for (size_t i = 0; i < doctor->work.jobs.nr; i++) {
		struct job *job = &doctor->work.jobs.jobs[i];

		if (job->ramp_time_ns > phase_ns / 2)
			job->ramp_time_ns = phase_ns / 2;
		if (job->runtime_ns == 0 || job->runtime_ns > phase_ns - job->ramp_time_ns)
			job->runtime_ns = phase_ns - job->ramp_time_ns;
		job->startdelay_min_ns = 0;
		job->startdelay_max_ns = 0;
	}
}

static int doctor_measure(struct doctor *doctor, struct err *err)
{
	const uint64_t time_ns = doctor->config->time_ns;
	uint64_t watch_ns = time_ns / WATCH_DIVISOR;
	int ret;

	if (watch_ns > MAX_WATCH_NS)
		watch_ns = MAX_WATCH_NS;
	shorten_jobs(doctor, (uint64_t)(SHARE_FOR_RUNS * (double)(time_ns - watch_ns)));
	ret = session_open(&doctor->session, &doctor->config->trial, "doctor", "", err);
	if (ret < 0)
		return ret;
	interrupt_after(time_ns);
	ret = doctor_watch(doctor, watch_ns, err);
	return ret < 0 ? ret : doctor_campaign(doctor, err);
}

/* ---- the end ---- */

static int check_end(const struct doctor *doctor, struct err *err)
{
	const struct campaign *campaign = &doctor->campaign;

	if (campaign->end == CAMPAIGN_FAILURE)
		return err_set(err, ERR_SYSTEM,
			       "the runs fail, so there is nothing to judge by: %s",
			       doctor->tally.others.nr ? doctor->tally.others.items[0].text
						       : "no reason was given");
	if (campaign->end != CAMPAIGN_INTERRUPTED)
		return 0;
	if (!interrupt_is_timeout())
		return err_set(err, ERR_INTERRUPTED, "interrupted after %zu pairs",
			       campaign->look.nr_pairs);
	if (campaign->look.nr_pairs < LEVELS_MIN_PAIRS)
		return err_set(err, ERR_INTERRUPTED,
			       "the time was over after %zu pairs, %d are needed: give it more "
			       "--time, or a job with less to lay out",
			       campaign->look.nr_pairs, LEVELS_MIN_PAIRS);
	return 0;
}

static int doctor_write(const struct doctor *doctor, struct err *err)
{
	const struct output_style style = terminal_style();
	CLEANUP(doc) struct doc *doc = NULL;

	if (doctor->config->json) {
		CLEANUP(free) char *text = doctor_report_json(doctor);

		return printf("%s\n", text) < 0 ? err_set_errno(err, "write to stdout") : 0;
	}
	doc = doctor_report(doctor);
	return output_find("text")->doc(doc, &style, stdout, err);
}

static int doctor_examine(struct doctor *doctor, const struct arg_list *operands, struct err *err)
{
	int ret = doctor_place_init(&doctor->place, operands, err);

	if (ret == 0)
		ret = workload_parse(&doctor->place.words, &doctor->settings,
				     &doctor->config->trial, &doctor->work, err);
	if (ret == 0 && doctor->work.own)
		ret = err_set(err, ERR_UNSUPPORTED,
			      "the doctor measures with fio jobs, not with '%s'",
			      doctor->place.subject);
	if (ret < 0)
		return ret;
	(void)workload_warn(&doctor->work.jobs, true);
	ret = doctor_measure(doctor, err);
	progress_clear(&doctor->session.progress);
	if (ret == 0)
		ret = check_end(doctor, err);
	if (ret < 0)
		return ret;
	ret = doctor_place_remove(&doctor->place, err);
	if (ret < 0)
		return ret;
	doctor_judge(doctor);
	ret = doctor_write(doctor, err);
	return ret < 0 ? ret : !doctor_is_fit(doctor);
}

static int check_config(const struct doctor_config *config, struct err *err)
{
	if (config->time_ns < MIN_TIME_NS)
		return err_set(err, ERR_USAGE, "--time: less than 5 s show nothing");
	if (config->nr_pairs < LEVELS_MIN_PAIRS || config->nr_pairs > LEVELS_MAX_PAIRS)
		return err_set(err, ERR_USAGE, "--pairs: %u is not in %d..%d", config->nr_pairs,
			       LEVELS_MIN_PAIRS, LEVELS_MAX_PAIRS);
	if (!(config->min_effect > 0 && config->min_effect < 1))
		return err_set(err, ERR_USAGE, "--min-effect: %g %% is not between 0 and 100 %%",
			       100 * config->min_effect);
	return 0;
}

static void doctor_release(struct doctor *doctor)
{
	session_close(&doctor->session);
	doctor_place_release(&doctor->place);
	workload_release(&doctor->work);
	note_list_release(&doctor->idle);
	note_tally_release(&doctor->tally);
	note_list_release(&doctor->notes);
	free(doctor->metric);
}

static int doctor_run(int argc, char *const *argv, struct err *err)
{
	struct doctor_config config = {
		.trial = TRIAL_OPTIONS_INIT,
		.time_ns = 30 * NS_PER_S,
		.nr_pairs = 10,
		.min_effect = 0.05,
	};
	struct doctor doctor = { .config = &config };
	struct arg_list operands = { .nr = 0 };
	int ret = args_parse(&doctor_spec, argc, argv, &config, &operands, err);

	config.trial.save = false;
	if (ret == 0 && config.is_help)
		args_print_usage(&doctor_spec, stdout);
	else if (ret == 0)
		ret = check_config(&config, err);
	if (ret == 0 && !config.is_help)
		ret = doctor_examine(&doctor, &operands, err);
	doctor_release(&doctor);
	arg_list_release(&operands);
	args_release(&doctor_spec, &config);
	return ret;
}

const struct command cmd_doctor = {
	.name = "doctor",
	.summary = "is this machine quiet enough, and how small a change can it show?",
	.spec = &doctor_spec,
	.run = doctor_run,
};
