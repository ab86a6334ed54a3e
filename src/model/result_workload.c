/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result_workload: tells repeats of one measurement from measurements of different things. */
#include "model/result_workload.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "model/result.h"

static const char *const dir_names[] = { "read", "write", "trim" };

static bool has_dir(const struct given_list *given, const char *dir)
{
	size_t len = strlen(dir);

	for (size_t i = 0; i < given->nr; i++) {
		if (!strncmp(given->items[i].name, dir, len) && given->items[i].name[len] == '.')
			return true;
	}
	return false;
}

/* Appends "read and write". */
static void add_dirs(const struct given_list *given, struct strbuf *out)
{
	size_t start = out->len;

	for (size_t i = 0; i < IO_NR_DATA_DIRS; i++) {
		if (has_dir(given, dir_names[i]))
			strbuf_printf(out, "%s%s", out->len > start ? " and " : "", dir_names[i]);
	}
}

static void add_size(uint64_t min_bytes, uint64_t max_bytes, struct strbuf *out)
{
	char text[UNITS_TEXT_LEN];

	strbuf_add_str(out, units_print_bytes(min_bytes, text, sizeof(text)));
	if (max_bytes != min_bytes)
		strbuf_printf(out, "-%s", units_print_bytes(max_bytes, text, sizeof(text)));
}

/* Sizes of the directions that the job uses; those of others are defaults. */
static bool uses_dir(const struct job_result *job, size_t dir)
{
	const char *rw = job->rw ? job->rw : "";

	if (strstr(rw, "rw") || strstr(rw, "readwrite"))
		return dir != IO_TRIM;
	return strstr(rw, dir_names[dir]) != NULL;
}

static void add_block_sizes(const struct job_result *job, struct strbuf *out)
{
	const char *separator = ", bs=";
	uint64_t min_bytes = 0, max_bytes = 0;

	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		if (!uses_dir(job, dir) || !job->bs_min_bytes[dir])
			continue;
		if (job->bs_min_bytes[dir] == min_bytes && job->bs_max_bytes[dir] == max_bytes)
			continue;
		min_bytes = job->bs_min_bytes[dir];
		max_bytes = job->bs_max_bytes[dir];
		strbuf_add_str(out, separator);
		add_size(min_bytes, max_bytes, out);
		separator = "/";
	}
}

/* Quotes enclose names, semicolons separate jobs. */
static void add_name(const char *name, struct strbuf *out)
{
	strbuf_add_str(out, " '");
	for (; *name; name++)
		strbuf_add(out, *name == '\'' || *name == ';' ? "_" : name, 1);
	strbuf_add_char(out, '\'');
}

static void add_job(const struct job_result *job, struct strbuf *out)
{
	if (job->rw)
		strbuf_printf(out, "rw=%s", job->rw);
	else
		add_dirs(&job->given, out);
	add_block_sizes(job, out);
	if (job->ioengine)
		strbuf_printf(out, ", ioengine=%s", job->ioengine);
	if (job->iodepth)
		strbuf_printf(out, ", iodepth=%u", job->iodepth);
	if (job->nr_clones > 1)
		strbuf_printf(out, ", jobs=%u", job->nr_clones);
	if (job->name && *job->name)
		add_name(job->name, out);
}

static void add_repeated(const struct strbuf *part, size_t nr, struct strbuf *out)
{
	if (nr == 0)
		return;
	if (out->len)
		strbuf_add_str(out, "; ");
	if (nr > 1)
		strbuf_printf(out, "%zu x ", nr);
	strbuf_add_str(out, strbuf_str(part));
}

static void add_jobs(const struct result *result, struct strbuf *out)
{
	CLEANUP(strbuf) struct strbuf part = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf last = STRBUF_INIT;
	size_t nr = 0;

	for (size_t i = 0; i < result->nr_jobs; i++) {
		strbuf_reset(&part);
		add_job(&result->jobs[i], &part);
		if (nr && strcmp(strbuf_str(&part), strbuf_str(&last)) != 0) {
			add_repeated(&last, nr, out);
			nr = 0;
		}
		nr++;
		strbuf_reset(&last);
		strbuf_add_str(&last, strbuf_str(&part));
	}
	add_repeated(&last, nr, out);
}

static const char *env_value(const struct result *result, const char *key)
{
	for (size_t i = 0; i < result->nr_env; i++) {
		if (!strcmp(result->env[i].key, key))
			return result->env[i].value;
	}
	return NULL;
}

char *result_workload(const struct result *result)
{
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	const char *said = env_value(result, RESULT_WORKLOAD_KEY);

	if (result->nr_jobs)
		add_jobs(result, &out);
	else if (said)
		strbuf_add_str(&out, said);
	else
		add_dirs(&result->given, &out);
	return strbuf_take(&out);
}

char *workload_without_names(const char *workload)
{
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;

	while (*workload) {
		const char *name = strstr(workload, " '");
		const char *end = name ? strchr(name + 2, '\'') : NULL;

		if (!end) {
			strbuf_add_str(&out, workload);
			break;
		}
		strbuf_add(&out, workload, (size_t)(name - workload));
		workload = end + 1;
	}
	return strbuf_take(&out);
}

static bool has_summary(const struct given_list *given)
{
	for (size_t i = 0; i < given->nr; i++) {
		if (given->items[i].nr_runs)
			return true;
	}
	return false;
}

bool result_is_plain(const struct result *result)
{
	return result->nr_jobs <= 1 && !has_summary(&result->given);
}
