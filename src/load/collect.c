/* SPDX-License-Identifier: GPL-2.0-or-later */
/* collect: results of the clones after join, merged by group. */
#include "load/collect.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "load/phase.h"
#include "load/settle.h"
#include "load/verify.h"
#include "load/worker.h"
#include "model/job.h"
#include "model/note.h"
#include "model/result.h"

#define US_PER_MS UINT64_C(1000)

static void describe_job(struct job_result *entry, const struct job *job,
			 const struct engine_ops *engine)
{
	entry->name = xstrdup(job->name);
	entry->description = job->description ? xstrdup(job->description) : NULL;
	entry->rw = xstrdup(rw_name(job->rw));
	entry->ioengine = xstrdup(engine->name);
	entry->iodepth = job->iodepth ? job->iodepth : 1; /* as asked for, like fio */
	entry->group_id = job->group_id;
	entry->phase = job->phase;
	entry->nr_clones = 1;
	entry->shows_errors = job->continue_on_error != 0;
	entry->kb_base = job->kb_base;
	entry->group_reporting = job->group_reporting;
	entry->has_slat = engine_has_slat(engine);
	entry->clat_percentiles = job->clat_percentiles && !job->disable_clat && !job->gtod_reduce;
	entry->lat_percentiles = job->lat_percentiles && !job->disable_lat && !job->gtod_reduce;
	entry->slat_percentiles = job->slat_percentiles && !job->disable_slat && !job->gtod_reduce;
	entry->unified_rw = job->unified_rw;
	entry->unit_base = job->unit_base;
	entry->significant_figures = job->significant_figures;
	entry->is_silent = job->is_silent;
	entry->latency_target_ns = job->latency_target_ns;
	entry->latency_window_us = job->latency_window_ns / NS_PER_US;
	entry->latency_percentile = job->latency_percentile;
	for (unsigned dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		entry->bs_min_bytes[dir] = job->bs_min_bytes[dir];
		entry->bs_max_bytes[dir] = job->bs_max_bytes[dir];
	}
	entry->nr_percentiles = job->nr_percentiles;
	entry->percentiles = xcalloc(job->nr_percentiles + 1, sizeof(*entry->percentiles));
	for (size_t i = 0; i < job->nr_percentiles; i++)
		entry->percentiles[i] = job->percentiles[i];
	for (size_t i = 0; i < job->options.nr; i++)
		job_result_add_option(entry, job->options.items[i].key,
				      job->options.items[i].value);
}

/* Without the reason at its end: whoever shows it adds the reason of the error. */
static char *setup_failure_text(const struct worker_failure *failure)
{
	CLEANUP(free) char *reason = xasprintf(": %s", strerror(failure->error));
	size_t len = strlen(failure->what);
	size_t reason_len = strlen(reason);

	if (len > reason_len && !strcmp(failure->what + len - reason_len, reason))
		len -= reason_len;
	return xstrndup(failure->what, len);
}

/* "write of 4096 bytes at offset 8192 of 'x'". */
static char *failure_text(const struct worker *worker)
{
	const struct worker_failure *failure = &worker->failure;
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	const char *path;

	if (!failure->is_io)
		return setup_failure_text(failure);
	path = worker->config.files->items[worker->config.plan->files[failure->file]].path;
	if (failure->dir == IO_SYNC)
		strbuf_printf(&text, "fsync of '%s'", path);
	else
		strbuf_printf(&text, "%s of %" PRIu64 " bytes at offset %" PRIu64 " of '%s'",
			      io_dir_name(failure->dir), failure->len_bytes, failure->offset_bytes,
			      path);
	if (failure->is_full_resid)
		strbuf_add_str(&text, " transferred nothing (full resid)");
	if (failure->error == EINVAL && worker->job->direct)
		strbuf_add_str(&text, " (try direct=0)");
	return strbuf_take(&text);
}

/* The first failure is the error of the job. */
static void add_verify_notes(const struct worker *worker, const char *name, struct note_list *notes)
{
	const struct verify *verify = worker->verify;
	uint64_t nr_unknown;

	if (!verify)
		return;
	for (size_t i = worker->failure.error == EILSEQ; i < verify->reports.nr_texts; i++)
		note_add(notes, NOTE_VERIFY_FAILED, "job '%s': %s", name, verify->reports.texts[i]);
	nr_unknown = atomic_load_explicit(&verify->reports.nr_unknown, memory_order_relaxed);
	if (nr_unknown)
		note_add(notes, NOTE_VERIFY_PARTIAL,
			 "job '%s': %" PRIu64
			 " wrong blocks whose last write has not ended were passed over",
			 name, nr_unknown);
	if (worker->is_verify_cut)
		note_add(notes, NOTE_VERIFY_PARTIAL,
			 "job '%s': it ended before all that it wrote was read back", name);
}

/* is_first: no clone of the job had an error before; the others would only repeat it. */
static void add_notes(const struct worker *worker, const struct job_result *entry, bool is_first,
		      struct result *result)
{
	if (entry->error_where && is_first)
		note_add(&result->notes, NOTE_JOB_ERROR, "job '%s': %s: %s", entry->name,
			 entry->error_where, strerror(entry->error));
	if (worker->has_ramp_only)
		note_add(&result->notes, NOTE_OPTION_WARNING,
			 "job '%s' ended within its ramp_time: nothing was measured", entry->name);
	if (worker->invalidate_error)
		note_add(&result->notes, NOTE_CACHE_NOT_DROPPED,
			 "job '%s': the cache of '%s' could not be dropped: %s", entry->name,
			 worker->config.files
				 ->items[worker->config.plan->files[worker->invalidate_file]]
				 .path,
			 strerror(worker->invalidate_error));
	add_verify_notes(worker, entry->name, &result->notes);
}

static uint64_t measured_ns(const struct worker *worker)
{
	uint64_t epoch_ticks =
		atomic_load_explicit(&worker->shared.epoch_ticks, memory_order_relaxed);
	uint64_t end_ticks = atomic_load_explicit(&worker->shared.end_ticks, memory_order_relaxed);

	if (epoch_ticks == 0 || end_ticks <= epoch_ticks)
		return 0;
	return clock_ticks_to_ns(&worker->clock, end_ticks - epoch_ticks);
}

/* Begun milliseconds count, as fio counts. */
static uint64_t whole_ms(uint64_t ns)
{
	return (ns + NS_PER_MS - 1) / NS_PER_MS;
}

/* The histogram changes owner; without I/O there is none. Of a worker left behind it is a copy. */
static struct latency take_latency(struct latency *latency, bool is_left_behind)
{
	struct latency taken = { .moments = { .n = 0 } };

	if (latency->moments.n == 0)
		return taken;
	if (is_left_behind) {
		latency_merge(&taken, latency);
		return taken;
	}
	taken = *latency;
	latency->hist = NULL;
	return taken;
}

static void take_dir(struct dir_result *to, struct dir_result *from, uint64_t runtime_ns,
		     bool is_left_behind)
{
	to->total_ios = from->total_ios;
	to->io_bytes = from->io_bytes;
	to->short_ios = from->short_ios;
	if (from->total_ios) {
		to->runtime_ms = whole_ms(runtime_ns);
		to->runtime_ns = runtime_ns;
	}
	for (unsigned kind = 0; kind < LATENCY_NR_KINDS; kind++)
		to->latency[kind] = take_latency(&from->latency[kind], is_left_behind);
}

/* What the job did not want to be measured is gone, as if it had not been. */
static void drop_unwanted(struct dir_result *dir, const struct job *job, bool has_slat)
{
	const bool is_unwanted[LATENCY_NR_KINDS] = {
		[LATENCY_SLAT] = !has_slat || job->disable_slat || job->gtod_reduce,
		[LATENCY_CLAT] = job->disable_clat || job->gtod_reduce,
		[LATENCY_LAT] = job->disable_lat || job->gtod_reduce,
	};

	for (unsigned kind = 0; kind < LATENCY_NR_KINDS; kind++) {
		if (!is_unwanted[kind])
			continue;
		free(dir->latency[kind].hist);
		dir->latency[kind] = (struct latency){ .hist = NULL };
	}
	if (job->disable_bw || job->gtod_reduce) {
		dir->bw_kib_per_sec = (struct running){ .n = 0 };
		dir->iops = (struct running){ .n = 0 };
	}
}

/* Reading back at the end is no time of the writes, and all the time of the reads where the job
 * itself has none. */
static uint64_t runtime_of(const struct worker *worker, enum io_dir dir, uint64_t runtime_ns)
{
	uint64_t verify_ns = clock_ticks_to_ns(&worker->clock, worker->verify_ticks);

	if (verify_ns > runtime_ns)
		return runtime_ns;
	if (dir != IO_READ)
		return runtime_ns - verify_ns;
	return job_does(worker->job, IO_READ) || worker->verify_reads ? runtime_ns : verify_ns;
}

static void take_counts(struct job_result *entry, const struct phase_clone *clone)
{
	struct worker *worker = clone->worker;
	uint64_t runtime_ns = measured_ns(worker);
	bool is_async = engine_is_async(worker->engine);

	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		struct dir_result *to = &entry->dir[dir];

		take_dir(to, &worker->dir[dir], runtime_of(worker, dir, runtime_ns),
			 clone->is_left_behind);
		to->bw_kib_per_sec = clone->bw_sampler.bw_kib_per_sec[dir];
		to->iops = clone->iops_sampler.iops[dir];
		/* without a submit step start and issue are one, and so are lat and clat */
		if (!is_async && to->latency[LATENCY_CLAT].hist)
			latency_merge(&to->latency[LATENCY_LAT], &to->latency[LATENCY_CLAT]);
		drop_unwanted(to, worker->job, entry->has_slat);
	}
	entry->sync = take_latency(&worker->sync, clone->is_left_behind);
	entry->sync_ios = worker->sync_ios;
	entry->wall_ms = whole_ms(runtime_ns);
	for (unsigned i = 0; i < RESULT_NR_DEPTHS; i++) {
		entry->depth_at_submit[i] = worker->depth_at_submit[i];
		entry->per_submit[i] = worker->per_submit[i];
		entry->per_complete[i] = worker->per_complete[i];
	}
}

static uint64_t region_bytes(const struct clone_plan *plan)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < plan->nr_files; i++)
		sum += plan->regions[i].len_bytes;
	return sum;
}

static void take_clone(struct job_result *entry, struct phase_clone *clone)
{
	struct worker *worker = clone->worker;

	describe_job(entry, worker->job, worker->engine);
	if (!entry->is_silent)
		take_counts(entry, clone);
	entry->region_bytes = region_bytes(worker->config.plan);
	entry->steady = clone->settle ? settle_report(clone->settle) : NULL;
	entry->latency_depth = worker->found_depth;
	entry->tid = worker->tid;
	entry->ended_at_unix_s = worker->ended_at_unix_s;
	entry->usr_ms = worker->usage.usr_us / US_PER_MS;
	entry->sys_ms = worker->usage.sys_us / US_PER_MS;
	entry->context_switches = worker->usage.context_switches;
	entry->major_faults = worker->usage.major_faults;
	entry->minor_faults = worker->usage.minor_faults;
	entry->nr_errors =
		worker->nr_passed_over + (worker->failure.error && worker->nr_passed_over);
	entry->error = worker->first_passed_over;
	if (worker->failure.error) {
		entry->error = worker->failure.error;
		entry->error_where = failure_text(worker);
	}
}

static struct job_result *find_group(struct result *result, size_t first, unsigned group_id)
{
	for (size_t i = first; i < result->nr_jobs; i++) {
		if (result->jobs[i].group_reporting && result->jobs[i].group_id == group_id)
			return &result->jobs[i];
	}
	return NULL;
}

void collect_results(struct phase_clone *clones, size_t nr, struct result *result)
{
	size_t first = result->nr_jobs;
	const struct job *last_failed = NULL;

	for (size_t i = 0; i < nr; i++) {
		struct job_result entry = { .name = NULL };
		struct job_result *group = NULL;

		if (!clones[i].worker)
			continue;
		take_clone(&entry, &clones[i]);
		add_notes(clones[i].worker, &entry, last_failed != clones[i].worker->job, result);
		if (entry.error)
			last_failed = clones[i].worker->job;
		if (entry.group_reporting)
			group = find_group(result, first, entry.group_id);
		if (group) {
			job_result_merge(group, &entry);
			job_result_release(&entry);
		} else {
			*result_add_job(result) = entry;
		}
	}
}
