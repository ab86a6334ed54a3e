/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What can be asked of a job: its options, its data files, the names of rw modes. Parsing job
 * files is left to src/job. */
#include "model/job.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"

void job_set_release(struct job_set *set)
{
	if (set->arena)
		arena_release(set->arena);
	free(set->arena);
	*set = (struct job_set){ .arena = NULL };
}

int job_err_code(const struct job *job, int ret, struct err *err)
{
	const enum err_code code = job->line ? ERR_INPUT : ERR_USAGE;

	if (ret != -ERR_INPUT && ret != -ERR_USAGE)
		return ret;
	if (err)
		err->code = code;
	return -(int)code;
}

int job_err_prefix(const struct job *job, int ret, struct err *err)
{
	if (job->line)
		(void)err_prefix(err, "%s:%u: job '%s'", job->source, job->line, job->name);
	else
		(void)err_prefix(err, "job '%s'", job->name);
	return job_err_code(job, ret, err);
}

const struct job_option *job_option_find(const struct job *job, const char *key)
{
	for (size_t i = 0; i < job->options.nr; i++) {
		if (!strcmp(job->options.items[i].key, key))
			return &job->options.items[i];
	}
	return NULL;
}

/* Where one row has two names, fio prints the first. */
static const struct rw_mode {
	const char *name;
	unsigned rw;
} rw_modes[] = {
	{ "read", RW_READ },
	{ "write", RW_WRITE },
	{ "trim", RW_TRIM },
	{ "randread", RW_READ | RW_RANDOM },
	{ "randwrite", RW_WRITE | RW_RANDOM },
	{ "randtrim", RW_TRIM | RW_RANDOM },
	{ "rw", RW_READ | RW_WRITE },
	{ "readwrite", RW_READ | RW_WRITE },
	{ "randrw", RW_READ | RW_WRITE | RW_RANDOM },
	{ "trimwrite", RW_TRIM | RW_WRITE | RW_TRIM_THEN_WRITE },
	{ "randtrimwrite", RW_TRIM | RW_WRITE | RW_TRIM_THEN_WRITE | RW_RANDOM },
};

#define NR_RW_MODES (sizeof(rw_modes) / sizeof(rw_modes[0]))

const char *rw_name(unsigned rw)
{
	for (size_t i = 0; i < NR_RW_MODES; i++) {
		if (rw_modes[i].rw == rw)
			return rw_modes[i].name;
	}
	return "none";
}

bool rw_from_name(const char *name, size_t len, unsigned *ret_rw)
{
	for (size_t i = 0; i < NR_RW_MODES; i++) {
		if (strlen(rw_modes[i].name) != len || memcmp(rw_modes[i].name, name, len) != 0)
			continue;
		*ret_rw = rw_modes[i].rw;
		return true;
	}
	return false;
}

/*
 * Takes the next item of a ':'-separated list into name, "\:" standing for a colon. Empty items
 * do not count. False at the end.
 */
static bool list_next(const char **pos, struct strbuf *name)
{
	strbuf_reset(name);
	for (; **pos; (*pos)++) {
		if (**pos == '\\' && (*pos)[1] == ':')
			(*pos)++;
		else if (**pos == ':' && name->len == 0)
			continue;
		else if (**pos == ':')
			break;
		strbuf_add_char(name, **pos);
	}
	return name->len > 0;
}

static size_t list_count(const char *list)
{
	CLEANUP(strbuf) struct strbuf name = STRBUF_INIT;
	size_t nr = 0;

	while (list_next(&list, &name))
		nr++;
	return nr;
}

/* Puts item `index`, counted around the list, and a slash into path; nothing if it is empty. */
static void add_directory(struct strbuf *path, const char *list, size_t index)
{
	CLEANUP(strbuf) struct strbuf name = STRBUF_INIT;
	size_t nr = list ? list_count(list) : 0;

	if (nr == 0)
		return;
	for (size_t i = 0; i <= index % nr; i++)
		(void)list_next(&list, &name);
	strbuf_add(path, name.buf, name.len);
	strbuf_add_char(path, '/');
}

/* "$jobname.$jobnum.$filenum" of the format; case does not matter, other words stay. */
static void add_format(struct strbuf *path, const struct job *job, unsigned clone, unsigned file)
{
	const char *pos = job->filename_format;

	while (*pos) {
		if (!strncasecmp(pos, "$jobname", strlen("$jobname"))) {
			strbuf_add_str(path, job->section);
			pos += strlen("$jobname");
		} else if (!strncasecmp(pos, "$jobnum", strlen("$jobnum"))) {
			strbuf_printf(path, "%u", clone);
			pos += strlen("$jobnum");
		} else if (!strncasecmp(pos, "$filenum", strlen("$filenum"))) {
			strbuf_printf(path, "%u", file);
			pos += strlen("$filenum");
		} else if (!strncasecmp(pos, "$clientuid", strlen("$clientuid"))) {
			pos += strlen("$clientuid"); /* empty without a client, as in fio */
		} else {
			strbuf_add_char(path, *pos++);
		}
	}
}

static const char *const *listed_names(const struct job *job, struct arena *arena, size_t *ret_nr)
{
	CLEANUP(strbuf) struct strbuf name = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf path = STRBUF_INIT;
	const size_t nr = list_count(job->filename);
	const char **names = arena_alloc_array(arena, nr, sizeof(*names));
	const char *pos = job->filename;
	size_t directory_len;

	add_directory(&path, job->directory, 0);
	directory_len = path.len;
	for (size_t i = 0; i < nr; i++) {
		(void)list_next(&pos, &name);
		strbuf_truncate(&path, directory_len);
		strbuf_add(&path, name.buf, name.len);
		names[i] = arena_strdup(arena, strbuf_str(&path));
	}
	*ret_nr = nr;
	return names;
}

static const char *const *generated_names(const struct job *job, unsigned clone,
					  struct arena *arena, size_t *ret_nr)
{
	CLEANUP(strbuf) struct strbuf path = STRBUF_INIT;
	const char **names = arena_alloc_array(arena, job->nr_files, sizeof(*names));
	size_t directory_len;

	add_directory(&path, job->directory, clone);
	directory_len = path.len;
	for (unsigned i = 0; i < job->nr_files; i++) {
		strbuf_truncate(&path, directory_len);
		add_format(&path, job, clone, i);
		names[i] = arena_strdup(arena, strbuf_str(&path));
	}
	*ret_nr = job->nr_files;
	return names;
}

const char *const *job_file_names(const struct job *job, unsigned clone, struct arena *arena,
				  size_t *ret_nr)
{
	if (job->filename)
		return listed_names(job, arena, ret_nr);
	return generated_names(job, clone, arena, ret_nr);
}
