/* SPDX-License-Identifier: GPL-2.0-or-later */
/* deliver: completes a result that an importer has read and hands it to the sink. */
#include "import/deliver.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "import/forms.h"
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
	if (!result->tool)
		result->tool = xstrdup("unknown");
	for (size_t i = 0; i < result->nr_jobs; i++) {
		if (!result->jobs[i].name)
			result->jobs[i].name = xstrdup("unnamed");
	}
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
		bool is_guessed;

		is_guessed = heading_label(&in->heading, in->name, &label);
		result->label = strbuf_take(&label);
		if (is_guessed)
			note_add(&result->notes, NOTE_INPUT_AMBIGUOUS,
				 "called '%s' by the order in which the text names its attachments",
				 result->label);
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

static int deliver_held(struct import_reader *in, struct err *err)
{
	struct result result = in->held;

	if (!in->has_held)
		return 0;
	in->has_held = false;
	in->held = (struct result){ .label = NULL };
	return hand_over(in, &result, err);
}

/* The same run as the one before it, in another form: the one that says more is kept. */
static bool replaces_held(struct import_reader *in, struct result *result)
{
	struct result poorer = *result;

	if (!in->has_held || in->has_prose || in->held_importer == in->importer ||
	    !forms_is_same_run(&in->held, result))
		return false;
	if (forms_is_richer(result, &in->held)) {
		poorer = in->held;
		in->held = *result;
		in->held_importer = in->importer;
	}
	in->held.interrupted |= poorer.interrupted;
	result_release(&poorer);
	*result = (struct result){ .label = NULL };
	return true;
}

/* Each result waits until it is known that the next one is another run. */
static int hold(struct import_reader *in, struct result *result, struct err *err)
{
	int ret;

	if (replaces_held(in, result)) {
		in->has_prose = false;
		return 0;
	}
	ret = deliver_held(in, err);
	in->held = *result;
	in->has_held = true;
	in->held_importer = in->importer;
	in->has_prose = false;
	*result = (struct result){ .label = NULL };
	return ret;
}

/* What was announced in one form and reported in another, as by fio's client. */
static void drop_announcement(struct import_reader *in, const struct result *result)
{
	struct result *last = in->withheld.nr ? vec_last(&in->withheld) : NULL;

	if (!last || in->withheld_importer == in->importer || !forms_announces(last, result))
		return;
	result_release(last);
	in->withheld.nr--;
}

static void withhold(struct import_reader *in, struct result *result)
{
	if (in->withheld.nr < MAX_WITHHELD)
		vec_push(&in->withheld, *result);
	else
		result_release(result);
	in->withheld_importer = in->importer;
	in->has_prose = false;
	*result = (struct result){ .label = NULL };
}

void deliver_release(struct import_reader *in)
{
	for (size_t i = 0; i < in->withheld.nr; i++)
		result_release(&in->withheld.items[i]);
	vec_release(&in->withheld);
	result_release(&in->held);
	in->has_held = false;
}

static int deliver_withheld(struct import_reader *in, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < in->withheld.nr; i++)
		ret = hold(in, &in->withheld.items[i], err);
	for (size_t i = 0; i < in->withheld.nr; i++)
		result_release(&in->withheld.items[i]);
	vec_clear(&in->withheld);
	return ret;
}

int deliver_finish(struct import_reader *in, struct err *err)
{
	int ret = deliver_withheld(in, err);

	return ret == 0 ? deliver_held(in, err) : ret;
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
		withhold(in, result);
		return 0;
	}
	drop_announcement(in, result);
	ret = deliver_withheld(in, err);
	if (ret < 0) {
		result_release(result);
		return ret;
	}
	return hold(in, result, err);
}

int import_refuse(struct import_reader *in, unsigned line, struct err *err, const char *format, ...)
{
	CLEANUP(free) char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		out_of_memory(0);
	va_end(args);
	in->error_line = line;
	return err_set(err, ERR_INPUT, "%s", text);
}
