/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all commands that run trials share: target, store, signals, progress. */
#include "cmd/trial_options.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/rng.h"
#include "caveat/caveat.h"
#include "cmd/exec.h"
#include "cmd/interrupt.h"
#include "cmd/report_json.h"
#include "cmd/stack_use.h"
#include "cmd/workload.h"
#include "job/job_facts.h"
#include "job/job_text.h"
#include "import/output.h"
#include "model/result.h"
#include "monitor/monitor.h"
#include "journal/journal.h"
#include "store/store.h"
#include "target/target.h"
#include "vm/qemu.h"

static void warn_of_leftovers(void)
{
	struct journal_leftovers leftovers = { .nr = 0 };
	struct err err = { .code = 0 };

	if (journal_find_leftovers(NULL, &leftovers, &err) < 0) {
		log_warning("%s", err.msg);
		return;
	}
	for (size_t i = 0; i < leftovers.nr; i++)
		log_warning("a killed run left behind: %s; 'regio restore' undoes it",
			    leftovers.what[i]);
	for (size_t i = 0; i < leftovers.nr_unreadable; i++)
		log_warning("%s", leftovers.unreadable[i]);
	journal_leftovers_release(&leftovers);
}

#define ORDER_MONITOR "order"

/* Caller frees. */
static char *monitors_of(const struct trial_options *options)
{
	if (!options->order)
		return xstrdup(options->monitors);
	if (!strcmp(options->monitors, "none"))
		return xstrdup(ORDER_MONITOR);
	return xasprintf("%s," ORDER_MONITOR, options->monitors);
}

int session_restore_leftovers(struct err *err)
{
	size_t nr = 0;
	int ret = journal_restore(NULL, 0, &nr, err);

	if (ret == 0 && nr > 0)
		log_warning("undid %zu change%s that a killed run had left", nr,
			    nr == 1 ? "" : "s");
	return ret;
}

static int session_prepare(struct session *session, const struct trial_options *options,
			   struct err *err)
{
	struct monitor_choice monitors;
	int ret;

	*session = (struct session){ .options = options };
	session->target = target_find(options->target);
	if (!session->target)
		return err_set(err, ERR_USAGE, "--on: there is no target '%s'", options->target);
	session->monitors = monitors_of(options);
	ret = monitor_choose(session->monitors, &monitors, err);
	if (ret == 0)
		ret = session->target->is_guest
			      ? vm_time_resolve(options->vm.time, &session->vm_time, err)
			      : vm_options_refuse_time(&options->vm, err);
	if (ret == 0)
		ret = progress_init(&session->progress, options->progress_mode, err);
	if (ret < 0)
		return ret;
	session->seed = options->seed;
	if (!session->seed) /* guests repeat themselves unless told otherwise; exact in JSON */
		session->seed = session->target->is_guest ? 1 : rng_mix64(clock_wall_ns()) >> 11;
	session->stop = interrupt_install();
	warn_of_leftovers();
	return options->save ? store_open(options->store_path, &session->store, err) : 0;
}

int session_open(struct session *session, const struct trial_options *options, const char *kind,
		 const char *command, struct err *err)
{
	int ret = session_prepare(session, options, err);

	if (ret < 0 || !session->store)
		return ret;
	return store_begin_experiment(session->store, kind, command, "{}", &session->experiment,
				      err);
}

/* The seed that an interrupted experiment was begun with. */
static void take_seed(struct session *session, const char *plan_json)
{
	json_t *plan = json_loads(plan_json, 0, NULL);
	json_int_t seed = json_integer_value(json_object_get(plan, "seed"));

	if (seed > 0)
		session->seed = (uint64_t)seed;
	json_decref(plan);
}

static int begin_plan(struct session *session, const struct session_plan *plan, struct err *err)
{
	json_t *object = json_pack("{s:s, s:i, s:s, s:o, s:I}", "schema", "regio.plan", "version",
				   1, "digest", plan->digest, "source", report_text(plan->source),
				   "seed", (json_int_t)session->seed);
	json_t *more = plan->more ? json_loads(plan->more, 0, NULL) : NULL;
	CLEANUP(free) char *json = NULL;

	(void)json_object_update(object, more);
	json_decref(more);
	json = report_dump(object);
	return store_begin_experiment(session->store, plan->kind, plan->command, json,
				      &session->experiment, err);
}

int session_open_plan(struct session *session, const struct trial_options *options,
		      const struct session_plan *plan, bool *ret_goes_on, struct err *err)
{
	CLEANUP(free) char *old = NULL;
	int64_t unfinished = plan->resumed;
	int ret = session_prepare(session, options, err);

	if (ret == 0 && session->store && plan->digest)
		ret = store_lock_plan(session->store, plan->digest, err);
	if (ret == 0 && session->store && !plan->is_fresh && !unfinished)
		ret = store_find_unfinished(session->store, plan->kind, plan->digest, &unfinished,
					    &old, err);
	if (ret < 0)
		return ret;
	*ret_goes_on = unfinished != 0;
	if (unfinished) {
		session->experiment = unfinished;
		take_seed(session, old ? old : plan->more);
		return 0;
	}
	return session->store ? begin_plan(session, plan, err) : 0;
}

void session_close(struct session *session)
{
	store_close(session->store);
	session->store = NULL;
	free(session->monitors);
	session->monitors = NULL;
}

static int session_run(struct session *session, const struct trial *trial,
		       struct result *ret_result, struct err *err)
{
	int ret = session->target->run(trial, ret_result, err);

	progress_clear(&session->progress);
	session->has_attachments |= ret == 0 && ret_result->nr_attachments > 0;
	return ret;
}

static int session_exec(struct session *session, struct trial *trial,
			const struct session_trial *work, struct result *ret_result,
			struct err *err)
{
	const struct exec_request request = {
		.command = session->options->exec,
		.timeout_ns = session->options->exec_timeout_ns,
		.dir = work->dir,
		.settings = work->settings,
		.label = work->label,
		.seed = trial->seed,
	};
	CLEANUP(exec_work) struct exec_work exec = { .env = NULL };
	int ret = exec_work_init(&exec, &request, err);

	if (ret < 0)
		return ret;
	trial->exec = &exec.exec;
	trial->settings =
		work->settings; /* job.* too: they reached the command, so they are kept */
	ret = session_run(session, trial, ret_result, err);
	if (ret == 0)
		import_output(ret_result);
	return ret;
}

static void show_nothing(void *arg, const struct load_progress *load)
{
	(void)arg;
	(void)load;
}

static void add_live(struct session *session, struct trial *trial)
{
	struct session_live *live = session->live;

	if (!live)
		return;
	live->otherwise = live->is_quiet ? show_nothing : trial->progress;
	live->otherwise_arg = trial->arg;
	trial->begun = live->begun;
	trial->progress = live->progress;
	trial->progress_interval_ns = live->progress_interval_ns;
	trial->status = live->status;
	trial->status_interval_ns = live->status_interval_ns;
	trial->status_wanted = live->status_wanted;
	trial->arg = live->arg;
}

/* Those of the machine were recorded when they were read back, a command's with them. */
static void record_job_settings(const struct setting_list *settings, struct result *result)
{
	for (size_t i = 0; settings && i < settings->nr; i++) {
		const struct setting *setting = &settings->items[i];
		CLEANUP(free) char *key = NULL;

		if (strcmp(setting->namespace, "job") != 0)
			continue;
		key = xasprintf("job.%s", setting->key);
		result_add_setting(result, key, setting->value);
	}
}

int session_trial(struct session *session, const struct session_trial *work,
		  struct result *ret_result, struct err *err)
{
	const struct trial_vm vm =
		vm_options_trial(&session->options->vm, session->vm_time, work->seed_nr);
	CLEANUP(free)
	char *text = session->target->is_guest ? job_text(&work->workload->jobs) : NULL;
	struct trial trial = {
		.jobs = &work->workload->jobs,
		.own = work->workload->own,
		.job_text = text,
		.vm = &vm,
		.settings = work->machine_settings,
		.stack = work->workload->stack,
		.label = work->label,
		.seed = work->seed_nr ? rng_mix64(session->seed + work->seed_nr) >> 11
				      : session->seed,
		.watch_ns = work->watch_ns,
		.readonly = session->options->readonly,
		.is_repeat = session->has_attachments,
		.monitors = session->monitors,
		.allow_destructive = session->options->allow_destructive.items,
		.nr_allow_destructive = session->options->allow_destructive.nr,
		.stop = session->stop,
		.urgent = interrupt_urgent(),
		.progress = progress_load,
		.arg = &session->progress,
	};
	int ret;

	if (!session->is_warned)
		vm_options_warn(&work->workload->jobs, session->vm_time);
	session->is_warned = true;
	add_live(session, &trial);
	stack_use_export(work->workload->stack);
	ret = session->options->exec ? session_exec(session, &trial, work, ret_result, err)
				     : session_run(session, &trial, ret_result, err);
	if (ret < 0)
		return ret;
	if (!session->options->exec)
		record_job_settings(work->settings, ret_result);
	job_facts_add(&work->workload->jobs, ret_result);
	caveats_attach(ret_result);
	return ret;
}

int session_store(struct session *session, const char *label, bool used,
		  const struct result *result, struct err *err)
{
	return session_store_trial(session, label, NULL, used, result, err);
}

/* Whatever is measured next would be measured on another machine. */
static int check_undone(const struct result *result, struct err *err)
{
	const struct note *left = note_list_find(&result->notes, NOTE_UNDO_FAILED);

	return left ? err_set(err, ERR_SYSTEM, "the machine is not as it was: %s", left->text) : 0;
}

int session_store_trial(struct session *session, const char *label, const char *trial, bool used,
			const struct result *result, struct err *err)
{
	const struct store_place place = {
		.experiment = session->experiment,
		.label = label,
		.sequence = session->nr_stored,
		.used = used,
		.trial = trial,
	};
	int64_t run;
	int ret = 0;

	if (session->store) {
		session->nr_stored++;
		ret = store_put_result(session->store, &place, result, &run, err);
	}
	return ret < 0 ? ret : check_undone(result, err);
}

bool session_is_stopped(const struct session *session)
{
	return atomic_load_explicit(session->stop, memory_order_relaxed);
}
