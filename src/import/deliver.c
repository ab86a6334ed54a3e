/* SPDX-License-Identifier: GPL-2.0-or-later */
/* deliver: completes a result that an importer has read and hands it to the sink. */
#include "import/deliver.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "import/import.h"
#include "import/reader.h"
#include "model/given_sum.h"
#include "model/result.h"

#define MAX_WITHHELD 1000 /* empty results beyond that are dropped */

static void drop_not_finite(struct given_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->nr; i++) {
		if (isfinite(list->items[i].value)) {
			list->items[kept++] = list->items[i];
			continue;
		}
		free(list->items[i].name);
		free(list->items[i].source_name);
	}
	list->nr = kept;
}

/* What the importer left to the frame. */
static void complete(struct import_reader *in, struct result *result)
{
	drop_not_finite(&result->given);
	for (size_t i = 0; i < result->nr_jobs; i++)
		drop_not_finite(&result->jobs[i].given);
	result_sum_given(result);
	if (!result->source_file)
		result->source_file = xstrdup(in->name);
	if (!result->source_line)
		result->source_line = in->block_line;
	if (in->options && in->options->label) {
		free(result->label);
		result->label = xstrdup(in->options->label);
	} else if (!result->label) {
		CLEANUP(strbuf) struct strbuf label = STRBUF_INIT;

		heading_label(&in->heading, in->name, &label);
		result->label = strbuf_take(&label);
	}
}

static bool dir_has_numbers(const struct dir_result *dir)
{
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++) {
		if (dir->latency[kind].hist)
			return true;
	}
	return dir->total_ios || dir->io_bytes || dir->runtime_ms;
}

/* An error counts: that a job failed is a result. */
static bool has_numbers(const struct result *result)
{
	if (result->given.nr || result_error(result))
		return true;
	for (size_t i = 0; i < result->nr_jobs; i++) {
		const struct job_result *job = &result->jobs[i];

		for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
			if (dir_has_numbers(&job->dir[dir]))
				return true;
		}
		if (job->given.nr)
			return true;
	}
	return false;
}

static int hand_over(struct import_reader *in, struct result *result, struct err *err)
{
	int ret = in->sink->deliver(in->sink->context, result, err);

	result_release(result);
	in->nr_delivered++;
	in->sink_failed = ret < 0;
	return ret;
}

void deliver_release(struct import_reader *in)
{
	for (size_t i = 0; i < in->withheld.nr; i++)
		result_release(&in->withheld.items[i]);
	vec_release(&in->withheld);
}

int deliver_withheld(struct import_reader *in, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < in->withheld.nr; i++)
		ret = hand_over(in, &in->withheld.items[i], err);
	deliver_release(in);
	return ret;
}

int deliver_refuse_withheld(struct import_reader *in, struct err *err)
{
	const struct result *first = &in->withheld.items[0];
	const char *reason = first->notes.nr ? first->notes.items[0].text : "no number in it";

	return err_set(err, ERR_INPUT, "%s:%u: output of %s without a result: %s", in->name,
		       first->source_line, first->tool ? first->tool : "a known program", reason);
}

int import_deliver(struct import_reader *in, struct result *result, struct err *err)
{
	int ret;

	complete(in, result);
	if (!has_numbers(result)) {
		if (in->withheld.nr < MAX_WITHHELD)
			vec_push(&in->withheld, *result);
		else
			result_release(result);
		*result = (struct result){ .label = NULL };
		return 0;
	}
	ret = deliver_withheld(in, err);
	if (ret < 0) {
		result_release(result);
		return ret;
	}
	return hand_over(in, result, err);
}

int import_refuse(struct import_reader *in, unsigned line, struct err *err, const char *format, ...)
{
	CLEANUP(free) char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		abort(); /* out of memory, as xmalloc */
	va_end(args);
	in->error_line = line;
	return err_set(err, ERR_INPUT, "%s", text);
}
