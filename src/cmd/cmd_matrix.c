/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matrix: the combinations of a plan, measured in blocks, and on what the effect depends. */
#include <stdlib.h>
#include <string.h>

#include "analysis/virtual_rule.h"
#include "base/arena.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/sweep.h"
#include "cmd/terminal.h"
#include "cmd/workload.h"
#include "model/yaml_tree.h"
#include "output/doc.h"
#include "output/output.h"
#include "plan/plan_parse.h"
#include "stack/stack.h"

static const struct arg_row matrix_rows[] = {
	{ .name = "dry-run",
	  .short_name = 'n',
	  .type = ARG_BOOL,
	  .offset = offsetof(struct sweep_config, dry_run),
	  .help = "list the trials and about how long they take" },
	{ .name = "restart",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct sweep_config, restart),
	  .help = "measure everything again, whatever an interrupted call has stored" },
	{ .name = "format",
	  .type = ARG_STRING,
	  .offset = offsetof(struct sweep_config, format),
	  .value_name = "NAME",
	  .help = "text (default), csv, markdown or json" },
	{ .name = "json",
	  .type = ARG_BOOL,
	  .offset = offsetof(struct sweep_config, json),
	  .help = "the same as --format=json" },
	TRIAL_OPTION_ROWS(struct sweep_config, trial),
	{ .name = "help",
	  .short_name = 'h',
	  .type = ARG_BOOL,
	  .offset = offsetof(struct sweep_config, is_help),
	  .help = "this text" },
};

static const struct args_spec matrix_spec = {
	.command = "regio matrix",
	.operands = "PLAN.yaml",
	.summary = "measure the combinations of a plan and say on what the effect depends",
	.rows = matrix_rows,
	.nr_rows = sizeof(matrix_rows) / sizeof(*matrix_rows),
};

/* ---- the plan ---- */

static int read_plan(struct sweep *sweep, const char *path, struct strbuf *text, struct err *err)
{
	int ret = file_read(path, YAML_MAX_BYTES, text, err);

	if (ret == 0)
		ret = plan_parse(path, strbuf_str(text), text->len, &sweep->plan, err);
	if (ret == 0)
		ret = plan_expand(&sweep->plan, &sweep->points, err);
	return ret;
}

/* Found out before the first trial, not after it. */
static int check_metric(const struct sweep *sweep, struct err *err)
{
	const struct matrix_plan *plan = &sweep->plan;

	if (plan->workload != PLAN_JOB || !plan->metric || metric_is_of_jobs(plan->metric))
		return 0;
	return err_set(err, ERR_INPUT, "%s: metric: jobs have no metric '%s'", plan->source,
		       plan->metric);
}

/* Every cell that is compared has a baseline and something beside it. */
static int check_cells(const struct sweep *sweep, struct err *err)
{
	const struct matrix_plan *plan = &sweep->plan;

	for (size_t i = 0; plan_is_compared(plan) && i < sweep->points.cells.nr; i++) {
		const struct plan_point *first = sweep_point(sweep, i, 0);
		CLEANUP(strbuf) struct strbuf label = STRBUF_INIT;
		bool has_base = first->values[plan->compared] == plan->baseline;

		if (has_base && sweep->points.cells.items[i].points.nr > 1)
			continue;
		plan_cell_label(plan, first, &label);
		return err_set(err, ERR_INPUT,
			       "%s: %s has %s to compare: exclude it as a whole or not at all",
			       plan->source, strbuf_str(&label),
			       has_base ? "only the baseline" : "no baseline");
	}
	return 0;
}

static int take_options(struct sweep *sweep, struct err *err)
{
	const struct trial_options *given = &sweep->config->trial;
	const char *local = TRIAL_OPTIONS_INIT.target;

	if (given->exec)
		return err_set(err, ERR_USAGE, "--exec: the plan names the command, by cmd");
	if (given->stack && sweep->plan.stack)
		return err_set(err, ERR_USAGE, "--stack: the plan has a stack already");
	if (sweep->plan.target && strcmp(given->target, local) != 0 &&
	    strcmp(given->target, sweep->plan.target) != 0)
		return err_set(err, ERR_USAGE, "--on=%s: the plan says on: %s", given->target,
			       sweep->plan.target);
	sweep->trial = *given;
	if (sweep->plan.target)
		sweep->trial.target = sweep->plan.target;
	if (sweep->plan.time && !strcmp(given->vm.time, "auto"))
		sweep->trial.vm.time = sweep->plan.time;
	if (sweep->plan.stack) {
		sweep->trial.stack = sweep->plan.stack;
		sweep->trial.stack_source =
			arena_printf(&sweep->plan.arena, "%s:%u: stack", sweep->plan.source,
				     sweep->plan.stack_line);
	}
	sweep->trial.exec = sweep->plan.command;
	if (sweep->plan.timeout_ns)
		sweep->trial.exec_timeout_ns = sweep->plan.timeout_ns;
	if (!sweep->trial.seed)
		sweep->trial.seed = sweep->plan.seed;
	return 0;
}

/* In virtual time repeats are seeds, and trials before the first are runs inside of each guest. */
static int choose_clock(struct sweep *sweep, struct err *err)
{
	struct matrix_plan *plan = &sweep->plan;
	int ret = vm_options_choose(sweep->trial.target, &sweep->trial.vm, &sweep->is_virtual, err);

	if (ret < 0 || !sweep->is_virtual)
		return ret;
	if (plan->is_sequential)
		return err_set(err, ERR_INPUT,
			       "%s: max_pairs is for a clock with noise; in virtual time give "
			       "repeats, the number of seeds",
			       plan->source);
	if (!plan->has_repeats)
		plan->repeats = sweep->trial.vm.nr_seeds;
	if (plan_is_compared(plan) && plan->repeats < VIRTUAL_MIN_SEEDS)
		return err_set(err, ERR_INPUT, "%s: repeats: in virtual time at least %d seeds",
			       plan->source, VIRTUAL_MIN_SEEDS);
	if (!plan->has_min_effect)
		plan->min_effect = VIRTUAL_MIN_EFFECT;
	sweep->trial.vm.nr_warmups = plan->nr_warmups;
	plan->nr_warmups = 1; /* the self-test */
	return 0;
}

static void prepare_matrix(struct sweep *sweep)
{
	CLEANUP(free) size_t *nr_sides = xcalloc(sweep->points.cells.nr, sizeof(*nr_sides));
	struct matrix_config config = { .repeats = sweep->plan.repeats,
					.nr_warmups = sweep->plan.nr_warmups };

	for (size_t i = 0; i < sweep->points.cells.nr; i++)
		nr_sides[i] = sweep->points.cells.items[i].points.nr;
	matrix_init(&sweep->matrix, nr_sides, sweep->points.cells.nr);
	sweep->nr_planned = matrix_count_trials(&sweep->matrix, &config);
}

/* ---- what makes a call go on with an interrupted one ---- */

static void add_line(struct strbuf *text, const char *line)
{
	strbuf_add_str(text, line ? line : "");
	strbuf_add_char(text, '\n');
}

/* The job files themselves: an edited one is another experiment. */
static void add_words(const struct matrix_plan *plan, struct strbuf *text)
{
	for (size_t i = 0; i < plan->words.nr; i++) {
		const char *word = plan->words.items[i];

		add_line(text, word);
		if (word[0] != '-')
			(void)file_read(word, YAML_MAX_BYTES, text, NULL); /* parsed later */
	}
}

/*
 * All that the trials of a point depend on but the point itself. Values, repeats and budget may
 * change: what was measured is still good, and is found by its id.
 */
static char *make_digest(const struct sweep *sweep)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	const struct matrix_plan *plan = &sweep->plan;

	add_line(&text, plan->name);
	add_line(&text, plan->command);
	add_line(&text, sweep->trial.stack);
	add_line(&text, sweep->trial.target);
	add_line(&text, sweep->is_virtual ? "virtual" : "");
	add_words(plan, &text);
	for (size_t i = 0; i < plan->settings.nr; i++)
		add_line(&text, plan->settings.items[i].text);
	for (size_t i = 0; i < plan->when.nr; i++) {
		for (size_t j = 0; j < plan->when.items[i].settings.nr; j++)
			add_line(&text, plan->when.items[i].settings.items[j].text);
	}
	for (size_t i = 0; i < plan->factors.nr; i++)
		add_line(&text, plan->factors.items[i].key);
	strbuf_printf(&text, "%llu %llu\n", (unsigned long long)sweep->trial.seed,
		      (unsigned long long)sweep->trial.exec_timeout_ns);
	return xasprintf("%016llx", (unsigned long long)name_hash(strbuf_str(&text)));
}

/* ---- running it ---- */

static int open_session(struct sweep *sweep, struct err *err)
{
	CLEANUP(free) char *digest = make_digest(sweep);
	const struct session_plan plan = {
		.kind = "matrix",
		.command = sweep->command,
		.digest = digest,
		.source = sweep->plan.source,
		.is_fresh = sweep->config->restart,
	};
	bool goes_on = false;
	int ret = session_restore_leftovers(err);

	if (ret == 0)
		ret = session_open_plan(&sweep->session, &sweep->trial, &plan, &goes_on, err);
	if (ret < 0 || !goes_on)
		return ret;
	ret = sweep_load_stored(sweep, err);
	if (ret == 0 && sweep->stored.nr)
		log_warning("goes on with experiment %lld, of which %zu trials are stored; "
			    "--restart measures them again",
			    (long long)sweep->session.experiment, sweep->stored.nr);
	return ret;
}

static int measure(struct sweep *sweep, struct err *err)
{
	const struct matrix_config config = {
		.repeats = sweep->plan.repeats,
		.nr_warmups = sweep->plan.nr_warmups,
		.max_attempts = sweep->is_virtual ? 1 : 0, /* it would fail again the same way */
		.is_sequential = sweep->plan.is_sequential,
		.rule = sweep_rule(sweep),
		.seed = sweep->session.seed,
		.answer = sweep_answer,
		.arg = sweep,
	};
	int ret;

	sweep->start_ns = clock_now_ns();
	ret = matrix_run(&sweep->matrix, &config, err);
	progress_clear(&sweep->session.progress);
	return ret;
}

static void add_notes(struct sweep *sweep)
{
	size_t nr = sweep->points.cells.nr;

	for (size_t i = 0; i < sweep->notes.nr; i++) {
		struct note *note = &sweep->notes.items[i];
		size_t nr_like_it = sweep->nr_of_note[note->id];
		char *text = nr_like_it > 1 ? xasprintf("%s (and %zu more of its kind)", note->text,
							nr_like_it - 1)
					    : xstrdup(note->text);

		free(note->text);
		note->text = text;
	}

	if (sweep->plan.is_sequential && nr > 1)
		note_add(&sweep->notes, NOTE_CELL_ALPHA,
			 "each of %zu cells alarms falsely with 1 %%, so any of them with at most "
			 "%.3g %%",
			 nr, nr < 100 ? (double)nr : 100.0);
}

static int write_doc(const struct sweep *sweep, const struct doc *doc, struct err *err)
{
	const char *name = sweep->config->json	   ? "json"
			   : sweep->config->format ? sweep->config->format
						   : "text";
	const struct output_style style = terminal_style();

	return output_find(name)->doc(doc, &style, stdout, err);
}

static int check_format(const struct sweep_config *config, struct err *err)
{
	const struct output_ops *format = config->format ? output_find(config->format) : NULL;

	if (config->format && (!format || !format->doc || !strcmp(config->format, "lkp")))
		return err_set(err, ERR_USAGE, "--format: '%s' is not text, csv, markdown or json",
			       config->format);
	return 0;
}

/* Not one number: there is nothing to report but why. */
static int refuse_nothing(const struct sweep *sweep, struct err *err)
{
	const char *why = "see the store";

	for (size_t i = sweep->notes.nr; i-- > 0;) {
		enum note_id id = sweep->notes.items[i].id;

		if (id == NOTE_TRIAL_FAILED || id == NOTE_JOB_ERROR)
			why = sweep->notes.items[i].text;
	}
	return err_set(err, ERR_SYSTEM, "none of the trials could be measured: %s", why);
}

static int finish(struct sweep *sweep, struct err *err)
{
	enum verdict verdict = sweep_verdict(sweep);
	CLEANUP(doc) struct doc *doc = NULL;
	int ret = 0;

	if (!sweep->metric && sweep->nr_failed && !sweep->why_stopped)
		return refuse_nothing(sweep, err);
	add_notes(sweep);
	doc = sweep_report(sweep);
	if (sweep->session.store && !sweep->why_stopped) {
		CLEANUP(free) char *json = sweep_report_json(sweep);

		ret = store_end_experiment(
			sweep->session.store, sweep->session.experiment,
			plan_is_compared(&sweep->plan) ? verdict_name(verdict) : NULL, json, err);
	}
	if (ret == 0)
		ret = write_doc(sweep, doc, err);
	if (ret == 0 && sweep->why_stopped && !strcmp(sweep->why_stopped, "interrupted"))
		return err_set(err, ERR_INTERRUPTED, "interrupted after %zu of %zu trials",
			       sweep->nr_run + sweep->nr_stored_used, sweep->nr_planned);
	if (ret < 0 || !plan_is_compared(&sweep->plan))
		return ret;
	return verdict_exit_status(verdict);
}

static int matrix_start(struct sweep *sweep, const char *path, struct err *err)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	int ret = check_format(sweep->config, err);

	if (ret == 0)
		ret = read_plan(sweep, path, &text, err);
	if (ret == 0)
		ret = take_options(sweep, err);
	if (ret == 0)
		ret = choose_clock(sweep, err);
	if (ret == 0)
		ret = check_metric(sweep, err);
	if (ret == 0)
		ret = check_cells(sweep, err);
	if (ret == 0)
		ret = sweep_check_points(sweep, err);
	if (ret < 0)
		return ret;
	prepare_matrix(sweep);
	if (sweep->config->dry_run) {
		CLEANUP(doc) struct doc *doc = sweep_report_plan(sweep);

		return write_doc(sweep, doc, err);
	}
	ret = sweep_check_targets(sweep, err);
	if (ret == 0)
		ret = open_session(sweep, err);
	if (ret == 0 && !sweep->trial.seed) {
		char *seeded = xasprintf("%s --seed=%llu", sweep->command,
					 (unsigned long long)sweep->session.seed);

		free(sweep->command);
		sweep->command = seeded;
	}
	if (ret == 0)
		ret = sweep_blame_plan(measure(sweep, err), err);
	return ret < 0 ? ret : finish(sweep, err);
}

static void sweep_release(struct sweep *sweep)
{
	session_close(&sweep->session);
	name_index_release(&sweep->by_name);
	store_trial_list_release(&sweep->stored);
	note_list_release(&sweep->notes);
	matrix_release(&sweep->matrix);
	plan_points_release(&sweep->points);
	matrix_plan_release(&sweep->plan);
	free(sweep->command);
	free(sweep->metric);
	free(sweep->said);
}

static int matrix_main(int argc, char *const *argv, struct err *err)
{
	CLEANUP(free) char *place = stack_choose_place(); /* the same for all trials */
	struct sweep_config config = { .trial = TRIAL_OPTIONS_INIT };
	struct sweep sweep = { .config = &config, .plan = PLAN_DEFAULTS };
	struct arg_list words = { .nr = 0 };
	int ret = args_parse(&matrix_spec, argc, argv, &config, &words, err);

	config.trial.stack_place = place;
	if (ret == 0 && config.is_help) {
		args_print_usage(&matrix_spec, stdout);
	} else if (ret == 0 && words.nr != 1) {
		ret = err_set(err, ERR_USAGE, "regio matrix takes one plan, not %zu", words.nr);
	} else if (ret == 0) {
		sweep.command = workload_command("matrix", argc, argv);
		ret = matrix_start(&sweep, words.items[0], err);
	}
	sweep_release(&sweep);
	arg_list_release(&words);
	args_release(&matrix_spec, &config);
	return ret;
}

const struct command cmd_matrix = {
	.name = "matrix",
	.summary = "measure the combinations of a plan and say on what the effect depends",
	.spec = &matrix_spec,
	.run = matrix_main,
};
