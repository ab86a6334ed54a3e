/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_form_json: the document of fio's JSON around its jobs; jobs are fio_form_json_job.c. */
#include "output/fio_form_json.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "model/result.h"
#include "output/fio_stat.h"
#include "output/fio_version.h"
#include "output/fio_view.h"
#include "output/json_emit.h"

static void write_options(struct json_emit *emit, const char *key, const struct result_pair *pairs,
			  size_t nr)
{
	if (nr == 0)
		return;
	json_emit_open(emit, key, '{');
	for (size_t i = 0; i < nr; i++)
		json_emit_text(emit, pairs[i].key, pairs[i].value);
	json_emit_close(emit, '}');
}

static bool is_measured_here(const struct result *result)
{
	return result->tool && !strcmp(result->tool, "regio");
}

static void write_version(struct json_emit *emit, const struct result *result)
{
	const char *version = result->tool_version ? result->tool_version : "";
	CLEANUP(free) char *name = NULL;

	if (is_measured_here(result)) {
		json_emit_text(emit, "fio version", FIO_FORM_VERSION);
		json_emit_text(emit, "regio version", version);
		return;
	}
	name = xasprintf("%s%s%s", result->tool ? result->tool : "unknown", *version ? "-" : "",
			 version);
	json_emit_text(emit, "fio version", name);
}

/* "Fri May 31 12:34:56 2024", in local time and in English whatever the locale. */
static void write_time(struct json_emit *emit, int64_t unix_ms)
{
	time_t when = (time_t)(unix_ms / 1000);
	char text[64] = "?";
	struct tm local;

	/* Years of more than four digits do not fit asctime's buffer. */
	if (localtime_r(&when, &local) && local.tm_year > -1900 && local.tm_year < 8100)
		(void)asctime_r(&local, text);
	text[strcspn(text, "\n")] = '\0';
	json_emit_i64(emit, "timestamp", unix_ms / 1000);
	json_emit_i64(emit, "timestamp_ms", unix_ms);
	json_emit_text(emit, "time", text);
}

static void write_jobs(struct json_emit *emit, const struct result *result, unsigned flags)
{
	size_t nr_groups;
	CLEANUP(free) struct fio_group *groups = fio_groups(result, &nr_groups);

	json_emit_open(emit, "jobs", '[');
	for (size_t i = 0; i < result->nr_jobs; i++) {
		const struct job_result *job = &result->jobs[i];
		CLEANUP(fio_view) struct fio_view view;

		fio_view_init(&view, job, fio_group_find(groups, nr_groups, job->group_id));
		if (!job->is_silent)
			fio_form_json_job(emit, result, &view, flags);
	}
	json_emit_close(emit, ']');
}

static void write_below(struct json_emit *emit, const struct fio_disk_sum *sum)
{
	json_emit_u64(emit, "aggr_read_ios", sum->ios[0] / sum->nr);
	json_emit_u64(emit, "aggr_write_ios", sum->ios[1] / sum->nr);
	json_emit_u64(emit, "aggr_read_merges", sum->merges[0] / sum->nr);
	json_emit_u64(emit, "aggr_write_merge", sum->merges[1] / sum->nr); /* as fio spells it */
	json_emit_u64(emit, "aggr_read_ticks", sum->ticks_ms[0] / sum->nr);
	json_emit_u64(emit, "aggr_write_ticks", sum->ticks_ms[1] / sum->nr);
	json_emit_u64(emit, "aggr_in_queue", sum->in_queue_ms / sum->nr);
	json_emit_real(emit, "aggr_util", sum->max_util_percent);
}

static void write_disk(struct json_emit *emit, const struct result *result, size_t index)
{
	const struct disk_result *disk = &result->disks[index];
	struct fio_disk_sum sum;

	fio_disk_sum(result, index, &sum);
	json_emit_open(emit, NULL, '{');
	json_emit_text(emit, "name", disk->name);
	json_emit_u64(emit, "read_ios", disk->ios[0]);
	json_emit_u64(emit, "write_ios", disk->ios[1]);
	json_emit_u64(emit, "read_merges", disk->merges[0]);
	json_emit_u64(emit, "write_merges", disk->merges[1]);
	json_emit_u64(emit, "read_ticks", disk->ticks_ms[0]);
	json_emit_u64(emit, "write_ticks", disk->ticks_ms[1]);
	json_emit_u64(emit, "in_queue", disk->in_queue_ms);
	json_emit_real(emit, "util", fio_disk_util_percent(disk->io_ticks_ms, disk->wall_ms));
	if (sum.nr)
		write_below(emit, &sum);
	json_emit_close(emit, '}');
}

static void write_disks(struct json_emit *emit, const struct result *result)
{
	if (result->nr_disks == 0)
		return;
	json_emit_open(emit, "disk_util", '[');
	for (size_t i = 0; i < result->nr_disks; i++)
		write_disk(emit, result, i);
	json_emit_close(emit, ']');
}

/* What fio has nothing like; its readers pass over members that they do not know. */
static void write_notes(struct json_emit *emit, const struct note_list *notes)
{
	if (notes->nr == 0)
		return;
	json_emit_open(emit, "regio notes", '[');
	for (size_t i = 0; i < notes->nr; i++) {
		const struct note_kind *kind = note_kind(notes->items[i].id);

		json_emit_open(emit, NULL, '{');
		json_emit_text(emit, "id", kind->name);
		json_emit_text(emit, "text", notes->items[i].text);
		json_emit_text(emit, "advice", kind->advice);
		json_emit_close(emit, '}');
	}
	json_emit_close(emit, ']');
}

void fio_form_json_write(const struct result *result, unsigned flags, FILE *to)
{
	struct json_emit emit = { .to = to, .is_one_line = (flags & FIO_FORM_JSON_ONE_LINE) != 0 };

	json_emit_open(&emit, NULL, '{');
	write_version(&emit, result);
	write_time(&emit, result->started_at_unix_ms + (int64_t)result->elapsed_ms);
	write_options(&emit, "global options", result->global_options, result->nr_global_options);
	write_jobs(&emit, result, flags);
	write_disks(&emit, result);
	write_notes(&emit, &result->notes);
	json_emit_close(&emit, '}');
	(void)fputc('\n', to);
}
