/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warns of files that several jobs or clones use at the same time without having been told to:
 * sections of one name, and several writers. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "job/number.h"
#include "job/parser.h"

#define MAX_USES 65536 /* the warnings are advice: what is larger was made by a program */

/* One file, or one pattern of generated files, as one job uses it. */
struct file_use {
	const char *path;
	const struct job *job;
	unsigned phase; /* 0 for files that sections share by their name: that is never meant */
	size_t number;	/* of the job: makes the order complete */
};

struct use_list VEC_BODY(struct file_use);

static bool format_has(const struct job *job, const char *word)
{
	return strcasestr(job->filename_format, word) != NULL;
}

/* What is the same for two jobs whose generated files are the same. */
static const char *generated_path(const struct job *job, struct arena *arena)
{
	return arena_printf(arena, "%s/%s/%s", job->directory ? job->directory : "",
			    job->filename_format, format_has(job, "$jobname") ? job->section : "");
}

static void add_uses(struct use_list *uses, const struct job *job, size_t number,
		     struct arena *arena)
{
	const char *const *names;
	size_t nr;

	if (!job->filename) {
		vec_push(uses, (struct file_use){
				       .path = generated_path(job, arena),
				       .job = job,
				       .phase = format_has(job, "$jobname") ? 0 : job->phase,
				       .number = number,
			       });
		return;
	}
	if (uses->nr + job->nr_files > MAX_USES)
		return;
	names = job_file_names(job, 0, arena, &nr);
	for (size_t i = 0; i < nr; i++)
		vec_push(uses, (struct file_use){
				       .path = names[i],
				       .job = job,
				       .phase = job->phase,
				       .number = number,
			       });
}

/* By phase and path; named files apart from generated ones. */
static int use_compare_place(const struct file_use *a, const struct file_use *b)
{
	const bool is_named_a = a->job->filename != NULL;
	const bool is_named_b = b->job->filename != NULL;

	if (a->phase != b->phase)
		return a->phase < b->phase ? -1 : 1;
	if (is_named_a != is_named_b)
		return is_named_a ? 1 : -1;
	return strcmp(a->path, b->path);
}

static int use_compare(const void *a, const void *b)
{
	const struct file_use *x = a;
	const struct file_use *y = b;
	int order = use_compare_place(x, y);

	return order ? order : (x->number > y->number) - (x->number < y->number);
}

static struct place job_place(const struct job *job)
{
	return (struct place){ .rank = RANK_FILE, .source = job->source, .line = job->line };
}

/* Clones that write the file at the same time. Those told apart by an offset do not count. */
static size_t count_writers(const struct file_use *uses, size_t nr)
{
	size_t nr_writers = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct job *job = uses[i].job;
		const bool is_own = !job->filename && format_has(job, "$jobnum");

		if (!job_does(job, IO_WRITE) && !job_does(job, IO_TRIM))
			continue;
		nr_writers += is_own || job->offset_increment.is_set ? 1 : job->nr_clones;
	}
	return nr_writers;
}

/* Jobs of the command line have no line. */
static const char *and_where(const struct job *job, struct arena *arena)
{
	return job->line ? arena_printf(arena, ", as at line %u", job->line) : "";
}

static void warn_of_same_name(struct parser *parser, const struct file_use *uses, size_t nr,
			      const char *path)
{
	const struct place place = job_place(uses[1].job);

	warning_add_trap(&parser->warnings, parser->arena, &place, TRAP_SAME_SECTION,
			 arena_printf(parser->arena,
				      "%zu jobs use the same file '%s': without a filename it is "
				      "named after the section%s",
				      nr, path, and_where(uses[0].job, parser->arena)));
}

static void warn_of_uses(struct parser *parser, const struct file_use *uses, size_t nr)
{
	CLEANUP(arena) struct arena scratch = ARENA_INIT;
	const struct job *last = uses[nr - 1].job;
	const size_t nr_writers = count_writers(uses, nr);
	const bool is_named = last->filename != NULL;
	const struct place place = job_place(last);
	struct short_text quoted;
	const char *path = uses[0].path;
	size_t nr_files;

	if (nr_writers < 2 && (is_named || nr < 2))
		return;
	if (!is_named)
		path = job_file_names(last, 0, &scratch, &nr_files)[0];
	(void)short_text(path, &quoted);
	if (!is_named && nr > 1)
		warn_of_same_name(parser, uses, nr, quoted.buf);
	else
		warning_add(&parser->warnings, parser->arena, &place,
			    "%zu clones write to '%s' at the same time", nr_writers, quoted.buf);
}

void warn_of_shared_files(struct parser *parser)
{
	CLEANUP(arena) struct arena scratch = ARENA_INIT;
	struct use_list uses = VEC_INIT;
	size_t first = 0;

	for (size_t i = 0; i < parser->jobs.nr; i++)
		add_uses(&uses, &parser->jobs.items[i], i, &scratch);
	if (uses.nr > 0)
		qsort(uses.items, uses.nr, sizeof(*uses.items), use_compare);
	while (first < uses.nr) {
		size_t end = first + 1;

		while (end < uses.nr &&
		       use_compare_place(&uses.items[first], &uses.items[end]) == 0)
			end++;
		warn_of_uses(parser, &uses.items[first], end - first);
		first = end;
	}
	vec_release(&uses);
}
