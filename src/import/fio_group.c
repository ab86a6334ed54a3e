/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_group: the status of groups and the disk statistics at the end of fio's normal output. */
#include "import/fio_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_COUNTER 1e15 /* of a disk in one run; more is a counter that went below zero */

void fio_take_group(struct fio_run *run, const struct fio_piece *piece)
{
	const char *text = piece->text + strcspn(piece->text, "0123456789");
	double group = 0;

	(void)fio_number(&text, &group);
	run->is_cut_entry |= run->has_job && !run->has_tail && run->stage == FIO_STAGE_JOBS;
	run->group = group < 1e9 ? (unsigned)group : 0;
	run->stage = FIO_STAGE_GROUPS;
	run->dir = NULL;
	run->percentiles[0] = '\0';
	VEC_FOREACH (&run->groups, known) {
		if (*known == run->group)
			return;
	}
	vec_push(&run->groups, run->group);
}

static const char *group_dir(const char *text)
{
	static const struct {
		const char *printed, *dir;
	} rows[] = {
		{ "READ", "read" }, { "WRITE", "write" }, { "TRIM", "trim" }, { "MIXED", "mixed" }
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!strncmp(text, rows[i].printed, strlen(rows[i].printed)))
			return rows[i].dir;
	}
	return NULL;
}

static double read_bytes(const char *text, const char *key, bool is_old)
{
	const char *value = fio_key(text, key);
	double bytes, step;

	if (!value || !fio_bytes(&value, is_old, &bytes, &step) || bytes < 0)
		return (double)NAN;
	return bytes;
}

/* "run=3001-3010msec", "mint=3001msec, maxt=3010msec": the longest. */
static double read_runtime(const char *text)
{
	const char *value = fio_key(text, "maxt");
	double shortest_ms, longest_ms;

	if (!value) {
		value = fio_key(text, "run");
		if (!value || !fio_number(&value, &shortest_ms) || *value != '-')
			return (double)NAN;
		value++;
	}
	if (!fio_number(&value, &longest_ms) || longest_ms < 0 || strncmp(value, "msec", 4) != 0)
		return (double)NAN;
	return longest_ms;
}

void fio_take_group_dir(struct fio_run *run, const struct fio_piece *piece)
{
	bool is_old = fio_key(piece->text, "aggrb") != NULL;
	struct fio_group_line line = {
		.group = run->group,
		.dir = group_dir(piece->text),
		.bw_bytes_per_sec = read_bytes(piece->text, is_old ? "aggrb" : "bw", is_old),
		.io_bytes = read_bytes(piece->text, "io", is_old),
		.runtime_ms = read_runtime(piece->text),
		.line = piece->line,
	};

	if (!line.dir)
		return;
	run->stage = FIO_STAGE_GROUPS;
	VEC_FOREACH (&run->group_lines, known) {
		if (known->group != line.group || strcmp(known->dir, line.dir) != 0)
			continue;
		*known = line; /* a later report of the same run */
		return;
	}
	vec_push(&run->group_lines, line);
}

bool fio_repeats_bare_dir(const struct fio_run *run, const char *text)
{
	const char *dir = group_dir(text);

	if (run->groups.nr || run->result.nr_jobs || !dir)
		return false;
	VEC_FOREACH (&run->group_lines, known) {
		if (!strcmp(known->dir, dir))
			return true;
	}
	return false;
}

static void set_missing(struct given_list *given, const char *dir, const char *rest, double value,
			unsigned line)
{
	char name[2 * FIO_NAME_LEN];

	(void)snprintf(name, sizeof(name), "%s.%s", dir, rest);
	if (isfinite(value) && !given_find(given, name))
		given_append(given, name, value, line);
}

/* A group of one job repeats what the job's entry says with more digits. */
static bool is_alone(const struct fio_run *run)
{
	return run->result.nr_jobs == 1 && run->result.jobs[0].given.nr > 0;
}

void fio_group_finish(struct fio_run *run)
{
	/* Nothing but lines of a group: they are of one. Behind jobs their head is lost. */
	bool is_known = run->groups.nr == 1 || (!run->groups.nr && !run->result.nr_jobs);

	if (!is_known || is_alone(run))
		return;
	VEC_FOREACH (&run->group_lines, line) {
		struct given_list *given = &run->result.given;

		set_missing(given, line->dir, "bw_bytes_per_sec", line->bw_bytes_per_sec,
			    line->line);
		set_missing(given, line->dir, "io_bytes", line->io_bytes, line->line);
		set_missing(given, line->dir, "runtime_ms", line->runtime_ms, line->line);
	}
}

/* ---- disks ---- */

static void set_disk(struct fio_run *run, const char *disk, const char *rest, double value,
		     unsigned line)
{
	CLEANUP(strbuf) struct strbuf name = STRBUF_INIT;

	if (value < 0 || value > MAX_COUNTER) {
		fio_run_refuse(run, line, "disk.%s.%s %.0f went below zero", disk, rest, value);
		return;
	}
	strbuf_printf(&name, "disk.%s.%s", disk, rest);
	(void)given_set(&run->result.given, strbuf_str(&name), value, line);
}

/* "key=A/B": read and write. */
static void take_pair(struct fio_run *run, const struct fio_piece *piece, const char *disk,
		      const char *key, const char *rest)
{
	static const char *const dirs[2] = { "read", "write" };
	const char *at = fio_key(piece->text, key);
	/* Averages over the disks below. */
	bool is_aggregate = !strncmp(key, "agg", 3);
	/* sysfs counts sectors of 512 bytes. */
	double unit = strstr(key, "sectors") ? 512 : 1;
	char name[2 * FIO_NAME_LEN];

	for (size_t i = 0; i < 2 && at; i++) {
		double value;

		if (!fio_number(&at, &value))
			return;
		(void)snprintf(name, sizeof(name), "%s%s_%s", is_aggregate ? "aggr_" : "", dirs[i],
			       rest);
		set_disk(run, disk, name, value * unit, piece->line);
		if (*at != '/')
			return;
		at++;
	}
}

static void take_single(struct fio_run *run, const struct fio_piece *piece, const char *disk,
			const char *key, const char *rest)
{
	const char *at = fio_key(piece->text, key);
	double value;

	if (at && fio_number(&at, &value))
		set_disk(run, disk, rest, value, piece->line);
}

void fio_take_disk(struct fio_run *run, const struct fio_piece *piece)
{
	static const struct {
		const char *key, *rest;
	} pairs[] = {
		{ "ios", "ios" },	  { "sectors", "bytes" },     { "merge", "merges" },
		{ "ticks", "ticks_ms" },  { "aggrios", "ios" },	      { "aggsectors", "bytes" },
		{ "aggrsectors", "bytes" }, { "aggrmerge", "merges" }, { "aggrticks", "ticks_ms" },
	}, singles[] = {
		{ "in_queue", "in_queue_ms" },
		{ "util", "util_percent" },
		{ "aggrin_queue", "aggr_in_queue_ms" },
		{ "aggrutil", "aggr_util_percent" },
	};
	CLEANUP(free) char *disk = strndup(piece->text, strcspn(piece->text, ":"));

	run->stage = FIO_STAGE_DISKS;
	run->nr_disks++;
	for (size_t i = 0; disk && i < sizeof(pairs) / sizeof(pairs[0]); i++)
		take_pair(run, piece, disk, pairs[i].key, pairs[i].rest);
	for (size_t i = 0; disk && i < sizeof(singles) / sizeof(singles[0]); i++)
		take_single(run, piece, disk, singles[i].key, singles[i].rest);
}

/* ---- a wrapper's summary ---- */

/* "READ:484:3695:0": MB/s, IOPS, errors. Taken only where fio's own lines are missing. */
void fio_take_script(struct fio_run *run, const struct fio_piece *piece)
{
	const char *dir = group_dir(piece->text);
	const char *at = strchr(piece->text, ':');
	double mb_per_sec, iops;

	if (!dir || !at)
		return;
	at++;
	if (!fio_number(&at, &mb_per_sec) || *at != ':')
		return;
	at++;
	if (!fio_number(&at, &iops) || *at != ':' || iops < 0)
		return;
	if (!run->result.nr_jobs)
		set_missing(&run->result.given, dir, "iops", iops, piece->line);
}
