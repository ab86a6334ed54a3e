/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies options to a job, each by its row, and remembers where each value comes from. */
#include "job/draft.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "job/key_index.h"
#include "job/keys.h"
#include "job/known.h"
#include "job/number.h"
#include "job/warning.h"

enum err_code place_error_code(const struct place *place)
{
	return place->rank == RANK_FILE ? ERR_INPUT : ERR_USAGE;
}

__attribute__((format(printf, 5, 0))) static int place_refuse_args(const struct place *place,
								   enum err_code code,
								   struct err *err, const char *key,
								   const char *format, va_list args)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	strbuf_add_str(&text, place->source);
	if (place->line)
		strbuf_printf(&text, ":%u", place->line);
	strbuf_add_str(&text, ": ");
	if (key)
		strbuf_printf(&text, "%s: ", key);
	strbuf_vprintf(&text, format, args);
	return err_set(err, code, "%s", strbuf_str(&text));
}

int place_refuse(const struct place *place, enum err_code code, struct err *err, const char *format,
		 ...)
{
	va_list args;
	int ret;

	va_start(args, format);
	ret = place_refuse_args(place, code, err, NULL, format, args);
	va_end(args);
	return ret;
}

void draft_list_init(struct draft_list *given, struct arena *arena)
{
	size_t nr_rows;

	(void)keys_table(&nr_rows);
	*given = (struct draft_list){
		.positions = arena_alloc_array(arena, nr_rows, sizeof(*given->positions)),
		.nr_rows = nr_rows,
	};
}

void draft_list_clear(struct draft_list *given)
{
	vec_clear(&given->options);
	memset(given->positions, 0, given->nr_rows * sizeof(*given->positions));
}

void draft_list_release(struct draft_list *given)
{
	vec_release(&given->options);
}

struct job_options draft_list_options(const struct draft_list *given, struct arena *arena)
{
	struct job_option *items = arena_alloc_array(arena, given->options.nr, sizeof(*items));
	size_t nr = 0;

	for (size_t i = 0; i < given->options.nr; i++) {
		if (given->options.items[i].key)
			items[nr++] = given->options.items[i];
	}
	return (struct job_options){ .items = items, .nr = nr };
}

static size_t row_number(const struct key_row *row)
{
	size_t nr_rows;

	return (size_t)(row - keys_table(&nr_rows));
}

/* Moves a repeated option to the end: of two that share a field the later one holds. */
static void applied_forget(struct draft_list *applied, const struct key_row *row)
{
	size_t *position = &applied->positions[row_number(row)];

	if (*position)
		applied->options.items[*position - 1].key = NULL;
	*position = 0;
}

static void given_record(struct draft_list *given, const struct key_row *row,
			 const struct option *option)
{
	const struct job_option item = {
		.key = row->info.name,
		.value = option->text ? option->text : "",
		.source = option->place.source,
		.line = option->place.line,
	};
	size_t *position = &given->positions[row_number(row)];

	if (*position) {
		given->options.items[*position - 1] = item;
		return;
	}
	vec_push(&given->options, item);
	*position = given->options.nr;
}

void draft_init(struct draft *draft, struct arena *arena)
{
	size_t nr_rows;
	const struct key_row *rows = keys_table(&nr_rows);
	struct number_reader reader = { .arena = arena, .kb_base = 1024 };

	*draft = (struct draft){ .places = arena_alloc_array(arena, nr_rows,
							     sizeof(*draft->places)) };
	draft_list_init(&draft->applied, arena);
	for (size_t i = 0; i < nr_rows; i++) {
		struct err err = { .code = 0 };
		int ret = 0;

		if (*rows[i].info.default_text)
			ret = rows[i].type->parse(&rows[i], rows[i].info.default_text, &reader,
						  &draft->job, &err);
		assert(ret == 0); /* a default of the table that its own type refuses */
		(void)ret;
	}
}

void draft_release(struct draft *draft)
{
	draft_list_release(&draft->applied);
}

static void draft_list_copy(struct draft_list *dst, const struct draft_list *src)
{
	vec_clear(&dst->options);
	vec_reserve(&dst->options, src->options.nr);
	if (src->options.nr)
		memcpy(dst->options.items, src->options.items,
		       src->options.nr * sizeof(*src->options.items));
	dst->options.nr = src->options.nr;
	memcpy(dst->positions, src->positions, src->nr_rows * sizeof(*src->positions));
}

void draft_copy(struct draft *dst, const struct draft *src)
{
	size_t nr_rows;

	(void)keys_table(&nr_rows);
	dst->job = src->job;
	memcpy(dst->places, src->places, nr_rows * sizeof(*dst->places));
	draft_list_copy(&dst->applied, &src->applied);
}

const struct place *draft_place(const struct draft *draft, const char *key)
{
	size_t nr_rows;
	const struct key_row *rows = keys_table(&nr_rows);
	size_t i = 0;

	while (i < nr_rows && strcmp(rows[i].info.name, key) != 0)
		i++;
	assert(i < nr_rows); /* a misspelt key in the caller */
	return &draft->places[i];
}

int draft_refuse(const struct draft *draft, const char *key, struct err *err, const char *format,
		 ...)
{
	const struct place *place = draft_place(draft, key);
	const struct place section = {
		.rank = draft->job.line ? RANK_FILE : RANK_COMMAND_LINE,
		.source = draft->job.source,
		.line = draft->job.line,
	};
	va_list args;
	int ret;

	if (place->rank == RANK_BUILTIN)
		place = &section;

	va_start(args, format);
	ret = place_refuse_args(place, place_error_code(place), err, key, format, args);
	va_end(args);
	return ret;
}

/* Says why the value of an option was refused: place, key, reason, and a variable not set. */
static int value_refuse(const struct option *option, int ret, const char *reason, struct err *err)
{
	const struct place *place = &option->place;
	enum err_code code = ret == -ERR_INPUT ? place_error_code(place) : (enum err_code) - ret;
	struct short_text quoted;

	if (!option->unset_variable)
		return place_refuse(place, code, err, "%s: %s", option->key, reason);
	return place_refuse(place, code, err, "%s: %s (environment variable '%s' is not set)",
			    option->key, reason, short_text(option->unset_variable, &quoted));
}

static int key_refuse(const struct draft_context *context, const struct option *option,
		      const struct key_name *name, struct err *err)
{
	const struct place *place = &option->place;
	struct err reason = { .code = 0 };

	if (name)
		return place_refuse(place, ERR_UNSUPPORTED, err,
				    "option '%s' is a fio option that regio does not support yet",
				    name->name);
	(void)key_index_refuse(context->index, option->key, &reason);
	return place_refuse(place, place_error_code(place), err, "%s", reason.msg);
}

static void warn_of_no_effect(const struct draft_context *context, const struct option *option,
			      const struct known_without_effect *known)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "option '%s' has no effect in a job", known->name);
	if (known->meant)
		strbuf_printf(&text, "; did you mean '%s'?", known->meant);
	warning_add_trap(context->warnings, context->arena, &option->place, TRAP_IGNORED_OPTION,
			 strbuf_str(&text));
	strbuf_release(&text);
}

/* fio keeps blanks after '='. */
static void drop_blanks(const struct draft_context *context, struct option *option)
{
	const size_t nr_blanks = option->text ? strspn(option->text, " \t") : 0;

	if (nr_blanks == 0)
		return;
	option->text += nr_blanks;
	warning_add_trap(context->warnings, context->arena, &option->place, TRAP_BLANK_VALUE,
			 arena_printf(context->arena,
				      "%s: the blanks after '=' are dropped; fio keeps them",
				      option->key));
}

static int value_apply(struct draft *draft, const struct draft_context *context,
		       const struct option *option, const struct key_row *row, struct err *err)
{
	struct number_reader reader = {
		.arena = context->arena,
		.kb_base = draft->job.kb_base,
		.is_fio = draft->job.fio_strict,
	};
	const char *bare = row->type->is_empty_allowed ? "" : "1";
	const char *text = option->text ? option->text : bare;
	struct err reason = { .code = 0 };
	int ret;

	if (!option->text && !row->type->is_bare_allowed)
		return value_refuse(option, -ERR_INPUT, "a value is needed", err);
	if (!*text && !row->type->is_empty_allowed)
		return value_refuse(option, -ERR_INPUT, "the value is empty", err);
	ret = row->type->parse(row, text, &reader, &draft->job, &reason);
	if (ret < 0)
		return value_refuse(option, ret, reason.msg, err);
	if (reader.note)
		warning_add_trap(context->warnings, context->arena, &option->place, reader.trap,
				 arena_printf(context->arena, "%s: %s", option->key, reader.note));
	draft->places[row_number(row)] = option->place;
	return 0;
}

static int option_apply(struct draft *draft, const struct draft_context *context,
			const struct option *written, enum draft_pass pass,
			struct draft_list *given, struct err *err)
{
	struct option changed = *written;
	const struct option *option = &changed;
	const struct key_name *name = key_index_find(context->index, option->key);
	const bool is_first = name && name->row && (name->row->flags & KEY_FIRST);
	int ret;

	if (is_first != (pass == DRAFT_FIRST))
		return 0;
	if (name && name->without_effect) {
		warn_of_no_effect(context, option, name->without_effect);
		return 0;
	}
	if (!name || !name->row)
		return key_refuse(context, option, name, err);
	if (!draft->job.fio_strict)
		drop_blanks(context, &changed);
	ret = value_apply(draft, context, option, name->row, err);
	if (ret < 0)
		return ret;
	applied_forget(&draft->applied, name->row);
	given_record(&draft->applied, name->row, option);
	if (given)
		given_record(given, name->row, option);
	return ret;
}

int draft_apply(struct draft *draft, const struct draft_context *context,
		const struct option_list *options, enum draft_pass pass, struct draft_list *given,
		struct err *err)
{
	for (size_t i = 0; i < options->nr; i++) {
		int ret = option_apply(draft, context, &options->items[i], pass, given, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}
