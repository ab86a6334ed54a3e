/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_job: the parameters, the entry and the directions of a job in fio's normal output. */
#include "import/fio_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define TOTAL_ENTRY "All clients" /* a client's sum over its servers */
#define MAX_ERRNO 4095		  /* as the kernel */
#define ROUNDED_SHARE 0.01	  /* a last digit worth more than this is noted */

static const char *const dir_names[] = { "read", "write", "trim", "mixed" };

#define NR_DIRS (sizeof(dir_names) / sizeof(dir_names[0]))

/* "key=WORD" up to a comma or blank: a new string, NULL if it is not there. */
static char *copy_word(const char *text, const char *key)
{
	const char *value = fio_key(text, key);

	return value ? xstrndup(value, strcspn(value, ", )")) : NULL;
}

static unsigned read_unsigned(const char *text, const char *key)
{
	const char *value = fio_key(text, key);
	double number = 0;

	if (!value || !fio_number(&value, &number) || number < 0 || number > 1e9)
		return 0;
	return (unsigned)number;
}

/* ---- parameters ---- */

/* "4096B-8192B" or "4K-4K". */
static void read_range(const char *text, bool is_old, uint64_t *ret_min, uint64_t *ret_max)
{
	double min, max, step;

	if (!fio_bytes(&text, is_old, &min, &step))
		return;
	max = min;
	if (*text == '-') {
		text++;
		(void)fio_bytes(&text, is_old, &max, &step);
	}
	if (min < 0 || max > 1e15 || min > max)
		return;
	*ret_min = (uint64_t)min;
	*ret_max = (uint64_t)max;
}

/* "bs=(R) 4096B-4096B, (W) .." or, until 2.16, "bs=4K-4K/4K-4K/4K-4K". */
static void read_block_sizes(const char *text, struct job_result *job)
{
	static const char *const marks[IO_NR_DATA_DIRS] = { "(R) ", "(W) ", "(T) " };
	const char *sizes = fio_key(text, "bs");

	if (!sizes)
		return;
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS && sizes; dir++) {
		const char *at = *sizes == '(' ? strstr(sizes, marks[dir]) : sizes;

		if (!at)
			return;
		read_range(*sizes == '(' ? at + strlen(marks[dir]) : at, *sizes != '(',
			   &job->bs_min_bytes[dir], &job->bs_max_bytes[dir]);
		if (*sizes == '(')
			continue;
		sizes += strcspn(sizes, "/, ");
		sizes = *sizes == '/' ? sizes + 1 : NULL;
	}
}

void fio_take_header(struct fio_run *run, const struct fio_piece *piece)
{
	const char *colon = strstr(piece->text, ": (g=");
	struct job_result job = { .nr_clones = 1 };

	if (!colon)
		return;
	job.name = xstrndup(piece->text, (size_t)(colon - piece->text));
	job.group_id = read_unsigned(colon, "g");
	job.rw = copy_word(piece->text, "rw");
	job.ioengine = copy_word(piece->text, "ioengine");
	job.iodepth = read_unsigned(piece->text, "iodepth");
	read_block_sizes(piece->text, &job);
	if (job.iodepth > 1 && job.ioengine && strstr(job.ioengine, "sync"))
		note_add(&run->result.notes, NOTE_SYNC_ENGINE_DEPTH,
			 "job '%s': iodepth=%u with ioengine=%s", job.name, job.iodepth,
			 job.ioengine);
	vec_push(&run->headers, (struct fio_header){ .job = job });
}

/* ---- the entry ---- */

struct entry {
	const char *name;
	size_t name_len;
	unsigned group, nr_clones, pid;
};

static bool read_entry(const char *text, struct entry *ret_entry)
{
	const char *colon = strstr(text, ": (groupid=");

	if (!colon)
		return false;
	*ret_entry = (struct entry){ .name = text,
				     .name_len = (size_t)(colon - text),
				     .group = read_unsigned(colon, "groupid"),
				     .nr_clones = read_unsigned(colon, "jobs"),
				     .pid = read_unsigned(colon, "pid") };
	return true;
}

static bool is_named(const struct entry *entry, const char *name)
{
	return strlen(name) == entry->name_len && !strncmp(name, entry->name, entry->name_len);
}

/* Index of the entry of the same job, the number of jobs if there is none. */
static size_t find_entry(const struct fio_run *run, const struct entry *entry)
{
	for (size_t i = 0; i < run->result.nr_jobs; i++) {
		const struct job_result *job = &run->result.jobs[i];

		if (job->tid == (int64_t)entry->pid && entry->pid &&
		    job->group_id == entry->group && is_named(entry, job->name))
			return i;
	}
	return run->result.nr_jobs;
}

bool fio_is_same_job(const struct fio_run *run, const char *text)
{
	struct entry entry;

	text = fio_skip_host(text + strspn(text, " "));
	return read_entry(text, &entry) && find_entry(run, &entry) < run->result.nr_jobs;
}

/* What the header line of the same name and group said. */
static void copy_header(const struct fio_run *run, struct job_result *job)
{
	for (size_t i = 0; i < run->headers.nr; i++) {
		const struct job_result *header = &run->headers.items[i].job;

		if (strcmp(header->name, job->name) != 0 || header->group_id != job->group_id)
			continue;
		job->rw = header->rw ? xstrdup(header->rw) : NULL;
		job->ioengine = header->ioengine ? xstrdup(header->ioengine) : NULL;
		job->iodepth = header->iodepth;
		memcpy(job->bs_min_bytes, header->bs_min_bytes, sizeof(job->bs_min_bytes));
		memcpy(job->bs_max_bytes, header->bs_max_bytes, sizeof(job->bs_max_bytes));
		return;
	}
}

/* "err=121 (file:io_u.c:1791, func=.., error=..): pid=4206": after the number, to the last
 * parenthesis before the pid. */
static void read_error(const char *text, struct job_result *job)
{
	const char *value = fio_key(text, "err");
	const char *open, *end;
	double number;

	if (!value || !fio_number(&value, &number) || number <= 0 || number > MAX_ERRNO)
		return;
	job->error = (int)number;
	open = value + strspn(value, " ");
	if (*open != '(')
		return;
	end = strstr(open, "): pid=");
	job->error_where = xstrndup(open + 1, end ? (size_t)(end - open - 1) : strlen(open + 1));
}

static void begin_entry(struct fio_run *run, const struct entry *entry)
{
	size_t index = find_entry(run, entry);

	if (index < run->result.nr_jobs) {
		job_result_release(&run->result.jobs[index]);
		run->nr_reports++;
	} else {
		(void)result_add_job(&run->result);
	}
	run->job = index;
	run->has_job = true;
	run->stage = FIO_STAGE_JOBS;
	run->dir = NULL;
	run->percentiles[0] = '\0';
	run->has_tail = false;
}

void fio_take_job(struct fio_run *run, const struct fio_piece *piece)
{
	struct entry entry;
	struct job_result *job;

	if (!read_entry(piece->text, &entry))
		return;
	run->is_cut_entry |= run->has_job && !run->has_tail;
	begin_entry(run, &entry);
	run->has_total_entry |= is_named(&entry, TOTAL_ENTRY);
	job = &run->result.jobs[run->job];
	job->name = xstrndup(entry.name, entry.name_len);
	job->group_id = entry.group;
	job->phase = entry.group; /* groups run one after the other */
	job->nr_clones = entry.nr_clones ? entry.nr_clones : 1;
	job->group_reporting = job->nr_clones > 1;
	job->tid = (int64_t)entry.pid;
	copy_header(run, job);
	read_error(piece->text, job);
	if (job->error)
		note_add(&run->result.notes, NOTE_JOB_ERROR, "job '%s' ended with error %d%s%s",
			 job->name, job->error, job->error_where ? ": " : "",
			 job->error_where ? job->error_where : "");
}

void fio_take_description(struct fio_run *run, const struct fio_piece *piece)
{
	const char *open = strchr(piece->text, '[');
	size_t len = open ? strlen(open + 1) : 0;

	if (!open || !run->has_job)
		return;
	if (len && open[len] == ']')
		len--;
	free(run->result.jobs[run->job].description);
	run->result.jobs[run->job].description = xstrndup(open + 1, len);
}

/* "fio: pid=1, err=13/file:filesetup.c:150, func=open, error=Permission denied": all that is said
 * of a job that could not begin. */
static void remember_error(struct fio_run *run, const char *text)
{
	const char *value = fio_key(text, "err");
	double number;

	if (run->message_error || !value || !fio_number(&value, &number) || *value != '/' ||
	    number <= 0 || number > MAX_ERRNO)
		return;
	run->message_error = (int)number;
	run->message_where = xstrdup(value + 1);
}

void fio_take_message(struct fio_run *run, const struct fio_piece *piece)
{
	struct note_list *notes = &run->result.notes;

	remember_error(run, piece->text);
	/* fio itself prints err= 0 and ends with status 0. */
	if (strstr(piece->text, ", got signal="))
		note_add(notes, NOTE_JOB_ERROR, "line %u: a job was killed: '%s'", piece->line,
			 piece->text);
	if (!strstr(piece->text, "terminating on signal"))
		return;
	run->result.interrupted = true;
	note_add(notes, NOTE_INTERRUPTED, "fio was ended by a signal (line %u)", piece->line);
}

/* ---- a direction ---- */

static void remember_step(struct fio_run *run, const char *what, double value, double step)
{
	if (value <= 0 || step / value <= ROUNDED_SHARE)
		return;
	vec_push(&run->rounded,
		 (struct fio_rounded){ .dir = run->dir, .what = what, .step = step / value });
}

/* "28.5MB/s" rather than "27.2MiB/s". */
static bool is_si(const char *text)
{
	const char *prefix = text + strcspn(text, "kMGTPE ");

	return *prefix && *prefix != ' ' && prefix[1] != 'i';
}

static void take_bandwidth(struct fio_run *run, const struct fio_piece *piece)
{
	const char *text = fio_key(piece->text, run->is_old ? "bw" : "BW");
	const char *value = text;
	double bytes, step;

	if (!value || !fio_bytes(&value, run->is_old, &bytes, &step))
		return;
	if (bytes < 0) {
		fio_run_refuse(run, piece->line, "%s.bw_bytes_per_sec is %.6g", run->dir, bytes);
		return;
	}
	fio_run_set(run, run->dir, "bw_bytes_per_sec", bytes, piece->line);
	run->has_si_base = !run->is_old && is_si(text);
	remember_step(run, "bw_bytes_per_sec", bytes, step);
}

static void take_iops(struct fio_run *run, const struct fio_piece *piece)
{
	const char *key = run->is_old ? "iops" : "IOPS";
	const char *value = fio_key(piece->text, key);
	double step, iops;

	if (!fio_run_set_key(run, piece, key, run->dir, "iops"))
		return;
	step = fio_count_step(value);
	if (fio_count(&value, &iops))
		remember_step(run, "iops", iops, step);
}

/* "(81.6MiB/3001msec)": the amount and the time, after the bandwidth. */
static void take_amount(struct fio_run *run, const struct fio_piece *piece)
{
	const char *end = strstr(piece->text, "msec)");
	const char *slash = end;
	const char *open;
	double bytes, step, runtime_ms;

	while (slash && slash > piece->text && *slash != '/')
		slash--;
	open = slash;
	while (open && open > piece->text && *open != '(')
		open--;
	if (!open || *open != '(')
		return;
	open++;
	slash++;
	if (fio_bytes(&open, false, &bytes, &step) && bytes >= 0)
		fio_run_set(run, run->dir, "io_bytes", bytes, piece->line);
	if (fio_number(&slash, &runtime_ms) && runtime_ms >= 0)
		fio_run_set(run, run->dir, "runtime_ms", runtime_ms, piece->line);
}

static void take_old_amount(struct fio_run *run, const struct fio_piece *piece)
{
	const char *value = fio_key(piece->text, "io");
	double bytes, step;

	if (value && fio_bytes(&value, true, &bytes, &step) && bytes >= 0)
		fio_run_set(run, run->dir, "io_bytes", bytes, piece->line);
	(void)fio_run_set_key(run, piece, "runt", run->dir, "runtime_ms");
}

/* 3.33 prints "mixed: IOPS=0, BW=0 (0)" below real directions. */
static bool is_false_mixed(struct fio_run *run, const struct fio_piece *piece)
{
	const char *iops = fio_key(piece->text, "IOPS");
	double value;

	return strcmp(run->dir, "mixed") == 0 && iops && fio_count(&iops, &value) && value == 0 &&
	       fio_run_given(run)->nr > 0;
}

static void take_zone_resets(struct fio_run *run, const struct fio_piece *piece)
{
	const char *semicolon = strchr(piece->text, ';');
	double nr;

	if (!semicolon || !strstr(semicolon, " zone reset"))
		return;
	semicolon += 1 + strspn(semicolon + 1, " ");
	if (fio_number(&semicolon, &nr) && nr > 0)
		fio_run_set(run, run->dir, "zone_resets", nr, piece->line);
}

void fio_take_dir(struct fio_run *run, const struct fio_piece *piece)
{
	run->dir = NULL;
	run->percentiles[0] = '\0';
	run->stage = run->stage == FIO_STAGE_HEAD ? FIO_STAGE_JOBS : run->stage;
	for (size_t i = 0; i < NR_DIRS; i++) {
		if (!strncmp(piece->text, dir_names[i], strlen(dir_names[i])))
			run->dir = dir_names[i];
	}
	if (!run->dir)
		return;
	run->is_old = !fio_key(piece->text, "IOPS");
	if (is_false_mixed(run, piece)) {
		fio_run_refuse(run, piece->line, "mixed IOPS 0 below directions that did I/O");
		run->dir = NULL;
		return;
	}
	take_iops(run, piece);
	take_bandwidth(run, piece);
	if (run->is_old)
		take_old_amount(run, piece);
	else
		take_amount(run, piece);
	take_zone_resets(run, piece);
}
