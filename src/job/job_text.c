/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_text: a job set as one plain job file, for a run elsewhere. */
#include "job/job_text.h"

#include <stdbool.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/job.h"

/* A full path of the command line stands for itself; a file puts the directory before it. */
static bool is_dropped(const struct job *job, const struct job_option *option)
{
	return !job->directory && !strcmp(option->key, "directory");
}

static bool has_stonewall(const struct job *job)
{
	for (size_t i = 0; i < job->effective.nr; i++) {
		if (!strcmp(job->effective.items[i].key, "stonewall"))
			return true;
	}
	return false;
}

/* What a stack gave to the job, which no option says. */
static void add_given(struct strbuf *text, const struct job *job, const char *key,
		      const char *value)
{
	for (size_t i = 0; i < job->effective.nr; i++) {
		if (!strcmp(job->effective.items[i].key, key))
			return;
	}
	if (value)
		strbuf_printf(text, "%s=%s\n", key, value);
}

static void add_job(struct strbuf *text, const struct job *job, bool starts_phase)
{
	strbuf_printf(text, "[%s]\n", job->section);
	for (size_t i = 0; i < job->effective.nr; i++) {
		const struct job_option *option = &job->effective.items[i];

		if (is_dropped(job, option))
			continue;
		strbuf_add_str(text, option->key);
		if (*option->value)
			strbuf_printf(text, "=%s", option->value);
		strbuf_add_char(text, '\n');
	}
	add_given(text, job, "directory", job->directory);
	add_given(text, job, "filename", job->filename);
	/* the first job of a further file waits for those before it */
	if (starts_phase && !has_stonewall(job))
		strbuf_add_str(text, "stonewall\n");
}

char *job_text(const struct job_set *jobs)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < jobs->nr; i++)
		add_job(&text, &jobs->jobs[i], i && jobs->jobs[i].phase != jobs->jobs[i - 1].phase);
	return strbuf_take(&text);
}
