/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect_start: begins a bisection, goes on with one, or looks at what there is of it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "cmd/bisect.h"
#include "cmd/interrupt.h"
#include "cmd/terminal.h"
#include "cmd/tuning.h"
#include "cmd/workload.h"
#include "job/key_index.h"
#include "output/doc.h"
#include "output/output.h"
#include "store/store.h"
#include "target/target.h"

#define LOG_MAX_BYTES (64u << 20)

/* ---- what was asked for ---- */

/* The source that is named, and its value. */
static const struct candidate_ops *named_source(const struct bisect_config *config,
						const char **ret_where, size_t *ret_nr)
{
	const struct {
		const char *name, *where;
	} given[] = {
		{ "git", config->git },
		{ "kernels", config->kernels },
		{ "list", config->list },
		{ "settings", config->settings_base },
	};
	const struct candidate_ops *found = NULL;

	*ret_nr = 0;
	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++) {
		if (!given[i].where)
			continue;
		found = bisect_find_source(given[i].name);
		*ret_where = given[i].where;
		(*ret_nr)++;
	}
	return found;
}

/* The operand that is a range is not one of the job. */
static void take_words(struct bisect *bisect, const struct arg_list *words, const char **ret_range)
{
	size_t first = bisect->ops && bisect->ops->needs_range && words->nr ? 1 : 0;

	*ret_range = first ? words->items[0] : NULL;
	for (size_t i = first; i < words->nr; i++)
		arg_list_push(&bisect->words, words->items[i]);
}

static int check_target(const struct bisect *bisect, struct err *err)
{
	const struct target_ops *target = target_find(bisect->config->trial.target);

	if (bisect->ops->needs_guest && !bisect->config->build && target && !target->is_guest)
		return err_set(err, ERR_USAGE,
			       "--%s: guests boot the %s (--on=vm), or a command does (--boot)",
			       bisect->ops->name, bisect->ops->nouns);
	return 0;
}

/* Mistakes in the job show before the first build. */
static int check_job(const struct bisect *bisect, struct err *err)
{
	CLEANUP(trial_work) struct trial_work work = { .settings = { .nr = 0 } };
	int ret = 0;

	(void)setenv("REGIO_CANDIDATE", bisect_candidate(bisect, 0)->id, 1);
	(void)setenv("REGIO_TREE", ".", 1);
	for (size_t i = 0; ret == 0 && i < bisect->config->settings.nr; i++)
		ret = setting_list_parse(&work.settings, bisect->config->settings.items[i], err);
	if (ret == 0)
		ret = trial_work_parse(&work, &bisect->words, &bisect->config->trial, err);
	if (ret == 0)
		(void)workload_warn(&work.workload.jobs, true);
	return ret;
}

/* An option that neither bisect nor a job has is a mistyped one of bisect. */
static int refuse_no_source(const struct arg_list *words, struct err *err)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct key_index index;

	key_index_init(&index, &arena);
	for (size_t i = 0; i < words->nr; i++) {
		const char *word = words->items[i];
		CLEANUP(free) char *name = NULL;
		size_t nr;

		if (strncmp(word, "--", 2) != 0)
			continue;
		name = xstrndup(word + 2, strcspn(word + 2, "="));
		if (!key_index_find_prefix(&index, name, &nr) && nr == 0)
			return args_refuse(bisect_args(), word, err);
	}
	return err_set(err, ERR_USAGE, "none of --git, --kernels, --list and --settings");
}

/* range: "GOOD..BAD", or NULL. */
static int open_source(struct bisect *bisect, const char *range, struct err *err)
{
	CLEANUP(free) char *cache = bisect_cache_dir(bisect->config, err);
	struct candidate_request request = {
		.range = range,
		.build = bisect->config->build,
		.build_timeout_ns = bisect->config->build_timeout_ns,
		.cache_dir = cache,
		.stop = interrupt_install(),
	};
	size_t nr = 0;
	const struct candidate_ops *ops = named_source(bisect->config, &request.where, &nr);

	if (!cache)
		return -ERR_USAGE;
	if (nr == 0)
		return refuse_no_source(&bisect->words, err);
	if (nr > 1)
		return err_set(err, ERR_USAGE,
			       "more than one of --git, --kernels, --list and --settings");
	if (ops != &tuning_candidates)
		return candidate_open(ops, &request, &bisect->source, err);
	if (!range)
		return err_set(err, ERR_USAGE, "--settings: the new environment is missing");
	bisect->quest = &bisect_settings;
	bisect->tuning = xcalloc(1, sizeof(*bisect->tuning));
	return tuning_load(bisect->tuning, bisect->config, request.where, range, err);
}

static void copy_candidates(struct bisect *bisect)
{
	VEC_FOREACH (&bisect->source.list, candidate)
		candidate_list_add(&bisect->log.candidates, candidate->id, candidate->name,
				   candidate->text);
}

/* ---- what is printed ---- */

static enum verdict final_verdict(const struct bisect *bisect)
{
	return bisect->has_begun ? bisect->quest->verdict(bisect) : VERDICT_UNDECIDED;
}

static int write_doc(const struct bisect *bisect, const struct doc *doc, struct err *err)
{
	const char *format = bisect->config->json     ? "json"
			     : bisect->config->format ? bisect->config->format
						      : "text";
	const struct output_style style = terminal_style();

	return output_find(format)->doc(doc, &style, stdout, err);
}

static int write_report(struct bisect *bisect, struct err *err)
{
	CLEANUP(doc)
	struct doc *doc = bisect->config->visualise ? bisect->quest->visualise(bisect)
						    : bisect->quest->report(bisect);

	return write_doc(bisect, doc, err);
}

static int write_log(struct bisect *bisect, struct err *err)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	bisect_fill_log(bisect);
	for (size_t i = 0; i < bisect_nr_lines(bisect); i++)
		trial_log_print(&bisect_line(bisect, i)->log, &text);
	if (fwrite(strbuf_str(&text), 1, text.len, stdout) != text.len || fflush(stdout) != 0)
		return err_set_errno(err, "write the log");
	return 0;
}

/* ---- measuring ---- */

/* Not what a bare --resume goes on with: what was asked for will not work later either. */
static int give_up(struct bisect *bisect, int ret)
{
	if (bisect->session->store && ret != -ERR_SYSTEM && bisect_nr_events(bisect) == 0)
		(void)store_end_experiment(bisect->session->store, bisect->experiment,
					   verdict_name(VERDICT_UNDECIDED), NULL, NULL);
	return ret;
}

static int finish(struct bisect *bisect, int ret, struct err *err)
{
	bool is_interrupted = ret == -ERR_INTERRUPTED;
	bool is_open = is_interrupted && bisect->session->store;

	if (ret < 0 && !is_interrupted)
		return give_up(bisect, ret);
	if (is_interrupted)
		bisect->why_stopped = xstrdup("interrupted");
	/* it has ended when the answer is out: if we are killed before, --resume tells it */
	ret = bisect->has_begun ? write_report(bisect, err) : 0;
	if (ret < 0)
		return ret;
	if (bisect->session->store && !is_interrupted) {
		CLEANUP(free) char *json = bisect->quest->json(bisect);

		ret = store_end_experiment(bisect->session->store, bisect->experiment,
					   verdict_name(final_verdict(bisect)), json, err);
		if (ret < 0)
			return ret;
	}
	if (is_open)
		return err_set(err, ERR_INTERRUPTED,
			       "interrupted after %zu runs; 'regio bisect --resume %lld' goes on",
			       bisect_nr_runs(bisect), (long long)bisect->experiment);
	if (is_interrupted)
		return err_set(err, ERR_INTERRUPTED, "interrupted after %zu runs",
			       bisect_nr_runs(bisect));
	return verdict_exit_status(final_verdict(bisect));
}

static int measure(struct bisect *bisect, struct err *err)
{
	int ret = bisect_measure(bisect, err);

	if (ret == 0)
		ret = bisect_enter(bisect, err);
	return finish(bisect, ret, err);
}

static void add_seed_to_command(struct bisect *bisect)
{
	char *seeded;

	if (bisect->config->trial.seed)
		return;
	seeded = xasprintf("regio bisect --seed=%llu%s", (unsigned long long)bisect->session->seed,
			   bisect->command + strlen("regio bisect"));
	free(bisect->command);
	bisect->command = seeded;
}

int bisect_start(struct bisect *bisect, const struct arg_list *words, int argc, char *const *argv,
		 struct err *err)
{
	const char *where = NULL;
	const char *range;
	size_t nr;
	int ret;

	bisect->ops = named_source(bisect->config, &where, &nr);
	take_words(bisect, words, &range);
	if (bisect->ops)
		ret = check_target(bisect, err);
	else
		ret = 0;
	if (ret == 0)
		ret = open_source(bisect, range, err);
	if (ret < 0)
		return ret;
	copy_candidates(bisect);
	bisect->command = workload_command("bisect", argc, argv);
	ret = bisect->quest->begin(bisect, err); /* refuses bad options before anything runs */
	if (ret == 0)
		ret = check_job(bisect, err);
	if (ret < 0)
		return ret;
	ret = session_restore_leftovers(err);
	if (ret == 0)
		ret = bisect_begin(bisect, argc, argv, err);
	if (ret < 0)
		return ret;
	add_seed_to_command(bisect);
	return measure(bisect, err);
}

/* ---- going on ---- */

/* The words of the command that began it. They are borrowed from the plan. */
static int parse_plan(struct bisect *bisect, const json_t *plan, struct arg_list *words,
		      struct err *err)
{
	const json_t *array = json_object_get(plan, "argv");
	size_t nr = json_array_size(array);
	CLEANUP(free) const char **argv = xcalloc(nr + 1, sizeof(*argv));
	int ret;

	for (size_t i = 0; i < nr; i++) {
		argv[i] = json_string_value(json_array_get(array, i));
		if (!argv[i])
			return err_set(err, ERR_INPUT, "the plan of the bisection is damaged");
	}
	ret = args_parse(bisect_args(), (int)nr, (char *const *)(uintptr_t)argv, bisect->config,
			 words, err);
	if (ret == 0)
		bisect->command =
			workload_command("bisect", (int)nr, (char *const *)(uintptr_t)argv);
	return ret;
}

/* A setting may have the same name and other values: its text tells. */
int bisect_compare_candidates(const struct bisect *bisect, const struct candidate_list *now,
			      const struct candidate_list *then, struct err *err)
{
	if (now->nr != then->nr)
		return err_set(err, ERR_INPUT, "there are %zu %s now, and were %zu", now->nr,
			       bisect->ops->nouns, then->nr);
	for (size_t i = 0; i < now->nr; i++) {
		const struct candidate *a = &now->items[i];
		const struct candidate *b = &then->items[i];

		if (strcmp(a->id, b->id) != 0 || strcmp(a->text, b->text) != 0)
			return err_set(err, ERR_INPUT,
				       "number %zu is '%s%s%s' now, and was '%s%s%s'", i, a->id,
				       *a->text ? " " : "", a->text, b->id, *b->text ? " " : "",
				       b->text);
	}
	return 0;
}

/* By hashes: a branch that was named may have moved. Caller frees. */
static char *stored_range(const struct bisect *bisect, const char *range)
{
	if (bisect->ops == &tuning_candidates)
		return range ? xstrdup(range) : NULL;
	return xasprintf("%s..%s", bisect->planned.items[0].id, vec_last(&bisect->planned)->id);
}

static int go_on(struct bisect *bisect, const struct store_experiment *experiment,
		 const json_t *plan, const char *given_range, struct err *err)
{
	const char *cwd = json_string_value(json_object_get(plan, "cwd"));
	const struct session_plan session = {
		.kind = "bisect",
		.digest = json_string_value(json_object_get(plan, "digest")),
		.more = experiment->plan_json,
		.resumed = experiment->id,
	};
	CLEANUP(free) char *range = stored_range(bisect, given_range);
	bool goes_on;
	int ret;

	if (cwd && chdir(cwd) < 0)
		return err_set_errno(err, "go to '%s', where it was begun", cwd);
	ret = open_source(bisect, range, err);
	if (ret < 0)
		return ret;
	copy_candidates(bisect);
	ret = bisect_compare_candidates(bisect, bisect_planned(bisect), &bisect->planned, err);
	if (ret == 0)
		ret = session_restore_leftovers(err);
	if (ret == 0)
		ret = session_open_plan(bisect->session, &bisect->config->trial, &session, &goes_on,
					err);
	if (ret == 0)
		ret = bisect_load(bisect, plan, err);
	if (ret == 0 && !bisect->has_begun)
		ret = bisect->quest->begin(bisect, err); /* as at the start */
	if (ret < 0)
		return ret;
	add_seed_to_command(bisect);
	log_warning("goes on with bisection %lld after %zu runs", (long long)experiment->id,
		    bisect_nr_runs(bisect));
	return measure(bisect, err);
}

static int look_at(struct bisect *bisect, const struct store_experiment *experiment,
		   const json_t *plan, struct err *err)
{
	const struct session_plan session = {
		.kind = "bisect",
		.more = experiment->plan_json,
		.resumed = experiment->id,
	};
	bool goes_on;
	int ret;

	bisect_use_plan(bisect);
	ret = session_open_plan(bisect->session, &bisect->config->trial, &session, &goes_on, err);
	if (ret == 0)
		ret = bisect_load(bisect, plan, err);
	if (ret < 0)
		return ret;
	if (!bisect->has_begun && !bisect->config->log)
		return err_set(err, ERR_INPUT, "bisection %lld has no trial that counts yet",
			       (long long)experiment->id);
	add_seed_to_command(bisect);
	return bisect->config->log ? write_log(bisect, err) : write_report(bisect, err);
}

int bisect_take_up(struct bisect *bisect, const struct arg_list *operands, int argc,
		   char *const *argv, struct err *err)
{
	CLEANUP(store_experiment) struct store_experiment experiment = { .id = 0 };
	struct bisect_config *config = bisect->config;
	struct arg_list words = { .nr = 0 }, again = { .nr = 0 };
	json_t *plan = NULL;
	const char *range;
	int ret = bisect_find(bisect, operands, config->resume, &experiment, err);

	if (ret == 0)
		plan = json_loads(experiment.plan_json, 0, NULL);
	if (ret == 0)
		ret = parse_plan(bisect, plan, &words, err);
	if (ret == 0) /* what is said now wins */
		ret = args_parse(bisect_args(), argc, argv, config, &again, err);
	config->trial.store_path = bisect->store_path; /* found, wherever we go now */
	if (ret == 0)
		ret = bisect_check_config(config, err);
	if (ret == 0)
		ret = bisect_read_plan(bisect, plan, err);
	if (ret == 0) {
		take_words(bisect, &words, &range);
		ret = config->resume ? go_on(bisect, &experiment, plan, range, err)
				     : look_at(bisect, &experiment, plan, err);
	}
	arg_list_release(&words);
	arg_list_release(&again);
	json_decref(plan);
	return ret;
}

int bisect_replay_file(struct bisect *bisect, const struct arg_list *words, struct err *err)
{
	const char *path = bisect->config->replay;
	CLEANUP(trial_log) struct trial_log log = { .options = VEC_INIT };
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	int ret;

	if (words->nr)
		return err_set(err, ERR_USAGE, "--replay measures nothing; what is '%s' for?",
			       words->items[0]);
	ret = file_read(path, LOG_MAX_BYTES, &text, err);
	if (ret == 0)
		ret = trial_log_parse(path, strbuf_str(&text), text.len, &log, err);
	if (ret == 0)
		ret = bisect_replay(bisect, &log, err);
	if (ret < 0)
		return ret;
	ret = write_report(bisect, err);
	return ret < 0 ? ret : verdict_exit_status(final_verdict(bisect));
}
