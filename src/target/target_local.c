/* SPDX-License-Identifier: GPL-2.0-or-later */
/* local: runs a trial on this machine. Stack, guard, settings, files, load; then undo. */
#include "target/target.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "env/env.h"
#include "host/device.h"
#include "host/diskstat.h"
#include "host/guard.h"
#include "load/load.h"
#include "load/own_workload.h"
#include "model/job.h"
#include "model/result.h"
#include "model/setting.h"
#include "model/trap.h"
#include "journal/journal.h"
#include "setting/setting.h"
#include "stack/stack.h"
#include "target/exec.h"
#include "target/happen.h"
#include "target/job_paths.h"
#include "target/watch.h"

/* What one trial holds while it runs; all of it is released by local_close. */
struct local {
	const struct trial *trial;
	struct result *result;
	struct arena arena;
	struct job_paths paths;
	struct device_list devices;
	struct guard guard;
	struct journal *journal;
	struct stack_built built;
	struct env_context env;		/* as the facts were collected with */
	struct diskstat_counts *before; /* one per device */
	struct watch watch;
	struct happen *happen; /* NULL: nothing happens to the stack */
};

static int local_build_stack(struct local *local, struct err *err)
{
	const struct trial *trial = local->trial;
	const struct stack_context context = {
		.allow_destructive = trial->allow_destructive,
		.nr_allow_destructive = trial->nr_allow_destructive,
		.is_guest = trial->is_guest,
		.stop = trial->stop,
	};

	if (!trial->stack)
		return 0;
	return stack_build(trial->stack, &context, local->journal, &local->built, err);
}

static int local_find_devices(struct local *local, struct err *err)
{
	const struct stack *stack = local->trial->stack;
	struct job_paths places;

	if (stack) { /* also for what the files of no job tell: a command */
		int ret =
			device_list_add_path(&local->devices, NULL, stack_device_path(stack), err);

		if (ret < 0)
			return ret;
	}
	job_paths_for_devices(&local->paths, &local->arena, &places);
	for (size_t i = 0; i < places.nr; i++) {
		int ret = device_list_add_path(&local->devices, NULL, places.items[i].path, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

static int local_claim_devices(struct local *local, struct err *err)
{
	const struct trial *trial = local->trial;

	for (size_t i = 0; i < local->paths.nr; i++) {
		const char *path = local->paths.items[i].path;
		int ret = local->paths.items[i].is_written
				  ? guard_claim(&local->guard, path, trial->allow_destructive,
						trial->nr_allow_destructive, err)
				  : guard_check_read(path, err);
		if (ret < 0 && ret != -ERR_UNSAFE && local->paths.items[i].job)
			ret = job_err_prefix(local->paths.items[i].job, ret, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/*
 * fio's ioscheduler= sets the scheduler of a job's devices. Here it is the setting
 * queue.scheduler, so it is journalled, read back and restored like any other. It applies to
 * the devices of the whole set.
 */
static int local_add_ioscheduler(const struct job_set *jobs, struct setting_list *list,
				 struct err *err)
{
	for (size_t i = 0; i < jobs->nr; i++) {
		const char *name = jobs->jobs[i].ioscheduler;
		CLEANUP(free) char *text = NULL;
		int ret;

		if (!name || (i && jobs->jobs[i - 1].ioscheduler &&
			      !strcmp(name, jobs->jobs[i - 1].ioscheduler)))
			continue;
		text = xasprintf("queue.scheduler=%s", name);
		ret = setting_list_parse(list, text, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* The block devices of the stack under the names of their layers. */
static struct device_alias *local_aliases(const struct local *local, size_t *ret_nr)
{
	struct device_alias *aliases = xcalloc(local->built.nr + 1, sizeof(*aliases));
	size_t nr = 0;

	for (size_t i = 0; i < local->built.nr; i++) {
		const struct stack_device *device = &local->built.items[i];

		if (device->name)
			aliases[nr++] = (struct device_alias){ .name = device->layer,
							       .device = device->name };
	}
	*ret_nr = nr;
	return aliases;
}

/* fio leaves the scheduler as the jobs set it. */
static int local_keep_schedulers(struct local *local, size_t mark, struct err *err)
{
	const struct job_set *jobs = local->trial->jobs;
	int ret = 0;

	if (!jobs->jobs[0].fio_strict) {
		note_add(&local->result->notes, NOTE_FIO_TRAP,
			 "the scheduler of ioscheduler= is put back after the run; fio leaves it "
			 "(trap %s)",
			 trap_row(TRAP_SCHEDULER_LEFT)->name);
		return 0;
	}
	for (size_t i = mark; ret == 0 && i < journal_mark(local->journal); i++)
		ret = journal_forget(local->journal, i, err);
	return ret;
}

static int local_apply_settings(struct local *local, struct err *err)
{
	const size_t mark = journal_mark(local->journal);
	size_t nr_aliases = 0;
	CLEANUP(free) struct device_alias *aliases = local_aliases(local, &nr_aliases);
	const struct setting_context context = {
		.devices = &local->devices,
		.aliases = aliases,
		.nr_aliases = nr_aliases,
		.stop = local->trial->stop,
	};
	struct setting_list from_jobs = { .nr = 0 };
	int ret;

	ret = local_add_ioscheduler(local->trial->jobs, &from_jobs, err);
	if (ret == 0)
		ret = settings_apply(&context, &from_jobs, local->journal, local->result, err);
	if (ret < 0 && from_jobs.nr)
		ret = job_err_prefix(&local->trial->jobs->jobs[0], ret, err);
	if (ret == 0 && from_jobs.nr)
		ret = local_keep_schedulers(local, mark, err);
	setting_list_release(&from_jobs);
	if (ret < 0)
		return ret;
	return settings_apply(&context, local->trial->settings, local->journal, local->result, err);
}

static void local_collect_env(struct local *local)
{
	struct job_paths places;
	const char **paths;

	job_paths_for_devices(&local->paths, &local->arena, &places);
	paths = arena_alloc_array(&local->arena, places.nr, sizeof(*paths));
	for (size_t i = 0; i < places.nr; i++)
		paths[i] = places.items[i].path;
	local->env = (struct env_context){
		.paths = paths,
		.nr_paths = places.nr,
		.is_brief = local->trial->is_repeat,
	};
	env_collect(&local->env, local->result);
}

/* The files are there and the workers not started yet: the moment to look at the machine. */
static int local_prepared(void *arg, struct err *err)
{
	struct local *local = arg;
	int ret;

	local_collect_env(local);
	local->before = xcalloc(local->devices.nr + 1, sizeof(*local->before));
	ret = diskstat_read(&local->devices, NULL, local->before, err);
	if (ret < 0)
		return ret;
	watch_start(&local->watch, local->trial, &local->devices, &local->env, local->result);
	ret = happen_start(local->trial->stack, &local->built, &local->happen, err);
	if (ret == 0 && local->trial->begun)
		local->trial->begun(local->trial->arg);
	return ret;
}

static void local_started(void *arg)
{
	const struct local *local = arg;

	happen_begin(local->happen);
}

/* What has no workers that get ready begins at once. */
static int local_begin(void *arg, struct err *err)
{
	int ret = local_prepared(arg, err);

	if (ret == 0)
		local_started(arg);
	return ret;
}

static void local_finished(void *arg)
{
	struct local *local = arg;

	happen_stop(local->happen);
	watch_stop(&local->watch);
}

static void local_progress(void *arg, const struct load_progress *progress)
{
	const struct local *local = arg;

	if (local->trial->progress)
		local->trial->progress(local->trial->arg, progress);
}

/* Says what it is, as the whole result will. */
static void local_status(void *arg, struct result *partial)
{
	const struct local *local = arg;
	const struct job_options *global = &local->trial->jobs->global_options;
	int64_t now_ms = (int64_t)(clock_wall_ns() / 1000000);

	partial->tool = xstrdup("regio");
	partial->tool_version = xstrdup(REGIO_VERSION);
	partial->started_at_unix_ms = local->result->started_at_unix_ms;
	if (now_ms > partial->started_at_unix_ms)
		partial->elapsed_ms = (uint64_t)(now_ms - partial->started_at_unix_ms);
	for (size_t i = 0; i < global->nr; i++)
		result_add_global_option(partial, global->items[i].key, global->items[i].value);
	local->trial->status(local->trial->arg, partial);
}

static bool local_may_write(const void *arg, dev_t dev)
{
	const struct local *local = arg;

	return guard_holds(&local->guard, dev);
}

/* disk_util=0 of every job: no report of the devices. A command has no jobs. */
static bool local_wants_disks(const struct job_set *jobs)
{
	for (size_t i = 0; i < jobs->nr; i++) {
		if (!jobs->jobs[i].no_disk_util)
			return true;
	}
	return jobs->nr == 0;
}

static int local_exec(struct local *local, struct err *err)
{
	const struct exec_hooks hooks = {
		.prepared = local_begin,
		.finished = local_finished,
		.stop = local->trial->stop,
		.arg = local,
	};

	return exec_run(local->trial->exec, &hooks, local->result, err);
}

static int local_load(struct local *local, const struct clock *clock, struct err *err)
{
	const struct load_config config = {
		.jobs = local->trial->jobs,
		.clock = clock,
		.stop = local->trial->stop,
		.urgent = local->trial->urgent,
		.seed = local->trial->seed,
		.readonly = local->trial->readonly,
		.progress = local_progress,
		.progress_interval_ns = local->trial->progress_interval_ns,
		.status = local->trial->status ? local_status : NULL,
		.status_interval_ns = local->trial->status_interval_ns,
		.status_wanted = local->trial->status_wanted,
		.prepared = local_prepared,
		.started = local_started,
		.finished = local_finished,
		.may_write = local_may_write,
		.arg = local,
	};

	return local->trial->own ? own_workload_run(local->trial->own, &config, local->result, err)
				 : load_run(&config, local->result, err);
}

#define WATCH_POLL_NS UINT64_C(20000000) /* a stop is seen so soon */

/* Looks at the machine while nothing is measured. */
static int local_watch(struct local *local, struct err *err)
{
	const struct trial *trial = local->trial;
	const uint64_t end_ns = clock_now_ns() + trial->watch_ns;
	int ret = local_begin(local, err);

	while (ret == 0 && clock_now_ns() < end_ns &&
	       !(trial->stop && atomic_load_explicit(trial->stop, memory_order_relaxed)))
		clock_sleep_until_ns(clock_now_ns() + WATCH_POLL_NS);
	local_finished(local);
	return ret;
}

static int local_work(struct local *local, const struct clock *clock, struct err *err)
{
	if (local->trial->watch_ns)
		return local_watch(local, err);
	return local->trial->exec ? local_exec(local, err) : local_load(local, clock, err);
}

static void add_stack_number(void *arg, const char *layer, const char *name, double value)
{
	struct result *result = arg;
	CLEANUP(free) char *key = xasprintf("stack.%s.%s", layer, name);

	(void)given_set(&result->monitored, key, value, 0);
}

static void add_stack_words(void *arg, const char *layer, const char *words)
{
	CLEANUP(free) char *key = xasprintf("stack.%s.status", layer);

	result_add_env(arg, key, words);
}

static int local_report_stack(struct local *local, struct err *err)
{
	const struct stack_sink sink = {
		.number = add_stack_number,
		.words = add_stack_words,
		.arg = local->result,
	};

	return local->trial->stack ? stack_report(local->trial->stack, &local->built, &sink, err)
				   : 0;
}

static int local_measure(struct local *local, const struct clock *clock, struct err *err)
{
	CLEANUP(free) struct diskstat_counts *after = NULL;
	uint64_t start_ns = clock_now_ns();
	int ret;

	local->result->started_at_unix_ms = (int64_t)(clock_wall_ns() / 1000000);
	ret = local_work(local, clock, err);
	if (ret < 0)
		return ret;
	local->result->elapsed_ms = (clock_now_ns() - start_ns) / 1000000;
	watch_report(&local->watch, local->result);
	ret = happen_report(local->happen, local->result, err);
	if (ret == 0)
		ret = local_report_stack(local, err);
	if (ret < 0)
		return ret;
	if (!local->before)
		return 0;
	env_recheck(&local->env, local->result);
	if (!local_wants_disks(local->trial->jobs))
		return 0;
	after = xcalloc(local->devices.nr + 1, sizeof(*after));
	ret = diskstat_read(&local->devices, NULL, after, err);
	if (ret < 0)
		return ret;
	diskstat_add(local->result, &local->devices, local->before, after);
	return 0;
}

/* "stack" as it was asked for, "stack.NAME" what each layer became. */
static void local_describe_stack(struct local *local)
{
	struct result *result = local->result;

	if (local->trial->stack)
		result_add_env(result, "stack", stack_text(local->trial->stack));
	for (size_t i = 0; i < local->built.nr; i++) {
		const struct stack_device *device = &local->built.items[i];
		CLEANUP(free) char *key = xasprintf("stack.%s", device->layer);

		result_add_env(result, key, device->name ? device->name : device->path);
	}
}

/* One clock for all jobs: the slow one as soon as one of them asks for it. */
static enum clock_preference wanted_clock(const struct job_set *jobs)
{
	for (size_t i = 0; i < jobs->nr; i++) {
		if (jobs->jobs[i].clocksource != CLOCKSOURCE_CPU)
			return CLOCK_PREFER_MONOTONIC;
	}
	return CLOCK_PREFER_FAST;
}

static void local_describe(struct local *local, const struct clock *clock)
{
	const struct job_options *global = &local->trial->jobs->global_options;
	struct result *result = local->result;

	result->label = local->trial->label ? xstrdup(local->trial->label) : NULL;
	result->tool = xstrdup("regio");
	result->tool_version = xstrdup(REGIO_VERSION);
	result->target = xstrdup("local");
	result->method_version = RESULT_METHOD_VERSION;
	result->seed = local->trial->seed;
	result->clock = xstrdup(clock_name(clock));
	local_describe_stack(local);
	for (size_t i = 0; i < global->nr; i++)
		result_add_global_option(result, global->items[i].key, global->items[i].value);
	if (clock->source == CLOCK_SOURCE_MONOTONIC &&
	    wanted_clock(local->trial->jobs) == CLOCK_PREFER_FAST)
		note_add(&result->notes, NOTE_CLOCK_FALLBACK,
			 "the CPU's time stamp counter cannot be used; clock is clock_gettime");
}

/* A workload of regio's own makes files in one folder; any name stands for them. */
static void local_collect_paths(struct local *local)
{
	const struct own_workload *own = local->trial->own;
	const char *directory = own ? own_workload_directory(own) : NULL;
	struct job_path *path;

	if (!own) {
		job_paths_collect(local->trial->jobs, &local->arena, &local->paths);
		return;
	}
	path = arena_alloc(&local->arena, sizeof(*path));
	*path = (struct job_path){
		.path = arena_printf(&local->arena, "%s/%s", directory ? directory : ".",
				     own_workload_ops_of(own)->name),
		.is_written = true,
	};
	local->paths = (struct job_paths){ .items = path, .nr = 1 };
}

static int local_trial(struct local *local, struct err *err)
{
	struct clock clock;
	int ret;

	ret = local->trial->exec || local->trial->own ? 0 : load_check(local->trial->jobs, err);
	if (ret < 0)
		return ret;
	ret = journal_open(local->trial->state_dir, &local->journal, err);
	if (ret == 0)
		ret = local_build_stack(local, err);
	if (ret < 0)
		return ret;
	local_collect_paths(local);
	ret = local_find_devices(local, err);
	if (ret == 0 && !local->trial->watch_ns)
		ret = local_claim_devices(local, err);
	if (ret == 0 && !local->trial->watch_ns)
		ret = local_apply_settings(local, err);
	if (ret < 0)
		return ret;
	clock_init(&clock, wanted_clock(local->trial->jobs));
	local_describe(local, &clock);
	return local_measure(local, &clock, err);
}

/* Takes everything back. What was measured is kept even where something cannot be undone. */
static void local_undo(struct local *local, int ret, struct err *err)
{
	struct err left = { .code = 0 };

	if (!local->journal || journal_undo(local->journal, &left) == 0)
		return;
	if (ret == 0)
		note_add(&local->result->notes, NOTE_UNDO_FAILED, "%s", left.msg);
	else if (err && !local->trial->is_guest) /* which ends now, with all that is left in it */
		(void)err_set(err, err->code, "%s; and then: %s", err->msg, left.msg);
}

static void local_close(struct local *local, int ret, struct err *err)
{
	happen_free(local->happen);
	guard_release(&local->guard); /* what it holds open cannot be taken away */
	local_undo(local, ret, err);
	journal_close(local->journal);
	stack_built_release(&local->built);
	device_list_release(&local->devices);
	watch_release(&local->watch);
	free(local->before);
	arena_release(&local->arena);
}

static int local_run(const struct trial *trial, struct result *ret_result, struct err *err)
{
	struct result result = { .nr_jobs = 0 };
	struct local local = { .trial = trial, .result = &result, .arena = ARENA_INIT };
	int ret = local_trial(&local, err);

	local_close(&local, ret, err);
	if (ret < 0) {
		result_release(&result);
		return ret;
	}
	*ret_result = result;
	return 0;
}

const struct target_ops target_local = {
	.name = "local",
	.summary = "this machine",
	.run = local_run,
};
