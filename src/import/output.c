/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output: the numbers of a trial whose workload was an external command. */
#include "import/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "import/import.h"
#include "import/value_lines.h"
#include "model/result.h"

struct taker {
	struct result *into;
	size_t nr;
};

/* Jobs change their owner. */
static void take_jobs(struct result *into, struct result *from)
{
	for (size_t i = 0; i < from->nr_jobs; i++) {
		*result_add_job(into) = from->jobs[i];
		from->jobs[i] = (struct job_result){ .name = NULL };
	}
	from->nr_jobs = 0;
}

static int take(void *context, struct result *result, struct err *err)
{
	struct taker *taker = context;

	(void)err;
	if (taker->nr++ > 0)
		return 0;
	take_jobs(taker->into, result);
	given_list_release(&taker->into->given);
	taker->into->given = result->given;
	result->given = (struct given_list){ .nr = 0 };
	note_list_append(&taker->into->notes, &result->notes);
	for (size_t i = 0; i < result->nr_env; i++)
		result_add_env(taker->into, result->env[i].key, result->env[i].value);
	return 0;
}

static struct job_result *add_command_job(struct result *result)
{
	struct job_result *job = result_add_job(result);

	job->name = xstrdup(result->command ? result->command : "command");
	return job;
}

static void fail(struct result *result, const char *text)
{
	struct job_result *job = add_command_job(result);

	job->error = EPROTO;
	job->error_where = xstrdup(text);
}

/* 0 = an importer read it. */
static int read_known(struct result *result, struct err *err)
{
	struct taker taker = { .into = result };
	const struct import_sink sink = { .deliver = take, .context = &taker };
	int ret = import_text("output", result->output, strlen(result->output), NULL, &sink, err);

	if (taker.nr > 1) {
		CLEANUP(free)
		char *text = xasprintf("printed %zu results, a trial is one", taker.nr);

		fail(result, text);
		return 0;
	}
	if (ret < 0 && taker.nr > 0) {
		fail(result, err->msg);
		return 0;
	}
	return ret;
}

void import_output(struct result *result)
{
	struct err err = { .code = 0 };

	if (!result->output || result_nr_failed(result) > 0)
		return;
	if (read_known(result, &err) == 0)
		return;
	if (value_lines_read(result->output, &result->given) == 0 && result->output[0])
		note_add(&result->notes, NOTE_OUTPUT_UNKNOWN,
			 "the command printed no numbers that regio knows (%s)", err.msg);
	(void)add_command_job(result);
}
